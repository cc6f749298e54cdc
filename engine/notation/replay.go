package notation

import (
	"encoding/json"
	"errors"
	"io"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
)

// Replay writes one JSON line for the start of a record and one for each action (Rules 11). With
// legal it lists the legal actions. It fails only if the record has no game or w fails.
func Replay(w io.Writer, r Record, legal bool) error {
	g, err := r.NewGame()
	if err != nil {
		return err
	}
	out := stateWriter{letters: r.First, legal: legal}
	if err := out.line(w, -1, g, nil); err != nil {
		return err
	}
	for n, raw := range r.Actions {
		next, refusal := Do(g, raw, r.First)
		if refusal == nil {
			g = next
		}
		if err := out.line(w, n, g, refusal); err != nil {
			return err
		}
	}
	return nil
}

// Do returns the game after one action of a record, or the same game and a *match.Refusal.
func Do(g match.Game, raw json.RawMessage, l match.Letters) (match.Game, error) {
	act, err := match.ParseAct(raw, l)
	if err == nil {
		return g.Do(act)
	}
	// As with readable acts, the state of the game refuses first.
	if g.Phase() == match.PhaseOver {
		return g, match.ErrOver
	}
	if due, ok := g.PendingDraw(); ok && !errors.Is(err, &match.Refusal{Code: bidding.BadDraw}) {
		return g, &match.Refusal{Code: bidding.DrawPending, Detail: "the draw of " + due.String() + " comes first"}
	}
	return g, err
}

// line writes the state after an action, or its refusal.
func (w *stateWriter) line(to io.Writer, n int, g match.Game, refusal error) error {
	w.b = w.b[:0]
	w.text(`{"n":`)
	w.int(n)
	if refusal != nil {
		w.text(`,"ok":false,"error":"`)
		w.text(codeOf(refusal))
		w.text("\"}\n")
	} else {
		w.text(`,"ok":true,"state":`)
		w.state(g)
		w.text("}\n")
	}
	_, err := to.Write(w.b)
	return err
}

// codeOf returns the code of a refusal.
func codeOf(err error) string {
	if r, ok := errors.AsType[*match.Refusal](err); ok {
		return r.Code
	}
	panic(err) // a game refuses only with *match.Refusal
}
