package web

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
)

// apiRoutes is the JSON API, version 1; openapi.json describes it to others and
// a test compares the two.
func (s *Server) apiRoutes() []route {
	routes := []route{
		{get, "/openapi.json", s.apiDescription, anyone},
	}
	routes = slices.Concat(routes, s.apiPlayerRoutes(), s.apiMatchRoutes(), s.apiAnalysisRoutes(), s.apiSeasonRoutes(),
		s.apiTournamentRoutes(), s.apiEntryRoutes(), s.apiDeskRoutes(), s.apiChallengeRoutes(), s.apiLadderRoutes(), s.apiClubRoutes(), s.apiRatingRoutes(), s.apiCallRoutes(), s.apiScheduleRoutes())
	for i := range routes {
		routes[i].path = "/api/v1" + routes[i].path
	}
	return routes
}

//go:embed openapi.json
var openAPI []byte

func (s *Server) apiDescription(c echo.Context) error {
	return c.JSONBlob(http.StatusOK, openAPI)
}

// apiError is a refusal with the code and words of the API; what a page shows
// in the viewer's language is told a program in English.
type apiError struct {
	status        int
	code, message string
}

func (e *apiError) Error() string { return e.code + ": " + e.message }

// send answers with it.
func (e *apiError) send(c echo.Context) error {
	type body struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	return c.JSON(e.status, map[string]body{"error": {e.code, e.message}})
}

func badInput(format string, args ...any) error {
	return &apiError{http.StatusBadRequest, "bad-request", fmt.Sprintf(format, args...)}
}

// apiErrorOf is how the API tells an error; nil for those that pages and API
// tell alike (errors.go).
func apiErrorOf(err error) *apiError {
	var own *apiError
	var refusal *match.Refusal
	var settings *tournament.SettingsError
	var proposal *challenge.SettingsError
	var envelope *bidding.EnvelopeError
	var conditions *tournament.ConditionsError
	var unmet *fairplay.UnmetError
	var byToken *fairplay.TokenError
	var unsigned *fairplay.SignatureError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &unmet):
		return &apiError{http.StatusForbidden, "assurance", unmet.Error()}
	case errors.As(err, &unsigned):
		return &apiError{http.StatusForbidden, "assurance", unsigned.Error()}
	case errors.As(err, &byToken):
		return &apiError{http.StatusForbidden, "assurance", byToken.Error()}
	case errors.Is(err, match.ErrStale):
		return &apiError{http.StatusConflict, match.Stale, "the match has moved on; read it again"}
	case errors.Is(err, live.ErrNotPlaying):
		return &apiError{http.StatusForbidden, "not-playing", "this account does not play in this match"}
	case errors.As(err, &conditions):
		return &apiError{http.StatusConflict, "conditions", strings.TrimPrefix(conditions.Error(), "tournament: ")}
	case errors.As(err, &settings):
		return &apiError{http.StatusUnprocessableEntity, "settings", settings.Error()}
	case errors.As(err, &proposal):
		return &apiError{http.StatusUnprocessableEntity, "settings", proposal.Error()}
	case errors.As(err, &envelope):
		return &apiError{http.StatusUnprocessableEntity, "envelope", envelope.Error()}
	case errors.As(err, &refusal):
		return &apiError{http.StatusUnprocessableEntity, refusal.Code, refusal.Text()}
	}
	return nil
}

// readJSON reads a body of one JSON value into v: unknown keys are named, and
// an empty body leaves v as it is where that is allowed.
func readJSON(c echo.Context, v any, mayBeEmpty bool) error {
	var raw json.RawMessage
	if err := decodeJSON(json.NewDecoder(c.Request().Body), &raw, mayBeEmpty); err != nil || raw == nil {
		return err
	}
	if string(raw) == "null" {
		return badInput("the body is null")
	}
	return parseJSON(raw, v)
}

// parseJSON is readJSON of a value that has been read already.
func parseJSON(raw json.RawMessage, v any) error {
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
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errSlow
	}
	var tooLarge *echo.HTTPError
	if errors.As(err, &tooLarge) {
		return tooLarge
	}
	var envelope *bidding.EnvelopeError
	if errors.As(err, &envelope) {
		return envelope
	}
	return bodyFault(err)
}

// bodyFault is the answer to a body that is not as it should be; nil for nil.
func bodyFault(err error) error {
	if err == nil {
		return nil
	}
	return badInput("the body cannot be read: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// letter is a seat as the API names it: A is the first-named player.
func letter(seat match.Seat) *string {
	if !seat.Valid() {
		return nil
	}
	l := match.FirstIsA.Of(seat)
	return &l
}
