package page

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// IsFeed reports whether the address is the stream of a page.
func IsFeed(c echo.Context) bool { return strings.HasSuffix(c.Path(), "/feed") }

// The types of streams: server-sent events, and lines of JSON.
const (
	eventStream = "text/event-stream"
	jsonLines   = "application/x-ndjson"
)

// IsStream reports whether the request accepts a stream, or its address has nothing else.
func IsStream(c echo.Context) bool {
	return strings.Contains(c.Request().Header.Get(echo.HeaderAccept), eventStream) || isLines(c)
}

// isLines reports whether a stream is sent as lines of JSON. The events of an account and a tournament are, unless asked for
// otherwise.
func isLines(c echo.Context) bool {
	accept := c.Request().Header.Get(echo.HeaderAccept)
	return strings.Contains(accept, jsonLines) || onlyStreams(c.Path()) && !strings.Contains(accept, eventStream)
}

// onlyStreams reports whether an address of the API answers with a stream alone.
func onlyStreams(path string) bool {
	return strings.HasSuffix(path, "/me/events") || strings.Contains(path, "/tournaments/") && strings.HasSuffix(path, "/events")
}

// IsStatic reports whether the address is that of a static file.
func IsStatic(c echo.Context) bool { return strings.HasPrefix(c.Request().URL.Path, "/static/") }

// RequestIDKey is the context key of RequestID.
const RequestIDKey = "request"

// RequestID returns the ID of a request in the log.
func RequestID(c echo.Context) string {
	id, _ := c.Get(RequestIDKey).(string)
	return id
}

// LoggedPath returns the path of a request for the log; only the route's pattern if the path contains a secret.
func LoggedPath(c echo.Context) string {
	if names := c.ParamNames(); slices.Contains(names, "secret") || slices.Contains(names, "token") {
		return c.Path()
	}
	return c.Request().URL.Path
}

// answer is what the log and the metrics record of a request.
type answer struct {
	request, method, route, path, player string
	level                                slog.Level
	isStream                             bool
}

func answerOf(c echo.Context) answer {
	a := answer{request: RequestID(c), method: c.Request().Method, route: c.Path(), path: LoggedPath(c),
		player: string(Viewer(c).Handle), isStream: IsStream(c) || IsFeed(c)}
	if IsStatic(c) {
		a.level = slog.LevelDebug
	}
	return a
}

// Answered records the answer to a request in the log and the metrics. A stream does so itself when it ends.
func (s *Site) Answered(c echo.Context, took time.Duration) {
	if !IsDetached(c) {
		answered(s, answerOf(c), c.Response().Status, took)
	}
}

func answered(s *Site, a answer, status int, took time.Duration) {
	if s.Observe != nil {
		s.Observe(a.route, a.method, status, a.isStream, took)
	}
	s.Log.LogAttrs(context.Background(), a.level, "request",
		slog.String("request", a.request), slog.String("method", a.method), slog.String("path", a.path),
		slog.Int("status", status), slog.Duration("took", took), slog.String("player", a.player))
}

// ErrPanic is the error of a handler that panicked.
var ErrPanic = errors.New("web: handler panicked")

const Year = 365 * 24 * time.Hour

// EntryOfPath is the entry that an address names.
func EntryOfPath(c echo.Context) (tournament.ID, tournament.EntryID, error) {
	n, err := strconv.Atoi(c.Param("entry"))
	if err != nil {
		return "", 0, store.ErrNotFound
	}
	return tournament.ID(c.Param("id")), tournament.EntryID(n), nil
}

// RoundOf returns the number of the round in the address.
func RoundOf(c echo.Context, t *tournament.Tournament) (int, error) {
	n, err := strconv.Atoi(c.Param("round"))
	if err != nil || n < 1 || n > len(t.Rounds) {
		return 0, store.ErrNotFound
	}
	return n, nil
}
