package main

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live/livetest"
	"chpok.org/chpok/store/storetest"
)

// The schema after this one: a migration that expands it, and one that contracts it.
var after = map[string]string{
	"9001_expand.sql": `-- +goose Up
ALTER TABLE matches ADD COLUMN of_the_next_version TEXT NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN greeting TEXT NOT NULL DEFAULT '';
CREATE TABLE greetings (
    player_id TEXT NOT NULL PRIMARY KEY REFERENCES players (id),
    greeting  TEXT NOT NULL
);
UPDATE players SET greeting = handle || '!';
INSERT INTO greetings (player_id, greeting) SELECT id, greeting FROM players;
`,
	"9002_contract.sql": `-- +goose Up
CREATE INDEX greetings_by_greeting ON greetings (greeting);
ALTER TABLE players DROP COLUMN greeting;
`,
}

// TestDatabasesOfTheTaggedVersionAreUpgraded, when CHPOK_UPGRADES names a tag or a commit:
// its program fills databases by the demo and by a season, and this one, with two migrations
// more, upgrades them. What the tagged program answered of finished tournaments this one
// answers too, byte for byte, and it does where kill -9 has broken the upgrade off before.
func TestDatabasesOfTheTaggedVersionAreUpgraded(t *testing.T) {
	tag := os.Getenv("CHPOK_UPGRADES")
	if tag == "" {
		t.Skip("make upgrades does it")
	}
	dir := t.TempDir()
	old, next := taggedPrograms(t, dir, tag), laterProgram(t, dir, "next", after, nil)
	sites := map[string]string{"the demo, SQLite": "sqlite:" + filepath.Join(dir, "demo.db"),
		"a season, SQLite": "sqlite:" + filepath.Join(dir, "season.db"), "a season, PostgreSQL": storetest.PostgresDSN(t)}
	fillByDemo(t, old, dir, filepath.Join(dir, "demo.db"))
	for _, name := range []string{"a season, SQLite", "a season, PostgreSQL"} {
		run(t, old+"-lab", "year", "--format", "swiss", "--count", "4", "--kills", "2", "--database-url", sites[name])
	}
	chance := rand.New(rand.NewPCG(1, 1))
	fmt.Printf("\n| from | filled by | broken off | then |\n|---|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(sites)) {
		dsn := sites[name]
		before := told(t, old, dsn)
		if len(before) < 5 {
			t.Fatalf("%s: %d answers", name, len(before))
		}
		whole := time.Duration(0)
		for kill := range 7 {
			copied := copyOf(t, dir, dsn, kill)
			at := "–"
			if kill > 0 {
				after := time.Duration(chance.Int64N(int64(whole)))
				at = fmt.Sprintf("kill -9 after %v of %v", after.Round(time.Millisecond), whole.Round(time.Millisecond))
				upgrade(t, next, copied, after)
			}
			if took := upgrade(t, next, copied, 0); kill == 0 {
				whole = took
			}
			then := fmt.Sprintf("the same %d answers", len(before))
			got := told(t, next, copied)
			for path, want := range before {
				if got[path] != want {
					then = "other answers"
					t.Errorf("%s, %s: %s has changed\n%.300s\n%.300s", name, at, path, want, got[path])
				}
			}
			if out, err := exec.Command(old, "migrate", "--database-url", copied).CombinedOutput(); err == nil || !strings.Contains(string(out), "newer program") {
				t.Errorf("%s: the tagged program on it: %v\n%s", name, err, out)
			}
			fmt.Printf("| %s | %s | %s | %s |\n", tag, name, at, then)
		}
	}
}

// taggedPrograms builds what a tag holds; the lab's ends in -lab.
func taggedPrograms(t *testing.T, dir, tag string) string {
	t.Helper()
	tree := filepath.Join(dir, "tree")
	if err := os.Mkdir(tree, 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, "sh", "-c", `cd "$(git rev-parse --show-toplevel)" && git archive "$1" | tar -x -C "$2"`, "-", tag, tree)
	for name, of := range map[string]string{"old": "./cmd/chpok", "old-lab": "./cmd/chpok-lab"} {
		run(t, "go", "build", "-C", tree, "-buildvcs=false", "-o", filepath.Join(dir, name), of)
	}
	return filepath.Join(dir, "old")
}

