package page

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

// A page that is made anew takes the place of its earlier version also in the count of bytes. One that was replaced
// while it was made, or that its maker alone may see, counts for nothing.
func TestOnlyPagesThatAreKeptCount(t *testing.T) {
	t.Parallel()
	var p sharedPages
	give := func(key string, page *sharedPage, size int) {
		p.give(key, page, http.Header{}, make([]byte, size), nil)
	}
	fresh := func(key string) *sharedPage {
		page := &sharedPage{made: make(chan struct{})}
		p.put(key, page)
		return page
	}
	give("rules", fresh("rules"), 100)
	for range 3 {
		give("home", fresh("home"), mostSharedBytes/2)
	}
	slow, last := fresh("home"), fresh("home")
	give("home", slow, 5000)
	give("home", last, 20)
	own := fresh("faq")
	own.isOwn = true
	give("faq", own, 5000)
	if len(p.pages) != 2 || p.pages["home"] != last || p.bytes != 120 {
		t.Errorf("%d pages are kept, in %d bytes", len(p.pages), p.bytes)
	}
}

// TestLongAddressesAreKeptForNobody: the pages that are kept for others are bounded
// by number and by what they hold, so none may have an address of a megabyte.
func TestLongAddressesAreKeptForNobody(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"/rules":                                true,
		"/rules?x=" + strings.Repeat("x", 1000): false,
	} {
		c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, address, nil), httptest.NewRecorder())
		c.SetPath("/rules")
		if got := (&Site{}).IsShareable(c); got != want {
			t.Errorf("an address of %d: %t", len(address), got)
		}
	}
}
