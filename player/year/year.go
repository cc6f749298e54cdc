// Package year sums up what a player did in a year: matches, opponents, bids and what is worth looking back on.
//
// Nothing of it can be gained by repetition: a feat counts once against each opponent, an evening once.
package year

import (
	"cmp"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
)

type (
	// Match is a match that the player played to its end.
	Match struct {
		ID          match.ID
		At          time.Time // its end
		Opponent    player.ID
		Bot         bool // the opponent
		Result      rating.Result
		Own, Theirs int // Chpok points
	}

	// Feat is one in a rated match against a person with an account.
	Feat struct {
		Feat     match.Feat
		Match    match.ID
		At       time.Time
		Opponent player.ID
	}

	// Evening is an event of a club that the player played from its beginning to its end.
	Evening struct {
		ID     string // of the tournament
		Name   string
		Series string // empty: of none
		At     time.Time
	}

	// Facts are what a year is summed up from, each list in order of time.
	Facts struct {
		Matches  []Match
		Feats    []Feat
		Evenings []Evening
	}
)

// Kind is what an achievement is for: a match.Feat, or one of these.
type Kind string

const (
	Evenings Kind = "evening"
	Season   Kind = "season" // as many evenings of one series as make a season
)

// SeasonEvenings are the evenings of one series that make a season.
const SeasonEvenings = 8

// steps are the counts at which an achievement is worth more.
var steps = [...]int{1, 5, 25, 100}

// Achievement is what a player did, and how often: against how many opponents, at how many evenings, in how many series.
type Achievement struct {
	Kind  Kind
	Count int
	Step  int // 1…4, by Count
	Next  int // the Count of the next step; 0 at the last
	// Of the first time: a match, or the event that completed it.
	At    time.Time
	Match match.ID
	Event Evening
}

// Rival is a score against one opponent.
type Rival struct {
	Opponent            player.ID
	Wins, Draws, Losses int
}

// Year is the sum. Matches against bots are in BotMatches alone.
type Year struct {
	Wins, Draws, Losses int
	BotMatches          int
	Opponents           int
	Rivals              []Rival // those met most often
	Run                 int     // of wins
	Best                Match   // the one to look back on
	Evenings            int
	Achievements        []Achievement // each kind once, in the order of their first times
}

// Matches returns how many were played against people.
func (y Year) Matches() int { return y.Wins + y.Draws + y.Losses }

// rivals limits Year.Rivals.
const rivals = 5

// Of sums up facts.
func Of(f Facts) Year {
	var y Year
	var results []rating.Result
	scores := map[player.ID]*Rival{}
	for _, m := range f.Matches {
		if y.Best.ID == "" || better(m, y.Best) > 0 {
			y.Best = m
		}
		if m.Bot {
			y.BotMatches++
			continue
		}
		results = append(results, m.Result)
		r := scores[m.Opponent]
		if r == nil {
			r = &Rival{Opponent: m.Opponent}
			scores[m.Opponent] = r
		}
		switch m.Result {
		case rating.Win:
			y.Wins, r.Wins = y.Wins+1, r.Wins+1
		case rating.Draw:
			y.Draws, r.Draws = y.Draws+1, r.Draws+1
		case rating.Loss:
			y.Losses, r.Losses = y.Losses+1, r.Losses+1
		}
	}
	y.Run, y.Opponents, y.Evenings = rating.StreaksOf(results).Wins, len(scores), len(f.Evenings)
	for _, r := range scores {
		y.Rivals = append(y.Rivals, *r)
	}
	slices.SortFunc(y.Rivals, func(a, b Rival) int {
		return cmp.Or((b.Wins+b.Draws+b.Losses)-(a.Wins+a.Draws+a.Losses), b.Wins-a.Wins, cmp.Compare(a.Opponent, b.Opponent))
	})
	y.Rivals = y.Rivals[:min(len(y.Rivals), rivals)]
	y.Achievements = achievements(f)
	return y
}

// better compares matches to look back on: before those against bots come those against people, before the rest come wins, and of
// equal ones comes the one with more points ahead.
func better(a, b Match) int {
	if a.Bot != b.Bot {
		if b.Bot {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(a.Result, b.Result), cmp.Compare(a.Own-a.Theirs, b.Own-b.Theirs))
}

func achievements(f Facts) []Achievement {
	var list []Achievement
	add := func(kind Kind, first Achievement) {
		i := slices.IndexFunc(list, func(a Achievement) bool { return a.Kind == kind })
		if i < 0 {
			first.Kind = kind
			list, i = append(list, first), len(list)
		}
		list[i].Count++
	}
	type once struct {
		feat     match.Feat
		opponent player.ID
	}
	met := map[once]bool{}
	for _, x := range f.Feats {
		if key := (once{x.Feat, x.Opponent}); !met[key] {
			met[key] = true
			add(Kind(x.Feat), Achievement{At: x.At, Match: x.Match})
		}
	}
	series := map[string]int{}
	for _, e := range f.Evenings {
		add(Evenings, Achievement{At: e.At, Event: e})
		if series[e.Series]++; e.Series != "" && series[e.Series] == SeasonEvenings {
			add(Season, Achievement{At: e.At, Event: e})
		}
	}
	for i, a := range list {
		for _, least := range steps {
			if a.Count < least {
				list[i].Next = least
				break
			}
			list[i].Step++
		}
	}
	slices.SortStableFunc(list, func(a, b Achievement) int { return a.At.Compare(b.At) })
	return list
}
