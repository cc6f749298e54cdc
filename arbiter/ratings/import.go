package ratings

import (
	"cmp"
	"context"
	"slices"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Import is what a list from elsewhere would change in a pool.
type Import struct {
	Pool  rating.Pool
	Lines []ImportLine // that give somebody a rating, in the order of the list
	Left  []LeftOut    // those that give nobody one because of a name that several have, and the first of the others
	All   int          // how many lines with ratings the list has
}

// ImportLine is a line of a list and whom it means.
type ImportLine struct {
	rating.Row
	Player player.Player // without an ID: an account to be made
	Before store.Rating
	Rated  bool // they have a rating in the pool
}

// LeftOut is a line of a list that gives nobody a rating.
type LeftOut struct {
	rating.Row
	Several bool // several lines, or several people here, have that name; otherwise nobody here has
}

// Called is how the list calls them.
func (l LeftOut) Called() string { return cmp.Or(l.Handle, l.Name, l.FIDE) }

// Why is "several" or "nobody".
func (l LeftOut) Why() string {
	if l.Several {
		return "several"
	}
	return "nobody"
}

// Out is how many lines give nobody a rating.
func (i Import) Out() int { return i.All - len(i.Lines) }

// mostLeft is how many lines that give nobody a rating are named.
const mostLeft = 100

// MayMakeAccounts reports whether an import into a pool may make accounts for unknown handles: operators may, for lists of the
// site.
func MayMakeAccounts(by player.Viewer, p rating.Pool) bool { return by.MayOperate() && p.Club == "" }

// PlanImport finds whom a list means: by handle, else by their number in FIDE's lists, else by a name that one player here and
// one line of the list have. create: unknown handles are accounts to be made. list shows the lines one by one, so it may be
// longer than memory. Errors: tournament.ErrNotAllowed and those of list.
func (a *Office) PlanImport(ctx context.Context, by player.Viewer, id rating.PoolID, create bool,
	list func(each func(rating.Row) error) error) (Import, error) {
	var out Import
	people := knownPeople{byFIDE: map[string]player.ID{}, byName: map[string][]player.ID{}, hasFIDE: map[player.ID]bool{}}
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if out.Pool, err = tx.RatingPool(id); err != nil {
			return err
		}
		if err := runsPool(tx, by, out.Pool); err != nil {
			return err
		}
		known, err := tx.PeopleOf(club.ID(out.Pool.Club))
		for _, x := range known {
			people.add(x)
		}
		return err
	})
	if err != nil {
		return out, err
	}
	take := importing{Import: &out, people: people}
	if err := list(take.line); err != nil {
		return out, err
	}
	create = create && MayMakeAccounts(by, out.Pool)
	return out, a.Store.Read(ctx, func(tx *store.Tx) error { return take.settle(tx, create) })
}

// knownPeople finds people by what lists call them.
type knownPeople struct {
	byFIDE  map[string]player.ID
	byName  map[string][]player.ID
	hasFIDE map[player.ID]bool
}

func (k knownPeople) add(x store.Person) {
	if x.FIDE != "" {
		k.byFIDE[x.FIDE], k.hasFIDE[x.Player] = x.Player, true
	}
	if key := fold.Key(x.Name); key != "" && !slices.Contains(k.byName[key], x.Player) {
		k.byName[key] = append(k.byName[key], x.Player)
	}
}

// find returns whom a line means. A player whose number is known is nobody else in a list with numbers.
func (k knownPeople) find(r rating.Row) (list []player.ID, byNumber bool) {
	if who, known := k.byFIDE[r.FIDE]; known {
		return []player.ID{who}, true
	}
	for _, who := range k.byName[fold.Key(r.Name)] {
		if r.FIDE == "" || !k.hasFIDE[who] {
			list = append(list, who)
		}
	}
	return list, false
}

// importing reads a list.
type importing struct {
	*Import
	people knownPeople
	found  []foundLine
}

// foundLine is a line that means somebody, or may: handles are looked up together.
type foundLine struct {
	row  rating.Row
	who  []player.ID
	sure bool // by handle or number
}

