package page

import (
	"errors"
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

var ErrPanic = errors.New("web: handler panicked")

const Year = 365 * 24 * time.Hour
