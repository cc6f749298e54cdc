package dryrun

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/outlook"
	"chpok.org/chpok/tournament/roundrobin"
)

// Plan is what is simulated.
type Plan struct {
	Settings  tournament.Settings           `json:"settings"`
	Entries   []tournament.Entry            `json:"entries"`
	Forbidden []tournament.ForbiddenEntries `json:"forbidden,omitempty"`
	Extra     int                           `json:"extra,omitempty"` // players still expected, with ratings like the others'
	StartAt   time.Time                     `json:"startAt"`
	Durations outlook.Durations             `json:"durations"`
	Absence   float64                       `json:"absence"` // chance that a player misses a round
	Draws     float64                       `json:"draws"`   // share of draws between equals; fewer with a rating difference
}

// Default chances.
const (
	UsualAbsence = 0.02
	UsualDraws   = 0.12
)

// PlanOf returns the plan of a tournament as if nobody had played yet.
func PlanOf(t *tournament.Tournament, extra int, d outlook.Durations, now time.Time) Plan {
	p := Plan{Settings: t.Settings, Forbidden: t.Forbidden, Extra: extra, StartAt: now, Durations: d, Absence: UsualAbsence, Draws: UsualDraws}
	for _, e := range t.Entries {
		if e.Status == tournament.Active {
			p.Entries = append(p.Entries, e)
		}
	}
	if at, known := t.RoundAt(1); known && at.After(now) {
		p.StartAt = at
	}
	return p
}

// MostPlayers is the maximum number of players of a plan.
const MostPlayers = 300

// ErrPlan says that the plan cannot be simulated at all.
var ErrPlan = refusal.Conflict("dryrun.error.plan", "dryrun: the plan cannot be simulated")

// Sample is the outcome of one simulated tournament.
type Sample struct {
	End       time.Duration `json:"end"` // after Plan.StartAt
	Rounds    int           `json:"rounds"`
	Byes      int           `json:"byes"`                // for lack of an opponent
	Peak      int           `json:"peak"`                // most matches at the same time
	Separated bool          `json:"separated,omitempty"` // points alone order the first players
	Strongest bool          `json:"strongest,omitempty"` // the highest rated player won
	Stuck     bool          `json:"stuck,omitempty"`     // a round could not be paired
}

// director runs every simulation.
var director = player.Viewer{Player: player.Player{ID: "dry-run", Role: player.Operator}}

// Simulate plays the plan once. first is the number of players for Sample.Separated.
func (p Plan) Simulate(seed uint64, first int) (Sample, error) {
	if !p.Settings.Format.InRounds() {
		return p.simulateArena(seed, first)
	}
	t, err := p.tournament()
	if err != nil {
		return Sample{}, err
	}
	chance := rand.New(rand.NewPCG(seed, 0x63687070))
	drawing := tournament.Drawing{Seed: fmt.Sprint(seed), Pick: chance.IntN, Restricted: roundrobin.Draw}
	if err := t.Start(director, drawing, p.StartAt); err != nil {
		return Sample{}, fmt.Errorf("%w (%w)", err, ErrPlan) // the reason is more specific
	}
	system := format.System(&t.Table)
	s, now := Sample{}, p.StartAt
	for len(t.Rounds) < t.Settings.Rounds {
		if at, known := t.NextRoundAt(); known && at.After(now) {
			now = at
		}
		round, err := t.PairNext(system, func() match.ID { return "" }, now)
		if errors.Is(err, tournament.ErrNoPairing) {
			s.Stuck = true
			break
		}
		if err != nil {
			return Sample{}, err
		}
		end, playing := p.play(t, round, now, chance)
		if t.Format.HasBracket() {
			t.Conclude(end) // level contests add rounds
		}
		for _, b := range round.Byes {
			if b.Kind == tournament.PairingBye || t.Format.MeetsAll() {
				s.Byes++
			}
		}
		s.Rounds = len(t.Rounds)
		if t.Pace == tournament.Correspondence { // all rounds begin at once
			s.Peak, s.End = s.Peak+playing, max(s.End, end.Sub(p.StartAt))
			continue
		}
		s.Peak, now = max(s.Peak, playing), end
	}
	s.End = max(s.End, now.Sub(p.StartAt))
	table, err := format.Standings(t, -1)
	if err != nil {
		return Sample{}, err
	}
	s.Separated = separated(table.Lines, first)
	s.Strongest = len(table.Lines) > 0 && table.Lines[0].Number == strongest(t)
	return s, nil
}

