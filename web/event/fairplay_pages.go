package event

import (
	"errors"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

// TournamentCard renders the fair-play policy of a tournament, with what keeps the viewer from entering.
func (s Frame) TournamentCard(tx *store.Tx, p lang.Printer, v player.Viewer, t *tournament.Tournament) (templates.PolicyCard, error) {
	_, entered := t.EntryOf(v.ID)
	mayLack := !entered && t.Status == tournament.Registration
	card, err := s.CardFor(tx, p, v, t.Policy.OrOpen(), words.TournamentURL(t.ID), mayLack, t.OnlyArbiter()...)
	if err != nil {
		return card, err
	}
	watched := t.Policy.Watched().Hash() // of single matches that arbiters let a steward watch
	for _, b := range t.Rounds.Pending() {
		if b.Match == "" {
			continue
		}
		frozen, err := tx.MatchPolicy(b.Match)
		if errors.Is(err, store.ErrNotFound) {
			return card, nil
		}
		if err == nil && frozen.Policy.Hash() == watched {
			continue
		}
		if hash := frozen.Policy.Hash(); err == nil && hash != card.Hash {
			card.Running, card.RunningLevel = hash, form.LevelText(p, frozen.Policy.Level)
		}
		return card, err
	}
	return card, nil
}
