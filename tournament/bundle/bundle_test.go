package bundle_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/bundle"
	"chpok.org/chpok/tournament/ledger"
)

var (
	start = time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC)
	key   = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
)

func example(t *testing.T) bundle.Bundle {
	t.Helper()
	host := player.Viewer{Player: player.Player{ID: "acc-host", Role: player.Organizer}}
	s := tournament.DefaultSettings(tournament.Swiss)
	s.Name = `"acc-ana" is only a name here` // not under a key of accounts
	tour, err := tournament.New("t", host.ID, s, start)
	if err != nil {
		t.Fatal(err)
	}
	first := ledger.Deed{Seq: 1, At: start, By: host.ID, Act: tournament.ActCreate, Changes: ledger.Diff(&tournament.Tournament{}, tour)}
	before := tour.Clone()
	if _, err := tour.Register(host, tournament.Candidate{Player: "acc-ana", Name: "ana"}, start); err != nil {
		t.Fatal(err)
	}
	second := ledger.Deed{Seq: 2, At: start, By: "acc-ana", Act: tournament.ActEnter, Changes: ledger.Diff(before, tour)}
	names := map[player.ID]player.ID{"acc-host": bundle.Foreign("host", "https://club.example"), "acc-ana": bundle.Foreign("ana", "https://club.example")}
	return bundle.Bundle{
		Site: "https://club.example", ExportedAt: start,
		People: map[player.ID]bundle.Person{"host@club.example": {Handle: "host"}, "ana@club.example": {Handle: "ana"}},
		Deeds:  ledger.Renamed([]ledger.Deed{first, second}, names),
		Inputs: map[int]string{1: "012 Friday\n"}, Records: map[bundle.Board][]byte{{Round: 1, Board: 2}: []byte(`{"chips":15}`)},
		Extra: map[string][]byte{"report.trf": []byte("012 Friday\n")},
	}
}

func written(t *testing.T, b bundle.Bundle, k ed25519.PrivateKey) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := bundle.Write(&out, b, k); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func read(raw []byte) (bundle.Bundle, error) {
	return bundle.Read(bytes.NewReader(raw), int64(len(raw)))
}

func TestABundleIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	want := example(t)
	raw := written(t, want, key)
	got, err := read(raw)
	if err != nil {
		t.Fatal(err)
	}
	want.SignedBy, want.Extra = fairplay.KeyText(key.Public().(ed25519.PublicKey)), nil // which is for people
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want (-), read (+):\n%s", diff)
	}
	tour, err := got.Tournament()
	if err != nil {
		t.Fatal(err)
	}
	if tour.Name != `"acc-ana" is only a name here` {
		t.Errorf("the name became %s", tour.Name)
	}
	if tour.Entries[0].Player != "ana@club.example" || tour.Organizer != "host@club.example" || got.Deeds[1].By != "ana@club.example" {
		t.Errorf("people keep their accounts: %+v", tour)
	}
	if !bytes.Equal(raw, written(t, example(t), key)) {
		t.Error("the same bundle is not the same file")
	}
}

