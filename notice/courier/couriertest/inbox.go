// Package couriertest is a mail server for tests. It speaks as much SMTP as a client
// needs to hand over a letter, keeps every letter, and can be told to reject them.
package couriertest

import (
	"bufio"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
)

// Letter is a letter that arrived.
type Letter struct {
	To, From, Subject string
	Text, HTML        string
	Header            mail.Header
}

// Inbox is a running server.
type Inbox struct {
	URL string // for courier.ParseServer

	mu      sync.Mutex
	letters []Letter
	reply   string // after the end of a letter
	hangUp  bool   // instead of a reply
}

// Start runs a server until the test ends.
func Start(t testing.TB) *Inbox {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	in := &Inbox{URL: fmt.Sprintf("smtp://%s?tls=none", listener.Addr()), reply: "250 taken"}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() { defer conn.Close(); in.serve(conn) })
		}
	})
	t.Cleanup(func() { listener.Close(); open.Wait() })
	return in
}

// Reply sets the server's reply to the end of every letter; with "" it hangs up instead.
func (in *Inbox) Reply(line string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.reply, in.hangUp = line, line == ""
}

// Letters returns the letters accepted since the last call.
func (in *Inbox) Letters() []Letter {
	in.mu.Lock()
	defer in.mu.Unlock()
	out := in.letters
	in.letters = nil
	return out
}

func (in *Inbox) serve(conn net.Conn) {
	r := bufio.NewReader(conn)
	say := func(line string) { fmt.Fprintf(conn, "%s\r\n", line) }
	say("220 test")
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		switch word := strings.ToUpper(strings.TrimSpace(line)); {
		case strings.HasPrefix(word, "EHLO"), strings.HasPrefix(word, "HELO"):
			say("250 test")
		case word == "DATA":
			say("354 go on")
			body := readBody(r)
			in.mu.Lock()
			reply, hangUp := in.reply, in.hangUp
			if hangUp || strings.HasPrefix(reply, "250") {
				in.letters = append(in.letters, parse(body))
			}
			in.mu.Unlock()
			if hangUp {
				return
			}
			say(reply)
		case word == "QUIT":
			say("221 bye")
			return
		default:
			say("250 yes")
		}
	}
}

func readBody(r *bufio.Reader) string {
	var b strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil || line == ".\r\n" {
			return b.String()
		}
		b.WriteString(strings.TrimPrefix(line, "."))
	}
}

// parse reads a letter; parts that it cannot read stay empty.
func parse(body string) Letter {
	m, err := mail.ReadMessage(strings.NewReader(body))
	if err != nil {
		return Letter{Text: "unreadable: " + err.Error()}
	}
	l := Letter{To: m.Header.Get("To"), From: m.Header.Get("From"), Header: m.Header}
	l.Subject, _ = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		return l
	}
	for parts := multipart.NewReader(m.Body, params["boundary"]); ; {
		part, err := parts.NextRawPart()
		if err != nil {
			return l
		}
		text, _ := io.ReadAll(quotedprintable.NewReader(part))
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			l.HTML = string(text)
		} else {
			l.Text = strings.ReplaceAll(string(text), "\r\n", "\n")
		}
	}
}
