package league

import (
	"cmp"
	"slices"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
)

// Member is who plays in a league: an account, or a team (Team.Member).
type Member string

// Limits of a division, which is a tournament of its own.
const (
	LeastSize = 3
	MostSize  = 200
	// MostMeeting is the most where everybody meets everybody: the Berger tables end there.
	MostMeeting = tournament.MaxRoundRobinPlayers
)

// The refusals of placing.
var (
	ErrSizes      = refusal.Invalid("league.error.sizes", "league: a division has 3 to 32 players, as a Swiss up to 200, and its usual size lies between the two bounds")
	ErrMovers     = refusal.Invalid("league.error.movers", "league: fewer than half of the smallest division can rise or go down")
	ErrPlayOffs   = refusal.Invalid("league.error.play-offs", "league: play-offs need larger divisions")
	ErrPlayOff    = refusal.Conflict("league.error.play-off", "league: a play-off is not decided")
	ErrTwice      = refusal.Invalid("league.error.twice", "league: somebody is named twice")
	ErrNobody     = refusal.Conflict("league.error.nobody", "league: too few players for a division")
	ErrNoDivision = refusal.Invalid("league.error.no-division", "league: no such division")
	ErrNotIn      = refusal.Conflict("league.error.not-in", "league: they are not in this season")
	ErrNoOffer    = refusal.Conflict("league.error.no-offer", "league: this place is not offered to them any more")
	ErrNoSuchOff  = refusal.Invalid("league.error.no-play-off", "league: the winner does not play in that play-off")
)

// Rule is how large divisions are and how many change places between neighbors.
type Rule struct {
	Least  int `json:"least"`
	Usual  int `json:"usual"`
	Most   int `json:"most"`
	Movers int `json:"movers,omitempty"` // 0: a sixth of the smaller of two neighbors, rounded up
	// PlayOff lets the last who stays meet the first who would not rise, at each boundary.
	PlayOff bool `json:"playOff,omitempty"`
}

// Validate returns nil or what the rule contradicts.
func (r Rule) Validate() error {
	switch {
	case r.Least < LeastSize || r.Usual < r.Least || r.Most < r.Usual || r.Most > MostSize:
		return ErrSizes
	case r.Movers < 0 || 2*r.movers(r.Least) >= r.Least:
		return ErrMovers
	case r.PlayOff && !r.hasPlayOff(r.Least):
		return ErrPlayOffs
	}
	return nil
}

func (r Rule) movers(size int) int {
	if r.Movers > 0 {
		return r.Movers
	}
	return (size + 5) / 6
}

// hasPlayOff reports whether the smaller of two divisions is so large that nobody is in two play-offs.
func (r Rule) hasPlayOff(size int) bool { return r.PlayOff && 2*(r.movers(size)+1) <= size }

// Row is a line of a division's frozen table.
type Row struct {
	Member Member `json:"member"`
	Left   bool   `json:"left,omitempty"` // during the season, or was sent off
}

// Table is the frozen table of a division, the first place first. Divisions are listed from the top.
type Table []Row

// PlayOff is a match at the boundary between a division (from 1) and the one below.
type PlayOff struct {
	Upper  int    `json:"upper"`
	Stays  Member `json:"stays"` // plays in the upper division, and stays there by winning
	Rises  Member `json:"rises"` // rises by winning
	Winner Member `json:"winner,omitempty"`
}

// Way is why somebody plays in a division.
type Way string

const (
	Newcomer  Way = "new"
	Returning Way = "returning" // was away for a season at least
	Stayed    Way = "stayed"
	Promoted  Way = "promoted"
	Relegated Way = "relegated"
)

// IsFree reports whether no result of the last season binds somebody to a division.
func (w Way) IsFree() bool { return w == Newcomer || w == Returning }

// Entrant is somebody who enters a season.
type Entrant struct {
	Member Member
	Rating int
	Last   int // division of an earlier season than the last, from 1; 0: none
}

// Place is where somebody plays in a season.
type Place struct {
	Member Member `json:"member"`
	From   int    `json:"from,omitempty"` // division of the last season, from 1; 0: none
	Rank   int    `json:"rank,omitempty"` // in its table
	To     int    `json:"to"`
	Way    Way    `json:"way"`
	Rating int    `json:"rating,omitempty"`
}

// WarningKind is what could not be met.
type WarningKind string

const (
	TooSmall WarningKind = "small"  // a division below the least size
	TooLarge WarningKind = "large"  // a division above the most
	Waived   WarningKind = "waived" // somebody who went down stays, as nobody is left to rise
	Short    WarningKind = "short"  // a team with fewer players than boards
)

