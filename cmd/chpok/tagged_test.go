package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tagged has a folder for each version with what it wrote: the bundle, the log and the report
// of a tournament, and the record of a match with what was signed about it. make tagged
// writes that of the next version, which is frozen once the version has its tag. The logs of
// matches by codec version are in engine/match/testdata.
const tagged = "testdata"

// TestWhatTaggedVersionsWroteIsRead: everything holds, and matches end as they did.
func TestWhatTaggedVersionsWroteIsRead(t *testing.T) {
	t.Parallel()
	versions, err := filepath.Glob(filepath.Join(tagged, "*", "bundle.zip"))
	if err != nil || len(versions) == 0 {
		t.Fatalf("%d versions: %v", len(versions), err)
	}
	for _, bundle := range versions {
		at := filepath.Dir(bundle)
		t.Run(filepath.Base(at), func(t *testing.T) {
			t.Parallel()
			for _, c := range []struct{ says, command, file string }{
				{"\nholds\n", "verify", "bundle.zip"},
				{"\nholds\n", "verify", "record.json"},
				{"\nholds\n", "verify", "record.txt"},
				{" 0 differences\n", "check", "log.jsonl"},
				{" 0 differ\n", "check", "report.trf"},
				{"", "standings", "report.trf"},
				{": holds\n", "draws", "record.json"},
			} {
				status, out, errs := runOn(t, "", c.command, filepath.Join(at, c.file))
				if status != 0 || !strings.Contains(out, c.says) || strings.Contains(out, "✗") {
					t.Errorf("%s %s: status %d, %s%s", c.command, c.file, status, tail(out, 600), errs)
				}
			}
			want, err := os.ReadFile(filepath.Join(at, "end.json"))
			if err != nil {
				t.Fatal(err)
			}
			if got := lastState(t, filepath.Join(at, "record.json")); got != string(want) {
				t.Errorf("the match ends with\n%s, and did with\n%s", got, want)
			}
		})
	}
}

// lastState is the last line of a replay.
func lastState(t *testing.T, file string) string {
	t.Helper()
	status, out, errs := runOn(t, "", "replay", file)
	if status != 0 || strings.Contains(out, `"ok":false`) {
		t.Fatalf("replay %s: status %d, %s", file, status, errs)
	}
	out = strings.TrimSuffix(out, "\n")
	return out[strings.LastIndexByte(out, '\n')+1:] + "\n"
}

// TestTheFilesOfTheNextVersionAreWritten, where CHPOK_TAGGED names the version: out of the
// demo, in one folder.
func TestTheFilesOfTheNextVersionAreWritten(t *testing.T) {
	version := os.Getenv("CHPOK_TAGGED")
	if version == "" {
		t.Skip("make tagged does it")
	}
	at := filepath.Join(tagged, version)
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	save := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, links := demoFile(t)
	server := newTwin(t, file)
	organizer := stranger(t, server.base)
	organizer.open(links["Olena"])
	id := finishedTournament(t, server.base)
	for _, name := range []string{"bundle.zip", "log.jsonl", "report.trf"} {
		save(name, organizer.raw("/tournaments/"+id+"/"+name))
	}
	var view tournamentView
	visitor := &client{t: t, base: server.base, name: "a visitor"}
	visitor.must(http.MethodGet, "/tournaments/"+id, nil, &view)
	played := *view.Rounds[0].Pairings[0].Match
	for _, name := range []string{"record.json", "record.txt"} {
		save(name, organizer.raw("/matches/"+played+"/"+name))
	}
	save("end.json", lastState(t, filepath.Join(at, "record.json")))
}
