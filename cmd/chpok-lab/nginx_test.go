package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chpok.org/chpok/cmd/chpok-lab/load"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/store/storetest"
)

// TestAPublicPageBesideNginx measures, when CHPOK_MEASURE is set, how many visitors a second
// are given the page of a round of 200 players, and how many nginx gives the very same
// compressed bytes: eight connections, in turns, on the same machine.
func TestAPublicPageBesideNginx(t *testing.T) {
	if os.Getenv("CHPOK_MEASURE") == "" {
		t.Skip("make pages does it")
	}
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		storetest.Missing(t, "nginx")
	}
	round, err := load.Begin(t.Context(), load.Command{
		Database: "sqlite:" + filepath.Join(t.TempDir(), "chpok.db"), Server: program(t), Boards: 100,
	}, cli.IO{Out: os.Stderr, Err: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer round.Stop()
	path := "/tournaments/" + round.Event()
	ours := strings.TrimPrefix(round.Base(), "http://")
	theirs := startNginx(t, nginx, path, compressed(t, "http://"+ours+path))
	var rates [2][]float64
	for range 9 {
		for i, at := range []string{ours, theirs} {
			rates[i] = append(rates[i], askFor(t, at, path, 2*time.Second))
		}
	}
	for i := range rates {
		slices.Sort(rates[i])
	}
	t.Logf("answers/s, each of nine turns: ours %.0f, nginx %.0f", rates[0], rates[1])
	ratio := rates[0][len(rates[0])/2] / rates[1][len(rates[1])/2]
	if t.Logf("%.2f of nginx", ratio); ratio < 0.3 {
		t.Errorf("less than 0.3 of nginx")
	}
}

// compressed is the body of a page as it comes.
func compressed(t *testing.T, url string) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("%s, %v, %v", answer.Status, answer.Header, err)
	}
	return body
}

// startNginx has it serve these bytes at a path; it says under which address.
func startNginx(t *testing.T, program, path string, page []byte) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at, dir := listener.Addr().String(), t.TempDir()
	listener.Close()
	plain, err := gzip.NewReader(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	user := ""
	if os.Getuid() == 0 {
		user = "user root;"
	}
	config := fmt.Sprintf(`daemon off; %s worker_processes auto; pid %s/pid; error_log stderr error;
events { worker_connections 1024; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 10000000; gzip_static on; gzip_vary on; default_type text/html;
	client_body_temp_path %s; proxy_temp_path %s; fastcgi_temp_path %s; uwsgi_temp_path %s; scgi_temp_path %s;
	open_file_cache max=10; server { listen %s; root %s; } }`, user, dir, dir, dir, dir, dir, dir, at, dir)
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string][]byte{path: text, path + ".gz": page, "/nginx.conf": []byte(config)} {
		if err := os.WriteFile(filepath.Join(dir, name), body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := exec.Command(program, "-c", filepath.Join(dir, "nginx.conf"), "-p", dir)
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Signal(os.Interrupt); _ = server.Wait() })
	for give := time.Now().Add(time.Minute); ; <-time.After(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", at); err == nil {
			conn.Close()
			break
		}
		if time.Now().After(give) {
			t.Fatal("nginx does not come up")
		}
	}
	if got := compressed(t, "http://"+at+path); !bytes.Equal(got, page) {
		t.Fatalf("nginx serves %d bytes, not the %d of the page", len(got), len(page))
	}
	return at
}

// askFor asks on eight connections, each again as soon as it is answered, and says how many
// answers came a second.
func askFor(t *testing.T, at, path string, lasts time.Duration) float64 {
	t.Helper()
	request := []byte("GET " + path + " HTTP/1.1\r\nHost: " + at + "\r\nAccept-Encoding: gzip\r\n\r\n")
	var answers atomic.Int64
	var all sync.WaitGroup
	begun := time.Now()
	for range 8 {
		all.Go(func() {
			conn, err := net.Dial("tcp", at)
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			for lines := bufio.NewReaderSize(conn, 64<<10); time.Since(begun) < lasts; answers.Add(1) {
				if _, err := conn.Write(request); err != nil {
					t.Error(err)
					return
				}
				if err := skipAnswer(lines); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return float64(answers.Load()) / time.Since(begun).Seconds()
}

// skipAnswer reads one and looks at no more of it than must be.
func skipAnswer(lines *bufio.Reader) error {
	length := 0
	for first := true; ; first = false {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return err
		}
		if text := strings.TrimSpace(string(line)); text == "" {
			break
		} else if first && !strings.Contains(text, " 200 ") {
			return fmt.Errorf("answered %q", text)
		} else if name, value, _ := strings.Cut(text, ": "); strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(value); err != nil {
				return err
			}
		}
	}
	_, err := lines.Discard(length)
	return err
}
