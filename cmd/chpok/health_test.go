package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/ops/site"
)

// TestAContainerAsksWhetherItsServerIsWell, under the address that it serves on, also when
// that is all of the machine's.
func TestAContainerAsksWhetherItsServerIsWell(t *testing.T) {
	t.Parallel()
	well := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" || !well {
			http.Error(w, "this node is about to stop", http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ok\n"))
	}))
	defer server.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	ask := func(addr string, want int, says string) {
		t.Helper()
		var out, errs bytes.Buffer
		if code := app.Run(t.Context(), []string{"health", "--addr", addr}, cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs}); code != want ||
			!strings.Contains(out.String()+errs.String(), says) {
			t.Errorf("%s: status %d, %s%s", addr, code, out.String(), errs.String())
		}
	}
	ask("127.0.0.1:"+port, 0, "ok")
	ask("0.0.0.0:"+port, 0, "ok")
	ask(":"+port, 0, "ok")
	ask("nowhere", 2, "CHPOK_ADDR")
	well = false
	ask("0.0.0.0:"+port, 1, "about to stop")
	server.Close()
	ask("0.0.0.0:"+port, 1, "refused")
}

// TestEveryContainerIsPinnedAndAskedForItsHealth: each image has its whole version, ours as
// well, and each service is asked whether it is well.
func TestEveryContainerIsPinnedAndAskedForItsHealth(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	ours, compose := read("Dockerfile"), read("docker-compose.yml")
	pinned := regexp.MustCompile(`^[a-z]+:\d+(\.\d+)+(-alpine)?$`)
	for _, base := range regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(ours, -1) {
		if base[1] != "scratch" && !pinned.MatchString(base[1]) {
			t.Errorf("Dockerfile: %s is not pinned", base[1])
		}
	}
	if !strings.Contains(ours, `CMD ["/chpok", "health"]`) {
		t.Error("Dockerfile: nobody asks for its health")
	}
	_, services, _ := strings.Cut(compose, "\nservices:\n")
	services, _, _ = strings.Cut(services, "\nconfigs:\n")
	names := regexp.MustCompile(`(?m)^  ([a-z0-9-]+):(.*)$`)
	at := names.FindAllStringSubmatchIndex(services, -1)
	if len(at) != 7 {
		t.Fatalf("%d services", len(at))
	}
	for i, m := range at {
		name, end := services[m[2]:m[3]], len(services)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		text := services[m[0]:end]
		if !strings.Contains(text, "*node") && !strings.Contains(text, "logging: *logging") {
			t.Errorf("%s: its log may fill the disk", name)
		}
		if strings.Contains(text, "*node") || strings.Contains(text, "build: .") {
			continue // of our own image
		}
		image := regexp.MustCompile(`image: (\S+)`).FindStringSubmatch(text)
		if image == nil || !pinned.MatchString(image[1]) || !strings.Contains(text, "healthcheck:") {
			t.Errorf("%s: %q, its health is asked for: %v", name, image, strings.Contains(text, "healthcheck:"))
		}
	}
	// The image's server listens on a socket alone while it makes the database.
	if !strings.Contains(services, `"pg_isready", "-h", "127.0.0.1"`) {
		t.Error("postgres is taken for ready before nodes can reach it")
	}
	known := make(map[string]bool)
	for _, f := range reflect.VisibleFields(reflect.TypeFor[site.Config]()) {
		known[f.Tag.Get("env")] = true
	}
	told := regexp.MustCompile(`(?m)(CHPOK_[A-Z_]+)(?:=|: )`).FindAllStringSubmatch(ours+compose, -1)
	if len(told) < 10 {
		t.Errorf("only %d settings", len(told))
	}
	for _, setting := range told {
		if !known[setting[1]] {
			t.Errorf("serve knows no %s", setting[1])
		}
	}
	for _, list := range []string{".gitignore", ".dockerignore"} {
		if !strings.Contains("\n"+strings.ReplaceAll(read(list), "/", ""), "\n.env\n") {
			t.Errorf("%s: the file with the passwords is not kept out", list)
		}
	}
}
