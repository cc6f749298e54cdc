package page

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/templates"
)

// Size is the number of lines on a page of a long list.
const Size = 50

// Number returns the page of a list in the query, from 1.
func Number(c echo.Context) int {
	n, err := strconv.Atoi(c.QueryParam("page"))
	if err != nil || n < 1 || n > 1_000_000 {
		return 1
	}
	return n
}

// Paging returns the links to the pages of a list of total lines. They keep the rest of the query.
func Paging(c echo.Context, total int) templates.Paging { return PagingBy(c, total, Size) }

// PagingBy is Paging with size lines on a page.
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
