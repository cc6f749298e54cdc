package page

import (
	"errors"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

// AcceptedText returns a line that says when the viewer accepted the fair-play text; empty if they have not.
func (s *Site) AcceptedText(c echo.Context, p lang.Printer) (text string, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		accepted, err := tx.TextAccepted(Viewer(c).ID)
		if at, has := accepted[Viewer(c).ID]; has {
			text = p.T("fairplay.accept.done", "Version", words.Itoa(fairplay.TextVersion), "Date", p.Day(at))
		}
		return err
	})
	return text, err
}

// SignalPeople holds the matches and players that signals concern.
type SignalPeople struct {
	heads map[match.ID]store.Head
	who   map[player.ID]player.Player
}

// ReadSignalPeople reads the matches and players of signals.
func ReadSignalPeople(tx *store.Tx, list []review.Signal) (w SignalPeople, err error) {
	var ids []match.ID
	for _, s := range list {
		ids = append(ids, s.Match)
	}
	if w.heads, err = tx.Matches(ids); err != nil {
		return w, err
	}
	var players []player.ID
	for _, h := range w.heads {
		players = append(players, h.Players[:]...)
	}
	w.who, err = tx.Players(players...)
	return w, err
}

// Lines returns signals as lines of a list.
func (w SignalPeople) Lines(p lang.Printer, list []review.Signal) []templates.SignalLine {
	out := make([]templates.SignalLine, len(list))
	for i, s := range list {
		h := w.heads[s.Match]
		out[i] = templates.SignalLine{
			When: p.When(s.At), Stamp: p.Stamp(s.At), Player: words.PlayerName(p, w.who[s.Player]), PlayerURL: words.PlayerURL(w.who[s.Player].Handle),
			Text: p.T("fairplay.signal." + string(s.Kind)), Means: p.T("fairplay.signal-means." + string(s.Kind)),
			Match: words.PlayerName(p, w.who[h.Players[0]]) + " – " + words.PlayerName(p, w.who[h.Players[1]]), MatchURL: words.MatchURL(s.Match),
		}
		if s.Move > 0 {
			out[i].Text += " " + p.T("fairplay.at-move", "Move", p.Int(s.Move))
		}
	}
	return out
}

// CardFor returns the card of a policy, with what the viewer lacks if mayLack. Vouchers in except do not count.
func (s *Site) CardFor(tx *store.Tx, p lang.Printer, v player.Viewer, policy fairplay.Policy, back string, mayLack bool,
	except ...player.ID) (templates.PolicyCard, error) {
	card := form.PolicyCard(p, policy)
	if !v.IsSignedIn() || !mayLack {
		return card, nil
	}
	standing, err := assurance.StandingOf(tx, v.Player, s.Now())
	if err != nil {
		return card, err
	}
	var unmet *fairplay.UnmetError
	if errors.As(policy.Admit(policy.Counted(standing, except...), true), &unmet) {
		form.Lacking(p, &card, unmet, back)
	}
	return card, nil
}

// MostElsewhere limits the list of signals outside of tournaments.
const MostElsewhere = 200