// Warning is what a draft could not meet.
type Warning struct {
	Kind     WarningKind `json:"kind"`
	Division int         `json:"division"` // from 1
	Size     int         `json:"size,omitempty"`
	Member   Member      `json:"member,omitempty"`
}

// Draft is a proposed placing. Divisions are listed from the top, each in the order of its numbers.
type Draft struct {
	Divisions [][]Place `json:"divisions"`
	Warnings  []Warning `json:"warnings,omitempty"`
}

// movements returns how everybody in the frozen tables moves by place, before anybody is missing.
func (r Rule) movements(last []Table, offs []PlayOff) map[Member]Way {
	ways := map[Member]Way{}
	for _, t := range last {
		for _, row := range t {
			ways[row.Member] = Stayed
		}
	}
	for i := range max(0, len(last)-1) {
		up, down := last[i], last[i+1]
		m := r.movers(min(len(up), len(down)))
		for _, row := range up[max(0, len(up)-m):] {
			ways[row.Member] = Relegated
		}
		for _, row := range r.risers(down, m, i+2 < len(last)) {
			ways[row.Member] = Promoted
		}
	}
	for _, o := range offs {
		if o.Winner == o.Rises {
			ways[o.Rises], ways[o.Stays] = Promoted, Relegated
		}
	}
	return ways
}

// risers returns the first m of a table who are still there, nobody of whom goes down as well.
func (r Rule) risers(t Table, m int, goesDown bool) (list []Row) {
	if goesDown {
		t = t[:max(0, len(t)-m)]
	}
	for _, row := range t {
		if len(list) < m && !row.Left {
			list = append(list, row)
		}
	}
	return list
}

// PlayOffs returns the play-offs that follow from frozen tables: at each boundary the last above the line, in the
// lower division the first below the line; nobody who has left.
func (r Rule) PlayOffs(last []Table) (list []PlayOff) {
	ways := r.movements(last, nil)
	for i := range max(0, len(last)-1) {
		if !r.hasPlayOff(min(len(last[i]), len(last[i+1]))) {
			continue
		}
		o := PlayOff{Upper: i + 1}
		for _, row := range last[i] {
			if ways[row.Member] == Stayed && !row.Left {
				o.Stays = row.Member // the last of them
			}
		}
		for _, row := range slices.Backward(last[i+1]) {
			if ways[row.Member] == Stayed && !row.Left {
				o.Rises = row.Member // the first
			}
		}
		taken := slices.ContainsFunc(list, func(x PlayOff) bool { return x.Rises == o.Stays })
		if o.Stays != "" && o.Rises != "" && !taken {
			list = append(list, o)
		}
	}
	return list
}

// Decide names the winner of the play-off at the boundary below a division.
func Decide(list []PlayOff, upper int, winner Member) error {
	i := slices.IndexFunc(list, func(o PlayOff) bool { return o.Upper == upper })
	if i < 0 || winner != list[i].Stays && winner != list[i].Rises {
		return ErrNoSuchOff
	}
	list[i].Winner = winner
	return nil
}

// placing is a draft in the making.
type placing struct {
	Rule
	divisions [][]*Place
	warnings  []Warning
}

// PlaceSeason drafts who plays where. The tables of the last season bind those who played in it; whoever else
// enters is free. With no last season all are divided by rating.
//
// Rules in the order they are applied: m of each division go down and m rise; holes left by those who do not
// enter again are filled from below in the order of the table, and only where nobody is left to rise does
// somebody who went down stay; newcomers join the lowest division in which somebody is rated as high;
// divisions too large push down who is free, the weakest newcomer first; divisions too small take the freest from above or
// the best who stayed from below. Nobody who stayed goes down so, nobody rises or goes down twice, and what cannot be met is a warning.
func PlaceSeason(r Rule, last []Table, offs []PlayOff, enter []Entrant) (Draft, error) {
	if err := r.Validate(); err != nil {
		return Draft{}, err
	}
	entrants := map[Member]Entrant{}
	for _, e := range enter {
		if _, known := entrants[e.Member]; known || e.Member == "" {
			return Draft{}, ErrTwice
		}
		entrants[e.Member] = e
	}
	seen := map[Member]bool{}
	for _, row := range slices.Concat(last...) {
		if seen[row.Member] {
			return Draft{}, ErrTwice
		}
		seen[row.Member] = true
	}
	for _, o := range offs {
		if o.Winner == "" {
			return Draft{}, ErrPlayOff
		}
	}
	if len(enter) < LeastSize {
		return Draft{}, ErrNobody
	}
	p := &placing{Rule: r}
	p.keep(last, offs, entrants)
	p.fill(last)
	p.count(len(enter))
	p.admit(enter, entrants)
	p.rebalance()
	return p.draft(), nil
}

