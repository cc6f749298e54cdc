package page

import (
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// Filter returns the filter of a list from its query: words to search for, and a view, "all" or one of shows.
func Filter(c echo.Context, p lang.Printer, label string, shows ...string) templates.Filter {
	f := templates.Filter{Action: c.Request().URL.Path, Search: words.Shorten(c.QueryParam("q"), 60), Label: label}
	if show := c.QueryParam("show"); slices.Contains(shows, show) {
		f.Show = show
	}
	for _, show := range append([]string{"all"}, shows...) {
		q, current := url.Values{}, show == f.Show || show == "all" && f.Show == ""
		if show != "all" {
			q.Set("show", show)
		}
		if f.Search != "" {
			q.Set("q", f.Search)
		}
		at := f.Action
		if len(q) > 0 {
			at += "?" + q.Encode()
		}
		f.Views = append(f.Views, templates.TabLink{Text: p.T("list.show." + show), URL: at, Current: current})
	}
	if f.Search != "" {
		at := f.Action
		if f.Show != "" {
			at += "?" + url.Values{"show": {f.Show}}.Encode()
		}
		f.On = []templates.TabLink{{Text: p.T("list.searched", "Words", f.Search), URL: at}}
	}
	return f
}