func (i *importing) line(r rating.Row) error {
	i.All++
	who, byNumber := i.people.find(r)
	if len(who) == 0 && r.Handle == "" {
		if len(i.Left) < mostLeft {
			i.Left = append(i.Left, LeftOut{Row: r})
		}
		return nil
	}
	i.found = append(i.found, foundLine{r, who, byNumber})
	return nil
}

// settle decides whom the lines mean, and what they change.
func (i *importing) settle(tx *store.Tx, create bool) error {
	var handles []player.Handle
	for _, f := range i.found {
		if f.row.Handle != "" {
			handles = append(handles, player.Handle(f.row.Handle))
		}
	}
	named, err := tx.PlayersByHandle(handles...)
	if err != nil {
		return err
	}
	byHandle := map[string]player.ID{}
	for _, x := range named {
		byHandle[x.Handle.Key()] = x.ID
	}
	lines := map[player.ID]int{} // that mean them; those that do so surely come first
	for n, f := range i.found {
		if who, known := byHandle[player.Handle(f.row.Handle).Key()]; known {
			i.found[n].who, i.found[n].sure = []player.ID{who}, true
		}
	}
	slices.SortStableFunc(i.found, func(a, b foundLine) int {
		switch {
		case a.sure == b.sure:
			return 0
		case a.sure:
			return -1
		}
		return 1
	})
	for _, f := range i.found {
		for _, who := range f.who {
			lines[who]++
		}
	}
	taken := map[player.ID]bool{}
	var ids []player.ID
	var left []LeftOut
	for _, f := range i.found {
		line := ImportLine{Row: f.row}
		_, bad := player.ParseNewHandle(f.row.Handle)
		switch {
		case len(f.who) == 1 && !taken[f.who[0]] && (f.sure || lines[f.who[0]] == 1):
			line.Player.ID = f.who[0]
			ids, taken[f.who[0]] = append(ids, f.who[0]), true
		case len(f.who) == 0 && bad == nil && create:
			line.Player.Handle = player.Handle(f.row.Handle)
		default:
			left = append(left, LeftOut{f.row, len(f.who) > 0})
			continue
		}
		i.Lines = append(i.Lines, line)
	}
	slices.SortStableFunc(i.Lines, func(a, b ImportLine) int { return a.Line - b.Line })
	slices.SortStableFunc(left, func(a, b LeftOut) int { return a.Line - b.Line })
	i.Left = slices.Concat(left, i.Left)
	i.Left = i.Left[:min(len(i.Left), mostLeft)]
	return i.fill(tx, ids)
}

func (i *importing) fill(tx *store.Tx, ids []player.ID) error {
	who, err := tx.Players(ids...)
	if err != nil {
		return err
	}
	before, err := tx.PoolRatings(i.Pool.ID, ids...)
	if err != nil {
		return err
	}
	for n, l := range i.Lines {
		if l.Player.ID != "" {
			i.Lines[n].Player = who[l.Player.ID]
			i.Lines[n].Before, i.Lines[n].Rated = before[l.Player.ID], before[l.Player.ID].Rating > 0
		}
	}
	return nil
}

// Import carries out a plan: it makes the missing accounts and gives the ratings.
func (a *Office) Import(ctx context.Context, by player.Viewer, plan Import) error {
	var starts []rating.Start
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		starts = nil
		for _, l := range plan.Lines {
			if l.Player.ID == "" {
				if !MayMakeAccounts(by, plan.Pool) {
					return tournament.ErrNotAllowed
				}
				l.Player = player.Player{ID: player.ID(store.NewID()), Handle: l.Player.Handle, Role: player.Plain, Created: a.Now()}
				if err := tx.AddPlayer(l.Player, ""); err != nil {
					return err
				}
			}
			starts = append(starts, rating.Start{Player: string(l.Player.ID), Rating: l.Rating, Games: l.Games, Deviation: l.Deviation})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return a.Give(ctx, by, plan.Pool.ID, starts)
}