// laterProgram builds this tree with more migrations, and with code changed by file: old
// and new texts in turn, each old one once in the file.
func laterProgram(t *testing.T, dir, name string, migrations map[string]string, code map[string][]string) string {
	t.Helper()
	replace := map[string]string{}
	write := func(of, text string) {
		t.Helper()
		path, err := filepath.Abs(filepath.Join("../..", of))
		if err == nil {
			replace[path] = filepath.Join(dir, name+"-"+filepath.Base(of))
			err = os.WriteFile(replace[path], []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for file, text := range migrations {
		write(filepath.Join("migrations", file), text)
	}
	for file, texts := range code {
		raw, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		for pair := range slices.Chunk(texts, 2) {
			if strings.Count(text, pair[0]) != 1 {
				t.Fatalf("%s does not hold %q once: change it here too", file, pair[0])
			}
			text = strings.Replace(text, pair[0], pair[1], 1)
		}
		write(file, text)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	list := filepath.Join(dir, name+"-overlay.json")
	if err == nil {
		err = os.WriteFile(list, overlay, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, name)
	run(t, "go", "build", "-overlay", list, "-buildvcs=false", "-o", program, "../chpok")
	return program
}

// The way of docs/operations.md for a change under running nodes: whose turn it is, which
// every move writes and both versions read, moves from matches.to_act to matches.turn.
var (
	expand = map[string]string{"9001_expand.sql": `-- +goose Up
ALTER TABLE matches RENAME COLUMN to_act TO turn; -- sqlite
ALTER TABLE matches ADD COLUMN turn SMALLINT; -- postgres
UPDATE matches SET turn = to_act; -- postgres
-- +goose StatementBegin
CREATE FUNCTION turns() RETURNS trigger LANGUAGE plpgsql AS $$ -- postgres
BEGIN -- postgres
    IF NEW.turn IS NULL OR TG_OP = 'UPDATE' AND NEW.to_act <> OLD.to_act THEN NEW.turn := NEW.to_act; -- postgres
    ELSE NEW.to_act := NEW.turn; -- postgres
    END IF; -- postgres
    RETURN NEW; -- postgres
END $$; -- postgres
-- +goose StatementEnd
CREATE TRIGGER turns BEFORE INSERT OR UPDATE ON matches FOR EACH ROW EXECUTE FUNCTION turns(); -- postgres
`}
	contract = map[string]string{"9001_expand.sql": expand["9001_expand.sql"], "9002_contract.sql": `-- +goose Up
DROP TRIGGER turns ON matches; -- postgres
DROP FUNCTION turns; -- postgres
ALTER TABLE matches DROP COLUMN to_act; -- postgres
ALTER TABLE matches ALTER COLUMN turn SET NOT NULL; -- postgres
`}
	turn = map[string][]string{
		"store/matches.go": {"ToAct        uint8\n", "ToAct        uint8 `gorm:\"column:turn\"`\n",
			"AND to_act = 0 THEN 0", "AND turn = 0 THEN 0", "WHEN to_act = CASE", "WHEN turn = CASE"},
		"store/append.go":    {"to_act = $3", "turn = $3"},
		"store/reminders.go": {"AND to_act IN (", "AND turn IN ("},
	}
)

// TestThreeNodesAreReplacedByExpandAndContract, when CHPOK_UPGRADES is set: while 40
// matches are played on PostgreSQL and NATS, three nodes are replaced one by one by a
// version that expands the schema, then by one that contracts it. What was acknowledged
// stands in the logs once, came to every stream once and in order, and every match knows
// whose turn it is.
func TestThreeNodesAreReplacedByExpandAndContract(t *testing.T) {
	if os.Getenv("CHPOK_UPGRADES") == "" {
		t.Skip("make upgrades does it")
	}
	dir := t.TempDir()
	t.Setenv("CHPOK_BACKUP_DIR", dir)
	now := laterProgram(t, dir, "now", nil, nil)
	next := []string{laterProgram(t, dir, "expand", expand, turn), laterProgram(t, dir, "contract", contract, turn)}
	database := storetest.PostgresDSN(t)
	var out, told strings.Builder
	args := []string{"load", "--table", "--work", "40,40,2", "--for", "5s", "--nodes", "3", "--nats-url", livetest.Bus(t),
		"--server", now, "--next", strings.Join(next, ","), "--database-url", database}
	code := app.Run(t.Context(), args, cli.IO{In: strings.NewReader(""), Out: &out, Err: &told})
	fmt.Printf("\n%s\n%s", &out, &told)
	if code != 0 {
		t.Fatalf("status %d", code)
	}
	for _, older := range []string{now, next[0]} {
		if out, err := exec.Command(older, "migrate", "--database-url", database).CombinedOutput(); err == nil || !strings.Contains(string(out), "newer program") {
			t.Errorf("%s on the contracted schema: %v\n%s", filepath.Base(older), err, out)
		}
	}
	for _, program := range append([]string{now}, next...) { // where the old does not run beside the new
		run(t, program, "migrate", "--database-url", "sqlite:"+filepath.Join(dir, "club.db"))
	}
	db, err := sql.Open("pgx", database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var moved, wrong int
	if err := db.QueryRowContext(t.Context(), `SELECT COUNT(*), COUNT(*) FILTER (WHERE m.turn <> 3 - e.seat) FROM matches m
		JOIN match_events e ON e.match_id = m.id AND e.seq = m.seq WHERE e.kind = $1`, match.Kind(match.Played{})).Scan(&moved, &wrong); err != nil {
		t.Fatal(err)
	}
	if moved < 30 || wrong > 0 {
		t.Errorf("of %d matches, %d do not know whose turn it is", moved, wrong)
	}
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

// serving runs a program until it says where it serves; stop is kill -9.
func serving(t *testing.T, env string, name string, args ...string) (base string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	stop = func() { cancel(); _ = cmd.Wait() }
	t.Cleanup(stop)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if _, base, is := strings.Cut(lines.Text(), "Chpok serves on "); is {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return strings.Fields(base)[0], stop
		}
	}
	t.Fatalf("%s %v did not serve", name, args)
	return "", nil
}

// fillByDemo copies the database of a demo.
func fillByDemo(t *testing.T, chpok, dir, to string) {
	t.Helper()
	temp := filepath.Join(dir, "demo")
	if err := os.Mkdir(temp, 0o755); err != nil {
		t.Fatal(err)
	}
	_, stop := serving(t, "TMPDIR="+temp, chpok, "demo", "--addr", "127.0.0.1:0", "--engine-share", "5")
	defer stop()
	found, err := filepath.Glob(filepath.Join(temp, "chpok-demo-*", "chpok.db"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	run(t, chpok, "backup", "--database-url", "sqlite:"+found[0], to)
}

// told is what a program answers about finished tournaments, by address.
func told(t *testing.T, chpok, dsn string) map[string]string {
	t.Helper()
	base, stop := serving(t, "CHPOK_ENGINE_SHARE=5", chpok, "serve", "--addr", "127.0.0.1:0", "--database-url", dsn)
	defer stop()
	get := func(path string) string {
		t.Helper()
		answer, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d, %v", path, answer.StatusCode, err)
		}
		return string(body)
	}
	var list struct{ Tournaments []struct{ ID, Status string } }
	if err := json.Unmarshal([]byte(get("/api/v1/tournaments")), &list); err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{}
	for _, x := range list.Tournaments {
		at := "/tournaments/" + x.ID
		for _, page := range []string{"", "/standings", "/info"} {
			get(at + page)
		}
		for _, file := range []string{"/standings.csv", "/report.trf", "/log.jsonl"} {
			if x.Status == "finished" {
				answers[at+file] = get(at + file)
			}
		}
	}
	for _, page := range []string{"/", "/tournaments", "/players", "/ratings", "/clubs", "/ladders", "/help"} {
		get(page)
	}
	return answers
}

// copyOf is a copy of a database that nobody has open.
func copyOf(t *testing.T, dir, dsn string, n int) string {
	t.Helper()
	if path, is := strings.CutPrefix(dsn, "sqlite:"); is {
		to := fmt.Sprintf("%s-%d", path, n)
		raw, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(to, raw, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return "sqlite:" + to
	}
	to, file := storetest.EmptyPostgresDSN(t), filepath.Join(dir, fmt.Sprintf("copy-%d.dump", n))
	run(t, "pg_dump", "--format=custom", "--file="+file, "--dbname="+dsn)
	run(t, "pg_restore", "--no-owner", "--dbname="+to, file)
	return to
}

// upgrade runs the migrations and kills them after a while, 0: never, and answers how long
// they took.
func upgrade(t *testing.T, chpok, dsn string, kill time.Duration) time.Duration {
	t.Helper()
	cmd := exec.Command(chpok, "migrate", "--database-url", dsn, "--backup-dir", t.TempDir())
	var said strings.Builder
	cmd.Stderr = &said
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if kill > 0 {
		time.Sleep(kill)
		_ = cmd.Process.Kill() // it may be over
	}
	if err := cmd.Wait(); err != nil && kill == 0 {
		t.Fatalf("the upgrade: %v\n%s", err, &said)
	}
	return time.Since(begun)
}
