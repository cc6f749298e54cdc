package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/web/form"
)

// sendRefusal answers a program: with the code and the English detail of a refusal, and what more there is to say.
func sendRefusal(c echo.Context, err error) (status int, sendErr error) {
	type body struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Details any    `json:"details,omitempty"`
	}
	refused, status := Of(err)
	english := lang.Printer{Lang: lang.English, Zone: time.UTC}
	b := body{Code: "internal"}
	if refused != nil {
		b.Code, b.Message = refused.Word(), refused.Detail
		if refused.Kind == refusal.KindUnfit {
			status = http.StatusForbidden
		}
	}
	var overtaken *kernel.Overtaken
	if errors.As(err, &overtaken) {
		english.Zone = overtaken.First.At.Location()
		b.Details = overtakenFor(english, overtaken)
	}
	if b.Message == "" {
		b.Message = TextOf(english, err)
	}
	return status, c.JSON(status, map[string]body{"error": b})
}

// BadInput returns the refusal of a body that cannot be read.
func BadInput(format string, args ...any) error {
	return refusal.Told(ErrBadRequest, "", fmt.Sprintf(format, args...))
}

// errValue refuses a value of a program's that means nothing.
var errValue = refusal.Invalid("error.bad-request", "web: a value means nothing")

// BadValue returns the refusal of a value of a body that can be read, but means nothing.
func BadValue(field, text string) error { return refusal.Told(errValue, field, text) }

// ReadJSON reads a body of one JSON value into v. Unknown keys are errors. An empty body, if allowed, leaves v as it is.
func ReadJSON(c echo.Context, v any, mayBeEmpty bool) error {
	var raw json.RawMessage
	if err := decodeJSON(json.NewDecoder(c.Request().Body), &raw, mayBeEmpty); err != nil || raw == nil {
		return err
	}
	if string(raw) == "null" {
		return BadInput("the body is null")
	}
	return ParseJSON(raw, v)
}

// ParseJSON is ReadJSON for a value that has been read.
func ParseJSON(raw json.RawMessage, v any) error {
	return decodeJSON(json.NewDecoder(bytes.NewReader(raw)), v, false)
}

func decodeJSON(dec *json.Decoder, v any, mayBeEmpty bool) error {
	dec.DisallowUnknownFields()
	err := dec.Decode(v)
	if errors.Is(err, io.EOF) && mayBeEmpty {
		return nil
	}
	if err == nil {
		if _, more := dec.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the JSON value")
		}
	}
	var envelope *bidding.EnvelopeError
	if errors.As(err, &envelope) {
		return envelope
	}
	return BodyFault(err)
}