// keep puts those who played last season where their results lead them.
func (p *placing) keep(last []Table, offs []PlayOff, entrants map[Member]Entrant) {
	ways := p.movements(last, offs)
	p.divisions = make([][]*Place, len(last))
	for d, t := range last {
		for i, row := range t {
			e, enters := entrants[row.Member]
			if !enters {
				continue
			}
			delete(entrants, row.Member)
			to := d + map[Way]int{Promoted: -1, Relegated: 1}[ways[row.Member]]
			p.divisions[to] = append(p.divisions[to], &Place{Member: row.Member, From: d + 1, Rank: i + 1, Way: ways[row.Member], Rating: e.Rating})
		}
	}
}

// fill fills holes from below, from the top division on, and waives relegations only after that.
func (p *placing) fill(last []Table) {
	for d := range max(0, len(last)-1) {
		for len(p.divisions[d]) < len(last[d]) {
			if up := p.best(d+1, Stayed); up != nil {
				p.move(up, d+1, d, Promoted)
				continue
			}
			back := p.relegatedFrom(d)
			if back == nil {
				break
			}
			p.move(back, d+1, d, Stayed)
			p.warnings = append(p.warnings, Warning{Kind: Waived, Division: d + 1, Member: back.Member})
		}
	}
}

// best returns who stands best in the last table among those of a division (from 0) who play there in a way.
func (p *placing) best(d int, way Way) *Place {
	return first(p.divisions[d], func(x *Place) bool { return x.Way == way }, byRank)
}

func (p *placing) relegatedFrom(d int) *Place {
	return first(p.divisions[d+1], func(x *Place) bool { return x.Way == Relegated && x.From == d+1 }, byRank)
}

// move puts somebody into another division.
func (p *placing) move(x *Place, from, to int, way Way) {
	p.divisions[from] = slices.DeleteFunc(p.divisions[from], func(y *Place) bool { return x == y })
	p.divisions[to] = append(p.divisions[to], x)
	x.Way = way
}

// count makes as many divisions as so many players need.
func (p *placing) count(players int) {
	if len(p.divisions) == 0 {
		n := max(1, (2*players+p.Usual)/(2*p.Usual), (players+p.Most-1)/p.Most)
		p.divisions = make([][]*Place, max(1, min(n, players/p.Least)))
	}
	for len(p.divisions)*p.Most < players {
		p.divisions = append(p.divisions, nil)
	}
	for len(p.divisions) > 1 && len(p.divisions)*p.Least > players {
		end := len(p.divisions) - 1
		for _, x := range slices.Clone(p.divisions[end]) {
			way := Promoted
			if x.From == end {
				way = Stayed // there is no division left to go down to
			}
			p.move(x, end, end-1, way)
		}
		p.divisions = p.divisions[:end]
	}
}

// admit places those whom no table of the last season binds.
func (p *placing) admit(enter []Entrant, free map[Member]Entrant) {
	list := slices.DeleteFunc(slices.Clone(enter), func(e Entrant) bool { _, is := free[e.Member]; return !is })
	slices.SortFunc(list, func(a, b Entrant) int {
		return cmp.Or(cmp.Compare(b.Rating, a.Rating), cmp.Compare(a.Member, b.Member))
	})
	isFirst := !slices.ContainsFunc(p.divisions, func(d []*Place) bool { return len(d) > 0 })
	kept := slices.Clone(p.divisions)
	for i, e := range list {
		x := &Place{Member: e.Member, Way: Newcomer, Rating: e.Rating}
		var to int
		switch {
		case isFirst: // sizes differ by one at most
			to = i * len(p.divisions) / len(list)
		case e.Last > 0:
			x.Way, to = Returning, min(e.Last, len(p.divisions))-1
		default:
			to = fitting(kept, e.Rating)
		}
		p.divisions[to] = append(p.divisions[to], x)
	}
}

// fitting returns the lowest division that has somebody rated as high; without any the top one.
func fitting(kept [][]*Place, rating int) int {
	for d := range slices.Backward(kept) {
		if slices.ContainsFunc(kept[d], func(x *Place) bool { return x.Rating >= rating }) {
			return d
		}
	}
	return 0
}

