package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/setting"
)

// Whatever package refuses something, its page and its program are told of it in one way.
func TestARefusalHasOneStatusTextAndCode(t *testing.T) {
	t.Parallel()
	english := lang.Printer{Lang: lang.English, Zone: time.UTC}
	narrow := bidding.DefaultEnvelope()
	narrow.Chips = 0
	var faults setting.Faults
	faults.Add("rounds", "range", "rounds is 1…9, not %d", 0)
	for _, test := range []struct {
		err     error
		onPage  int
		says    string
		status  int
		program string // code and a part of the message
	}{
		{fmt.Errorf("enter: %w", tournament.ErrFull), 409, "", 409, "full"},
		{match.ErrStale, 409, "The match has moved on.", 409, "stale: read it again"},
		{match.ErrOver, 422, "The match is over.", 422, "finished: the match is over"},
		{&match.Refusal{Code: match.BadSeal, Detail: "too much"}, 422, "Sealed bids are from 0 to the most that is offered.", 422,
			"bad-seal: too much"},
		{&match.Refusal{Code: bidding.OutOfEnvelope, Bound: "chips", Allowed: "1…9", Nearest: "9"}, 422, "Closest allowed: 9.", 422,
			"envelope: chips must be within 1…9: try 9"},
		{&match.Refusal{Code: "of-no-text", Detail: "odd"}, 422, "That wasn’t accepted.", 422, "of-no-text: odd"},
		{live.ErrNotPlaying, 403, "You don’t play in this match.", 403, "not-playing: does not play"},
		{narrow.Validate(), 422, "These settings aren’t possible.", 422, "envelope: the envelope is not possible"},
		{faults.Err(), 422, "These settings aren’t possible.", 422, "settings: rounds is 1…9, not 0"},
		{fairplay.PolicyFault("clock"), 422, "Not possible: clock.", 422, "policy: clock"},
		{&fairplay.UnmetError{Level: fairplay.Verified, Demands: []fairplay.Demand{fairplay.DemandPasskey}}, 422, "You don’t meet", 403,
			"assurance: level verified; missing: a passkey"},
		{fairplay.NotByToken(fairplay.Verified), 403, "not from a program", 403, "assurance: match page only"},
		{errors.Join(fairplay.Unsigned(fairplay.Verified), nil), 403, "played at level Verified", 403, "assurance: signs every move"},
		{&setting.Unmet{Failed: []setting.Verdict{{Kind: setting.Games, Have: 1, Want: 3}}}, 409, "You don’t meet", 409,
			"conditions: conditions of entry not met: "},
		{&ladder.Refusal{Reason: ladder.TooHigh}, 422, "stand too high", 422, "too-high: They stand too high"},
		{BadInput("after is a whole number"), 400, "", 400, "bad-request: after is a whole number"},
		{BadValue("reach", "no such reach"), 422, "", 422, "bad-value: no such reach"},
		{refusal.Case(ErrTooMany, "", "Wait", 30*time.Second), 429, "Try again in 30", 429, "too-many: Try again in 30"},
		{echo.ErrMethodNotAllowed, 405, "", 405, "method"},
		{echo.ErrStatusRequestEntityTooLarge, 413, "", 413, "too-large"},
		{echo.ErrUnsupportedMediaType, 415, "", 415, "bad-request"},
		{errors.Join(tournament.ErrFull, store.ErrDown), 503, "", 503, ""},
		{context.DeadlineExceeded, 503, "", 503, "busy"},
		{errors.New("disk on fire"), 500, "", 500, "internal"},
	} {
		w := httptest.NewRecorder()
		c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/", nil), w)
		status, err := sendProblem(c, test.err)
		code, part, _ := strings.Cut(test.program, ": ")
		if err != nil || status != test.status || w.Code != status || !strings.Contains(w.Body.String(), `"code":"`+code) ||
			!strings.Contains(w.Body.String(), part) {
			t.Errorf("%v: a program gets %d %s, want %d %s; %v", test.err, w.Code, w.Body, test.status, test.program, err)
		}
		if on, says := RefusalStatus(english, test.err); on != test.onPage || says == "" || !strings.Contains(says, test.says) {
			t.Errorf("%v: a page says %d %q, want %d %q", test.err, on, says, test.onPage, test.says)
		}
	}
	if status, text := RefusalStatus(english, nil); status != http.StatusOK || text != "" {
		t.Errorf("nothing was refused: %d %q", status, text)
	}
}

// Of several faults that were found together a field says its own, also of those that stand joined inside another.
func TestAFieldSaysItsOwnOfSeveralFaults(t *testing.T) {
	t.Parallel()
	a, b, c := tournament.ErrFull, fmt.Errorf("enter: %w", ErrWrongPassword), errors.New("of neither")
	for _, err := range []error{b, errors.Join(a, b), errors.Join(c, a, b), fmt.Errorf("both: %w", errors.Join(a, errors.Join(c, b))), errors.Join(errors.Join(a, b), c)} {
		if part := partOf(err, ErrWrongPassword); !errors.Is(part, ErrWrongPassword) || errors.Is(part, a) || errors.Is(part, c) {
			t.Errorf("of %q the field says %q", err, part)
		}
	}
}