// BodyFault returns the refusal of a body that could not be decoded; nil for nil.
func BodyFault(err error) error {
	if err == nil {
		return nil
	}
	return BadInput("the body cannot be read: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// Letter returns a seat as the API names it: A is the first-named player; nil for no seat.
func Letter(seat match.Seat) *string {
	if !seat.Valid() {
		return nil
	}
	l := match.FirstIsA.Of(seat)
	return &l
}

// NoContent answers 204, unless there is an error.
func NoContent(c echo.Context, err error) error {
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// Optional returns a pointer to v; nil for the zero value.
func Optional[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// RecordOf returns the record of a match as the viewer may see it.
func (s *Site) RecordOf(c echo.Context, id match.ID) (notation.Record, error) {
	view, err := s.Look(c, id)
	if err != nil {
		return notation.Record{}, err
	}
	return s.Arbiter.Assurance.Record(c.Request().Context(), view.State, view.Head, s.Address(c, ""))
}

// ReadSettings reads a body into settings; those that it does not name stay.
func ReadSettings[S any](c echo.Context, t form.Table[S], s *S, mayBeEmpty bool) error {
	var raw json.RawMessage
	if err := ReadJSON(c, &raw, mayBeEmpty); err != nil || raw == nil {
		return err
	}
	return SettingsFault(t.Parse(raw, s))
}

// SettingsFault returns the refusal of settings that could not be decoded; nil for nil.
func SettingsFault(err error) error {
	if envelope, ok := errors.AsType[*bidding.EnvelopeError](err); ok {
		return envelope
	}
	if errors.Is(err, setting.ErrSettings) {
		return err
	}
	return BodyFault(err)
}

type (
	// APIRound is a round as the API shows it.
	APIRound struct {
		Round    int          `json:"round"`
		Pairings []apiPairing `json:"pairings"`
		Byes     []string     `json:"byes"`
	}
	apiRuled struct {
		By     *string   `json:"by"`
		At     time.Time `json:"at"`
		Why    *string   `json:"why"`
		Party  bool      `json:"party"`
		Before *string   `json:"before"`
		Rated  *string   `json:"rated"`
	}
	apiPairing struct {
		Board     int       `json:"board"`
		First     string    `json:"first"`
		Second    string    `json:"second"`
		Bots      [2]bool   `json:"bots"`
		Match     *match.ID `json:"match"`
		Result    *string   `json:"result"`
		Forfeit   bool      `json:"forfeit"`
		Ruled     *apiRuled `json:"ruled,omitempty"` // set if an arbiter decided the result
		Assurance *APIWorth `json:"assurance"`
	}
	// APIWorth is the assurance that a match demands and, once it is over, has achieved.
	APIWorth struct {
		Demanded fairplay.Assurance  `json:"demanded"`
		Achieved *fairplay.Assurance `json:"achieved"`
	}
)

// SeenTournament returns the tournament of the address, and lets the page show its zone; store.ErrNotFound if the viewer may not see it.
func (s *Site) SeenTournament(c echo.Context) (*tournament.Tournament, error) {
	t, err := s.Arbiter.Tournament(c.Request().Context(), tournament.ID(c.Param("id")))
	if err != nil {
		return nil, err
	}
	if !t.MaySee(Viewer(c)) {
		return nil, store.ErrNotFound
	}
	s.InZone(c, t.Zone)
	c.Set(shownKey, t.Version)
	return t, nil
}

// APIWorthOf returns the assurance of a match; nil if it demands none.
func APIWorthOf(h store.Head) *APIWorth {
	if h.Level == 0 {
		return nil
	}
	return &APIWorth{h.Level, Optional(h.Achieved)}
}

// APIRoundOf returns a round with its pairings and byes.
func APIRoundOf(t *tournament.Tournament, r tournament.Round, heads map[match.ID]store.Head, names map[player.ID]string) APIRound {
	entry := func(id tournament.EntryID) tournament.Entry {
		e, _ := t.Entry(id) // a pairing's entries are in the tournament
		return e
	}
	out := APIRound{Round: r.Number, Pairings: []apiPairing{}, Byes: []string{}}
	for _, p := range r.Pairings {
		first, second := entry(p.First), entry(p.Second)
		row := apiPairing{
			Board: p.Board, First: first.Name, Second: second.Name, Bots: [2]bool{first.Bot, second.Bot}, Result: apiResultOf(p.Result.Kind),
			Assurance: APIWorthOf(heads[p.Match]),
		}
		if t.IsRuled(p) {
			row.Ruled = &apiRuled{
				By: Optional(names[p.Result.By]), At: p.Result.At, Why: Optional(p.Result.Why), Party: t.IsOwn(p),
				Before: apiResultOf(max(p.Result.Stood, p.Result.Was)), Rated: apiResultOf(p.Result.Rated),
			}
		}
		row.Forfeit = !p.Result.IsPending() && !p.Result.IsPlayed()
		if p.Match != "" {
			row.Match = &p.Match
		}
		out.Pairings = append(out.Pairings, row)
	}
	for _, b := range r.Byes {
		out.Byes = append(out.Byes, entry(b.Entry).Name)
	}
	return out
}

// apiResultOf returns a result as the API writes it, a forfeit as the score it counts for; nil if pending.
func apiResultOf(k tournament.ResultKind) *string {
	text := k.String()
	switch k {
	case tournament.Pending:
		return nil
	case tournament.FirstByForfeit:
		text = tournament.FirstWins.String()
	case tournament.SecondByForfeit:
		text = tournament.SecondWins.String()
	case tournament.DoubleForfeit:
		text = "0-0"
	}
	return &text
}
