package page

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// IsFeed tells the stream of a page by its address. Streams compress themselves.
func IsFeed(c echo.Context) bool { return strings.HasSuffix(c.Path(), "/feed") }

// IsStream tells who asks for an event stream.
func IsStream(c echo.Context) bool {
	return strings.Contains(c.Request().Header.Get(echo.HeaderAccept), "text/event-stream")
}

func IsStatic(c echo.Context) bool { return strings.HasPrefix(c.Request().URL.Path, "/static/") }

const RequestIDKey = "request"

func RequestID(c echo.Context) string {
	id, _ := c.Get(RequestIDKey).(string)
	return id
}

// LoggedPath is the address of a request as the log may keep it: where a link is
// itself the key, the pattern of its address.
func LoggedPath(c echo.Context) string {
	if names := c.ParamNames(); slices.Contains(names, "secret") || slices.Contains(names, "token") {
		return c.Path()
	}
	return c.Request().URL.Path
}

// answer is what the log and the metrics say of a request.
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

// Answered tells the log and the metrics how a request was answered. A stream tells
// it of itself, when it ends.
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

var ErrPanic = errors.New("web: handler panicked")

const Year = 365 * 24 * time.Hour
