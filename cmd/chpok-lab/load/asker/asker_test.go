package asker_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chpok.org/chpok/cmd/chpok-lab/load/asker"
)

func TestOneConnectionCarriesManyQuestions(t *testing.T) {
	t.Parallel()
	from := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from[r.RemoteAddr] = true
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Retry-After", "2")
		w.WriteHeader(http.StatusTeapot)
		// More than one buffer holds: net/http sends it in pieces.
		io.WriteString(w, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(body)+strings.Repeat("x", 5000))
	}))
	defer server.Close()
	var a asker.Asker
	ask := func() {
		t.Helper()
		got, err := a.Ask(t.Context(), asker.Request{Base: server.URL, Method: http.MethodPost, Path: "/path", Token: "secret", Body: []byte(`{"a":1}`)})
		if err != nil || got.Status != http.StatusTeapot || got.Header.Get("Retry-After") != "2" {
			t.Fatalf("%+v, %v", got, err)
		}
		if text, want := string(got.Body), `POST /path Bearer secret {"a":1}`+strings.Repeat("x", 5000); text != want {
			t.Errorf("%.100s", text)
		}
	}
	for range 3 {
		ask()
	}
	if len(from) != 1 {
		t.Errorf("%d connections", len(from))
	}
	server.CloseClientConnections() // as a node does that is replaced
	ask()
	if len(from) != 2 {
		t.Errorf("%d connections after one was closed", len(from))
	}
	server.Config.SetKeepAlivesEnabled(false)
	ask() // the idle one is closed; its place is told to close, too
	ask()
	if len(from) != 4 {
		t.Errorf("%d connections where none is kept", len(from))
	}
}