// tournament returns the plan as a tournament ready to start, without what only concerns
// entries.
func (p Plan) tournament() (*tournament.Tournament, error) {
	settings := p.Settings
	settings.Firm, settings.Until, settings.Capacity = false, time.Time{}, 0
	switch {
	case settings.Pace == tournament.Manual:
		settings.Pace, settings.Break = tournament.Auto, 0
	case settings.Pace == tournament.Rolling: // as if everybody waited for the round: it ends no later
		settings.Pace = tournament.Auto
	case settings.Pace == tournament.Auto && settings.CheckIn.Scope == tournament.ForRound:
		settings.Break = max(settings.Break, settings.CheckIn.Opens)
	}
	settings.CheckIn = tournament.CheckIn{}
	t := &tournament.Tournament{ID: "dry-run", Organizer: director.ID, CreatedAt: p.StartAt}
	t.Settings, t.Status = settings, tournament.Registration
	t.Entries, t.Forbidden = slices.Clone(p.Entries), p.Forbidden
	ids := map[tournament.EntryID]tournament.EntryID{}
	for i := range t.Entries {
		e := &t.Entries[i]
		ids[e.ID] = tournament.EntryID(i + 1)
		e.ID, e.Number, e.From, e.Player = tournament.EntryID(i+1), 0, 1, ""
		e.CheckedIn, e.Missed, e.CheckedOut = nil, nil, 0
	}
	t.Forbidden = slices.Clone(p.Forbidden)
	for i, set := range t.Forbidden {
		t.Forbidden[i].Entries = nil
		for _, id := range set.Entries {
			if kept, ok := ids[id]; ok {
				t.Forbidden[i].Entries = append(t.Forbidden[i].Entries, kept)
			}
		}
	}
	known := len(t.Entries)
	most := MostPlayers
	if !p.Settings.Format.InRounds() {
		most = mostInArena
	}
	if known+p.Extra > most {
		return nil, fmt.Errorf("%w: %d players, at most %d", ErrPlan, known+p.Extra, most)
	}
	for i := range p.Extra {
		e := tournament.Entry{ID: tournament.EntryID(known + i + 1), Name: fmt.Sprintf("%d", known+i+1), Rating: 1500,
			Status: tournament.Active, From: 1, EnteredAt: p.StartAt}
		if known > 0 {
			e.Rating = t.Entries[i%known].Rating
		}
		t.Entries = append(t.Entries, e)
	}
	for i := range t.Entries {
		if e := &t.Entries[i]; t.IsBattle() && e.Camp == 0 {
			e.Camp = 1 + i%len(t.Battle.Teams)
		}
	}
	return t, nil
}

// play gives every board of a round a result and returns the last end and the number of
// matches played.
func (p Plan) play(t *tournament.Tournament, round tournament.Round, now time.Time, chance *rand.Rand) (end time.Time, playing int) {
	worst, usual := t.WorstRound(), float64(t.UsualRound())
	end = now
	pairings := t.Rounds[len(t.Rounds)-1].Pairings
	for i, b := range round.Pairings {
		if !b.Result.IsPending() {
			continue
		}
		first, _ := t.Entry(b.First)
		second, _ := t.Entry(b.Second)
		kind := p.result(first, second, chance)
		took := min(worst, time.Duration(p.Durations.Quantile(chance.Float64())*usual))
		if kind >= tournament.FirstByForfeit {
			took = t.Lateness
		} else {
			playing++
		}
		over := now.Add(took.Truncate(time.Second))
		pairings[i].Result = tournament.Result{Kind: kind, At: over}
		if over.After(end) {
			end = over
		}
	}
	return end, playing
}

// result is random by the ratings. Unrated players count as 1500.
func (p Plan) result(first, second tournament.Entry, chance *rand.Rand) tournament.ResultKind {
	absent := [2]bool{chance.Float64() < p.Absence, chance.Float64() < p.Absence}
	switch absent {
	case [2]bool{true, true}:
		return tournament.DoubleForfeit
	case [2]bool{true, false}:
		return tournament.SecondByForfeit
	case [2]bool{false, true}:
		return tournament.FirstByForfeit
	}
	expected := float64(rating.Expected(strength(first)-strength(second))) / 100
	draw := p.Draws * (1 - 2*max(expected-0.5, 0.5-expected))
	switch u := chance.Float64(); {
	case u < draw:
		return tournament.Drawn
	case u < draw+(1-draw)*expected:
		return tournament.FirstWins
	}
	return tournament.SecondWins
}

// HasStrongest reports whether one player has a higher rating than all others.
func (p Plan) HasStrongest() bool {
	t, err := p.tournament()
	if err != nil {
		return false
	}
	for i := range t.Entries {
		t.Entries[i].Number = i + 1
	}
	return strongest(t) > 0
}

func strength(e tournament.Entry) int {
	if e.Rating == 0 {
		return 1500
	}
	return e.Rating
}

// strongest returns the number of the highest rated player, or 0 if several are.
func strongest(t *tournament.Tournament) int {
	best, number := -1, 0
	for _, e := range t.Entries {
		switch s := strength(e); {
		case s > best:
			best, number = s, e.Number
		case s == best:
			number = 0
		}
	}
	return number
}

// separated reports whether points alone order the first players.
func separated(table []format.Standing, first int) bool {
	for i := range min(first, len(table)-1) {
		if table[i].Score == table[i+1].Score {
			return false
		}
	}
	return len(table) > 0
}
