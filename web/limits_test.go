package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chpok.org/chpok/player"
)

// answer is what the site says to a request from an address.
func (s *site) answer(method, path, from, body string, headers ...string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	req.RemoteAddr = from
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.web.ServeHTTP(w, req)
	return w
}

// TestAHouseholdOfAddressesCountsAsOne: behind one line lie 2⁶⁴ IPv6 addresses.
func TestAHouseholdOfAddressesCountsAsOne(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	for i := range 11 {
		want := http.StatusGone
		if i == 10 {
			want = http.StatusTooManyRequests
		}
		if w := s.answer("POST", "/link", fmt.Sprintf("[2001:db8::%x]:1000", i+1), "key=guess"); w.Code != want {
			t.Errorf("guess %d: %d, want %d", i+1, w.Code, want)
		}
	}
	if w := s.answer("POST", "/link", "[2001:db8:0:1::1]:1000", "key=guess"); w.Code != http.StatusGone {
		t.Errorf("the neighbours: %d", w.Code)
	}
}

// TestWhoAsksTooOftenKeepsNobodyFromAPage: what they are refused is not what others are
// given, who make the page for them as well.
func TestWhoAsksTooOftenKeepsNobodyFromAPage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	get := func(path, from string) int { return s.answer("GET", path, from+":1000", "").Code }
	for i := range 300 {
		if code := get(fmt.Sprintf("/clubs?n=%d", i), "192.0.2.7"); code != http.StatusOK {
			t.Fatalf("page %d: %d", i+1, code)
		}
	}
	for i, c := range []struct {
		from string
		want int
	}{{"192.0.2.7", http.StatusTooManyRequests}, {"192.0.2.8", http.StatusOK}, {"192.0.2.7", http.StatusOK}} {
		if code := get("/clubs", c.from); code != c.want {
			t.Errorf("%d: %d to %s, want %d", i+1, code, c.from, c.want)
		}
	}
}

func TestGuessingATokenIsSlowedDown(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	refused := 0
	for range 1100 {
		switch w := s.answer("GET", "/api/v1/me", "192.0.2.7:1000", "", "Authorization", "Bearer chpok_guess"); w.Code {
		case http.StatusTooManyRequests:
			refused++
		case http.StatusUnauthorized:
		default:
			t.Fatalf("status %d", w.Code)
		}
	}
	if refused != 100 {
		t.Errorf("%d of 1100 refused, want 100", refused)
	}
	right := s.program(s.account("Olena", player.Plain))
	if w := s.answer("GET", "/api/v1/me", "192.0.2.7:1000", "", "Authorization", "Bearer "+string(right.token)); w.Code != http.StatusOK {
		t.Errorf("who has a token is held up by who guesses: %d", w.Code)
	}
}

func TestHeadIsGetWithoutABody(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	for path, want := range map[string]int{"/": 200, "/healthz": 200, "/api/v1/openapi.json": 200, "/nowhere": 404, "/sign-out": 405} {
		res, err := http.Head(s.http.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("HEAD %s: %d, want %d", path, res.StatusCode, want)
		}
	}
}
