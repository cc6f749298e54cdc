package page

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// EntryOfPath is the entry that an address names.
func EntryOfPath(c echo.Context) (tournament.ID, tournament.EntryID, error) {
	n, err := strconv.Atoi(c.Param("entry"))
	if err != nil {
		return "", 0, store.ErrNotFound
	}
	return tournament.ID(c.Param("id")), tournament.EntryID(n), nil
}