// mostPasses bounds the rebalancing.
const mostPasses = 10

// rebalance brings sizes into their bounds where those who may move allow it.
func (p *placing) rebalance() {
	for range mostPasses {
		moved := false
		for d := range p.divisions {
			for len(p.divisions[d]) > p.Most && p.push(d) || len(p.divisions[d]) < p.Least && p.pull(d) {
				moved = true
			}
		}
		if !moved {
			break
		}
	}
	for d, list := range p.divisions {
		if w := p.sizeWarning(d+1, len(list)); w != nil {
			p.warnings = append(p.warnings, *w)
		}
	}
}

// sizeWarning says that a division of some size is outside of the bounds; nil: it is not.
func (r Rule) sizeWarning(division, size int) *Warning {
	switch {
	case size < r.Least:
		return &Warning{Kind: TooSmall, Division: division, Size: size}
	case size > r.Most:
		return &Warning{Kind: TooLarge, Division: division, Size: size}
	}
	return nil
}

// push moves the freest and weakest of a division down.
func (p *placing) push(d int) bool {
	x := p.freest(d)
	if x == nil || d+1 == len(p.divisions) {
		return false
	}
	p.move(x, d, d+1, x.Way)
	return true
}

// pull takes the freest and weakest from above or the best who stayed from below, where they can be spared.
func (p *placing) pull(d int) bool {
	if d > 0 && len(p.divisions[d-1]) > p.Least && p.push(d-1) {
		return true
	}
	if d+1 == len(p.divisions) || len(p.divisions[d+1]) <= p.Least {
		return false
	}
	x := p.best(d+1, Stayed)
	if x == nil {
		return false
	}
	p.move(x, d+1, d, Promoted)
	return true
}

func (p *placing) freest(d int) *Place {
	return first(p.divisions[d], func(x *Place) bool { return x.Way.IsFree() }, func(a, b *Place) int {
		return cmp.Or(cmp.Compare(order[b.Way], order[a.Way]), cmp.Compare(a.Rating, b.Rating), cmp.Compare(b.Member, a.Member))
	})
}

// first returns the first of those who qualify by an order; nil: nobody does.
func first(list []*Place, is func(*Place) bool, by func(a, b *Place) int) (best *Place) {
	for _, x := range list {
		if is(x) && (best == nil || by(x, best) < 0) {
			best = x
		}
	}
	return best
}

func byRank(a, b *Place) int {
	return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Member, b.Member))
}

// order is that of numbers in a division: who comes from above stands first, newcomers last.
var order = map[Way]int{Relegated: 0, Stayed: 1, Promoted: 2, Returning: 3, Newcomer: 4}

func (p *placing) draft() Draft {
	d := Draft{Divisions: make([][]Place, len(p.divisions)), Warnings: p.warnings}
	for i, list := range p.divisions {
		slices.SortFunc(list, func(a, b *Place) int {
			if a.Way.IsFree() && b.Way.IsFree() {
				return cmp.Or(cmp.Compare(b.Rating, a.Rating), cmp.Compare(a.Member, b.Member))
			}
			return cmp.Or(cmp.Compare(order[a.Way], order[b.Way]), byRank(a, b))
		})
		for _, x := range list {
			x.To = i + 1
			d.Divisions[i] = append(d.Divisions[i], *x)
		}
	}
	return d
}

// Shift is where somebody was put by hand, and by whom.
type Shift struct {
	Member Member    `json:"member"`
	To     int       `json:"to"`
	By     player.ID `json:"by"`
}

// Shift moves somebody of a draft to another division by hand, to the end of its order.
func (d Draft) Shift(who Member, to int) (Draft, error) {
	if to < 1 || to > len(d.Divisions) {
		return d, ErrNoDivision
	}
	c := Draft{Divisions: slices.Clone(d.Divisions), Warnings: d.Warnings}
	for i, list := range c.Divisions {
		k := slices.IndexFunc(list, func(x Place) bool { return x.Member == who })
		if k < 0 {
			continue
		}
		x := list[k]
		c.Divisions[i] = slices.Delete(slices.Clone(list), k, k+1)
		x.To = to
		if x.From > 0 {
			x.Way = map[int]Way{-1: Promoted, 0: Stayed, 1: Relegated}[cmp.Compare(to, x.From)]
		}
		c.Divisions[to-1] = append(slices.Clone(c.Divisions[to-1]), x)
		return c, nil
	}
	return d, ErrNotIn
}