func TestAChangedBundleIsRefused(t *testing.T) {
	t.Parallel()
	raw := written(t, example(t), key)
	change := func(name string, how func(string) string) []byte {
		z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			text := string(content)
			if f.Name == name {
				if text = how(text); text == string(content) {
					t.Fatalf("nothing to change in %s", name)
				}
			}
			g, err := w.Create(f.Name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(g, text); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	swap := func(from, to string) func(string) string {
		return func(s string) string { return strings.Replace(s, from, to, 1) }
	}
	for name, test := range map[string]struct {
		raw  []byte
		want error
	}{
		"a deed says something else":          {change("deeds.jsonl", swap(`"act":"enter"`, `"act":"start"`)), bundle.ErrDamaged},
		"a record is another":                 {change("rounds/1/board-2.json", swap("15", "14")), bundle.ErrDamaged},
		"the manifest is not what was signed": {change("bundle.json", swap("club.example", "other.example")), bundle.ErrSignature},
		"the signature is another":            {change("signature.json", swap(`"signature":"`, `"signature":"AAAA`)), bundle.ErrSignature},
		"another format":                      {change("bundle.json", swap("tournament/1", "tournament/2")), bundle.ErrFormat},
		"no archive":                          {[]byte("012 Friday"), bundle.ErrFormat},
	} {
		if _, err := read(test.raw); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	if b, err := read(written(t, example(t), nil)); err != nil || b.SignedBy != "" {
		t.Errorf("unsigned: signed by %q, %v", b.SignedBy, err)
	}
}

// A stage whose players come from an event that it does not name is no stage.
func TestForgedSeedsAreRefused(t *testing.T) {
	t.Parallel()
	b := example(t)
	tour, err := b.Tournament()
	if err != nil {
		t.Fatal(err)
	}
	forged := tour.Clone()
	forged.Origin = &tournament.Origin{Of: []tournament.Source{{ID: "a"}}, Each: 1, Seeds: []tournament.Qualifier{{Of: 1, Own: 1}}}
	b.Deeds = append(b.Deeds, ledger.Deed{Seq: 3, At: start, Act: tournament.ActStage, Changes: ledger.Diff(tour, forged)})
	if _, err := read(written(t, b, key)); !errors.Is(err, bundle.ErrDamaged) {
		t.Errorf("a forged origin: %v", err)
	}
}

// Whoever reads a tournament looks up entries by their numbers: a board of nobody's would
// break every page of it, and a number in the thousands of millions the table of an arena.
func TestABundleOfNobodysBoardsIsRefused(t *testing.T) {
	t.Parallel()
	for name, forge := range map[string]func(*tournament.Tournament){
		"an entry out of its place": func(x *tournament.Tournament) { x.Entries[0].ID = 1 << 40 },
		"a board of nobody's": func(x *tournament.Tournament) {
			x.Rounds = tournament.Rounds{{Number: 1, Engine: "x", Pairings: []tournament.Pairing{{Board: 1, First: 1, Second: 99}}}}
		},
		"a bye of nobody's": func(x *tournament.Tournament) {
			x.Rounds = tournament.Rounds{{Number: 1, Engine: "x", Byes: []tournament.Bye{{Entry: 99}}}}
		},
		"a draft for nobody": func(x *tournament.Tournament) {
			x.Draft = &tournament.RoundDraft{Boards: []tournament.DraftBoard{{First: 1, Second: 99}}}
		},
	} {
		b := example(t)
		tour, err := b.Tournament()
		if err != nil {
			t.Fatal(err)
		}
		forged := tour.Clone()
		forge(forged)
		b.Deeds = append(b.Deeds, ledger.Deed{Seq: 3, At: start, Act: tournament.ActPair, Changes: ledger.Diff(tour, forged)})
		if _, err := read(written(t, b, key)); !errors.Is(err, bundle.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestABombIsRefusedBeforeItIsUnpacked: 64 MiB of zeros shrink to 64 KB. It is not
// parallel: it looks at what the program takes from memory.
func TestABombIsRefusedBeforeItIsUnpacked(t *testing.T) {
	zeros := make([]byte, 1<<20)
	bomb := func(name string, manifest string, lie bool) []byte {
		var packed, out bytes.Buffer
		deflated, err := flate.NewWriter(&packed, flate.BestSpeed)
		if err != nil {
			t.Fatal(err)
		}
		for range 64 {
			if _, err := deflated.Write(zeros); err != nil {
				t.Fatal(err)
			}
		}
		if err := deflated.Close(); err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(&out)
		if manifest != "" {
			f, err := z.Create("bundle.json")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(f, manifest); err != nil {
				t.Fatal(err)
			}
		}
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, CompressedSize64: uint64(packed.Len()), UncompressedSize64: 64 << 20}
		if lie { // the directory says that it is small
			h.UncompressedSize64 = 1000
		}
		f, err := z.CreateRaw(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(packed.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	names := func(name string) string {
		return fmt.Sprintf(`{"format":%q,"files":{%q:"00"}}`, bundle.Format, name)
	}
	for what, raw := range map[string][]byte{
		"the manifest":                 bomb("bundle.json", "", false),
		"the log":                      bomb("deeds.jsonl", names("deeds.jsonl"), false),
		"a record":                     bomb("rounds/1/board-1.json", names("rounds/1/board-1.json"), false),
		"a file for people":            bomb("report.trf", names("report.trf"), false),
		"a file that nobody names":     bomb("more", names("deeds.jsonl"), false),
		"one that says it is small":    bomb("rounds/1/board-1.json", names("rounds/1/board-1.json"), true),
		"a manifest that says so, too": bomb("bundle.json", "", true),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := read(raw)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s was read", what)
		}
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 8 {
			t.Errorf("%s took %d MiB: %v", what, took, err)
		}
	}
}

// TestALogOfManySmallPartsIsRefused: a few bytes of text each, and fifty times that
// in memory.
func TestALogOfManySmallPartsIsRefused(t *testing.T) {
	t.Parallel()
	for what, log := range map[string]string{
		"of changes": `{"changes":[` + strings.Repeat("0,", 2<<20) + "0]}",
		"of deeds":   strings.Repeat("null\n", 1<<18+1),
	} {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		for name, content := range map[string]string{
			"bundle.json": fmt.Sprintf(`{"format":%q,"files":{"deeds.jsonl":"00"}}`, bundle.Format), "deeds.jsonl": log,
		} {
			f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(f, content); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := read(out.Bytes()); !errors.Is(err, bundle.ErrTooLarge) {
			t.Errorf("a log %s: %v", what, err)
		}
	}
}

func FuzzReadingABundleNeverPanics(f *testing.F) {
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, raw []byte) { _, _ = read(raw) })
}
