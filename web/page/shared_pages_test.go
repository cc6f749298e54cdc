package page

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

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
