package page

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// RoundOf is the round the address names, from 1.
func RoundOf(c echo.Context, t *tournament.Tournament) (int, error) {
	n, err := strconv.Atoi(c.Param("round"))
	if err != nil || n < 1 || n > len(t.Rounds) {
		return 0, store.ErrNotFound
	}
	return n, nil
}

// SendFile answers with a file to be kept.
func SendFile(c echo.Context, name, kind string, body []byte) error {
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	return c.Blob(http.StatusOK, kind, body)
}
