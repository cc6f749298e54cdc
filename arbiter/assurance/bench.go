package assurance

import (
	"slices"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
)

// OnLadder returns the place of a match that a ladder opens.
func OnLadder(id ladder.ID, now time.Time) fairplay.Place {
	return fairplay.LadderPlace(string(id), review.SeasonAt(now).String())
}

// InChallenges returns the place of a rated challenge that begins.
func InChallenges(now time.Time) fairplay.Place {
	return fairplay.ChallengePlace(review.SeasonAt(now).String())
}

// Bench is who reviews play in a place: a tournament's arbiters; on a ladder those who direct it or judge for its club; among
// challenges operators.
type Bench struct {
	Place      fairplay.Place
	Tournament *tournament.Tournament // nil elsewhere
	Ladder     *ladder.Ladder         // nil elsewhere
	Season     review.Season          // outside of tournaments
	judges     []player.ID
}

// BenchOf reads it; store.ErrNotFound for what is no place.
func BenchOf(tx *store.Tx, p fairplay.Place) (b Bench, err error) {
	kind, id, season, _ := p.Parts()
	b.Place = p
	if kind == fairplay.InTournament {
		b.Tournament, err = tx.Tournament(tournament.ID(id))
		return b, err
	}
	isSeason := false
	if b.Season, isSeason = review.ParseSeason(season); !isSeason {
		return b, store.ErrNotFound
	}
	if kind == fairplay.OnLadder {
		if b.Ladder, err = tx.Ladder(ladder.ID(id)); err == nil {
			b.judges, err = ladderJudges(tx, b.Ladder, club.ActJudge)
		}
		return b, err
	}
	b.judges, err = tx.Operators()
	return b, err
}

// Name is what the tournament or ladder is called; empty among challenges.
func (b Bench) Name() string {
	switch {
	case b.Tournament != nil:
		return b.Tournament.Name
	case b.Ladder != nil:
		return b.Ladder.Settings.Name
	}
	return ""
}

// Judges are those who review here, without one of them.
func (b Bench) Judges(without player.ID) []player.ID {
	if b.Tournament != nil {
		return b.Tournament.Judges(without, tournament.ActReview)
	}
	return slices.DeleteFunc(slices.Clone(b.judges), func(id player.ID) bool { return id == without })
}

// Sits reports whether a viewer reviews play here.
func (b Bench) Sits(by player.Viewer) bool {
	if b.Tournament != nil {
		return b.Tournament.May(by, tournament.ActReview)
	}
	return by.MayOperate() || slices.ContainsFunc(b.judges, by.Is)
}

// May reports whether a viewer may review a player's play here: nobody their own.
func (b Bench) May(by player.Viewer, of player.ID) bool { return b.Sits(by) && !by.Is(of) }

// Case is the case of a decision about a player: they and all opponents are its parties.
func (b Bench) Case(of player.ID, played []store.Head) fairplay.Case {
	if b.Tournament != nil {
		e, _ := b.Tournament.EntryOf(of)
		return b.Tournament.CaseAbout(tournament.ActReview, e.ID)
	}
	parties := []player.ID{of}
	for _, h := range played {
		parties = append(parties, h.Players[:]...)
	}
	return fairplay.Case{Parties: parties, Judges: b.Judges("")}
}
