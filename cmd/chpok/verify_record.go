package main

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/tournament/bundle"
	"chpok.org/chpok/tournament/ledger"
)

// verifyCmd checks what a site has signed about a finished match.
type verifyCmd struct {
	Key  string `placeholder:"KEY" help:"The site's key, as /fair-play/key shows it. Without it the key inside the file is used and shown."`
	File string `arg:"" optional:"" help:"A match's record as JSON or as text, or the bundle of a tournament (ZIP); without it standard input is read."`
}

// Run prints the statement and whether it holds. Status 1: it does not; 2: no record, no
// key, or nothing signed in it.
func (c verifyCmd) Run(std cli.IO) error {
	var key ed25519.PublicKey
	var err error
	if c.Key != "" {
		if key, err = fairplay.ParseKey(c.Key); err != nil {
			return cli.Fail(2, "%w", err)
		}
	}
	raw, err := readInput(c.File, std.In)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	if bytes.HasPrefix(raw, []byte("PK")) {
		return verifyBundle(std, raw, key)
	}
	text, err := asText(c.File, raw)
	if err != nil {
		return err
	}
	if raw, err = signedRecord(text); err != nil {
		return cli.Fail(2, "%w", err)
	}
	s, err := fairplay.CheckRecord(raw, key)
	switch {
	case errors.Is(err, fairplay.ErrNoStatement):
		return cli.Fail(2, "%w", err)
	case err != nil:
		return cli.Fail(1, "DOES NOT HOLD: %w", err)
	}
	st := s.Statement
	fmt.Fprintf(std.Out, "match %s: %s – %s\n", st.Match, st.Players[0], st.Players[1])
	fmt.Fprintf(std.Out, "demanded: %s (policy %s)\nachieved: %s\n", st.Demanded, st.Policy, st.Achieved.Level)
	for _, r := range st.Achieved.Reasons {
		fmt.Fprintf(std.Out, "  %s: %s%s\n", st.Players[r.Seat.Index()], r.Key, reasonTail(r))
	}
	if st.Event != "" || st.Site != "" {
		fmt.Fprintf(std.Out, "played: %s, round %d, board %d, on %s\n", st.Event, st.Round, st.Board, cmp.Or(st.Site, "a site without a name"))
	}
	for _, before := range s.Superseded {
		fmt.Fprintf(std.Out, "superseded: achieved %s, signed %s\n", before.Statement.Achieved.Level, before.Statement.At.Format(signedAt))
	}
	fmt.Fprintf(std.Out, "signed %s with %s\nholds\n", st.At.Format(signedAt), s.Key)
	if key == nil {
		fmt.Fprintln(std.Out, "the key was not compared: give --key with the site's key")
	}
	return nil
}

const signedAt = "2006-01-02 15:04:05 MST"

// errReviewData is for the file with a player's own review.
var errReviewData = errors.New("this is what is recorded for a review, which nobody signs; the records of its matches are signed")

// signedRecord returns the JSON of a match's record, given as JSON or as text.
func signedRecord(raw []byte) ([]byte, error) {
	if !isJSON(raw) {
		record, err := notation.ParseText(raw)
		if err != nil {
			return nil, err
		}
		return json.Marshal(record)
	}
	var named struct{ Format string }
	if json.Unmarshal(raw, &named) == nil && strings.HasPrefix(named.Format, "chpok-review/") {
		return nil, errReviewData
	}
	_, err := notation.ParseRecord(raw) // it refuses duplicate keys
	return raw, err
}

// verifyBundle checks a whole tournament: every file in it, its log, and its signature.
func verifyBundle(std cli.IO, raw []byte, key ed25519.PublicKey) error {
	b, err := bundle.Read(bytes.NewReader(raw), int64(len(raw)))
	switch {
	case errors.Is(err, bundle.ErrFormat):
		return cli.Fail(2, "%w", err)
	case err != nil:
		return cli.Fail(1, "DOES NOT HOLD: %w", err)
	case b.SignedBy == "":
		return cli.Fail(1, "DOES NOT HOLD: nobody has signed it")
	case key != nil && b.SignedBy != fairplay.KeyText(key):
		return cli.Fail(1, "DOES NOT HOLD: %w", fairplay.ErrKey)
	}
	t, err := b.Tournament()
	if err == nil {
		err = ledger.CheckPasses(b.Deeds)
	}
	var drawn []tables.DrawCheck
	if err == nil {
		drawn, err = tables.CheckDraws(b.Deeds)
	}
	if err != nil {
		return cli.Fail(1, "DOES NOT HOLD: %w", err)
	}
	for _, d := range drawn {
		if !d.IsRight() {
			return cli.Fail(1, "DOES NOT HOLD: %s", drawText(d))
		}
	}
	bad := verifyBoards(std, b)
	fmt.Fprintf(std.Out, "tournament %s, %s: %d entries, %d rounds, %d lines of the log, %d records\n", t.Name,
		t.Status, len(t.Entries), len(t.Rounds), len(b.Deeds), len(b.Records))
	fmt.Fprintf(std.Out, "of %s, signed %s with %s\n", b.Site, b.ExportedAt.UTC().Format(signedAt), b.SignedBy)
	if bad > 0 {
		return cli.Fail(1, "DOES NOT HOLD: %d of %d records", bad, len(b.Records))
	}
	fmt.Fprintln(std.Out, "holds")
	if key == nil {
		fmt.Fprintln(std.Out, "the key was not compared: give --key with the site's key")
	}
	return nil
}

// verifyBoards prints for each record of a bundle, also of other sites with their own
// keys, whether it holds, and returns how many do not.
func verifyBoards(std cli.IO, b bundle.Bundle) (bad int) {
	for _, at := range b.Boards() {
		verdict := ""
		switch s, err := fairplay.CheckRecord(b.Records[at], nil); {
		case errors.Is(err, fairplay.ErrNoStatement):
			verdict = "nothing signed"
		case err != nil:
			bad++
			verdict = "DOES NOT HOLD: " + err.Error()
		default:
			verdict = "achieved " + s.Statement.Achieved.Level.String() + ", holds"
			if n := len(s.Superseded); n > 0 {
				verdict += fmt.Sprintf(", superseding %d", n)
			}
		}
		fmt.Fprintf(std.Out, "round %d, board %d: %s\n", at.Round, at.Board, verdict)
	}
	return bad
}

func reasonTail(r fairplay.Reason) (text string) {
	if r.Demand != "" {
		text = " (" + string(r.Demand) + ")"
	}
	if r.Move > 0 {
		text += fmt.Sprintf(" at move %d", r.Move)
	}
	return text
}
