package page

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/templates"
)

// Size is how many lines a long list shows at once.
const Size = 50

// Number is the page a list is asked for, from 1.
func Number(c echo.Context) int {
	n, err := strconv.Atoi(c.QueryParam("page"))
	if err != nil || n < 1 || n > 1_000_000 {
		return 1
	}
	return n
}

// Paging leads through a list of so many lines; every address keeps the rest of
// the query.
func Paging(c echo.Context, total int) templates.Paging { return PagingBy(c, total, Size) }

// PagingBy is paging with another number of lines on a page.
func PagingBy(c echo.Context, total, size int) templates.Paging {
	page, pages := Number(c), (total+size-1)/size
	at := func(n int) string {
		q := c.Request().URL.Query()
		q.Set("page", strconv.Itoa(n))
		return c.Request().URL.Path + "?" + q.Encode()
	}
	out := templates.Paging{Page: page, Pages: pages}
	if page > 1 {
		out.Previous = at(min(page-1, max(pages, 1)))
	}
	if page < pages {
		out.Next = at(page + 1)
	}
	return out
}
