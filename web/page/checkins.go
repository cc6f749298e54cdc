package page

import (
	"encoding/base64"
	"errors"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/arbiter/seats"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

// DoorTrouble returns the text of a refusal to enter a match; empty for other errors.
func (s *Site) DoorTrouble(c echo.Context, err error) string {
	p := s.Printer(c)
	var unmet *fairplay.UnmetError
	if errors.As(err, &unmet) {
		text := p.T("passkey.error.unmet")
		for _, line := range form.UnmetLines(p, unmet) {
			text += " " + line.Text + ". " + line.Remedy
		}
		return text
	}
	if errors.Is(err, persons.ErrNoPasskey) {
		return p.T("passkey.error.none-here")
	}
	if text := s.PasskeyTrouble(c, err); text != "" {
		return text
	}
	return s.FormError(c, err, seats.ErrCode, seats.ErrNoCheckIn, seats.ErrOneDevice, seats.ErrMidCheckOver, seats.ErrTakenOver,
		fairplay.ErrPageKey, match.ErrOver)
}

// CheckInNote returns what a match page tells a player about their check-in; nil if they need none or the match is
// over.
func (s *Site) CheckInNote(tx *store.Tx, p lang.Printer, view live.View, you match.Seat) (*templates.CheckInNote, error) {
	head := view.Head
	if !you.Valid() || head.Level <= fairplay.Open || head.Status == match.Over {
		return nil, nil
	}
	with, known, err := assurance.Of(tx, head)
	if err != nil || !known || with.Policy.Moves != fairplay.Signed || with.Waives(you, fairplay.DemandCheckIn) {
		return nil, err
	}
	pages, err := tx.Pages(head.ID)
	if err != nil {
		return nil, err
	}
	n := &templates.CheckInNote{URL: words.CheckInURL(head.ID), Lost: p.T("passkey.lost")}
	page, ok := fairplay.PageOf(pages, you)
	switch {
	case !ok:
		n.Needed = p.T("passkey.needed")
	case view.State.Status() == match.Waiting && !view.State.IsReady(you) && !with.Policy.Fresh(page.At, s.Now()):
		n.Needed = p.T("passkey.error.old")
	default:
		n.Page = base64.RawURLEncoding.EncodeToString(page.Key)
		n.Chain, err = fairplay.Chain(view.State.History())
	}
	return n, err
}
