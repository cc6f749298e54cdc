// Package year runs an event a week on a site whose node, a process of its own, is killed
// again and again, and compares every log with its table and with what the nodes reported
// as done. Chance decides, from a seed, what happens in the events; everything goes
// through the offices of the arbiter, as for people.
package year

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// A node is killed after at most that many acts and that long, or while it starts.
const (
	mostDone     = 20
	longestAct   = 5 * time.Millisecond
	longestStart = 150 * time.Millisecond
)

// ErrUsed says that a database is not empty.
var ErrUsed = errors.New("year: there is something in this database already")

// year is the state of the process that starts and kills the nodes.
type year struct {
	Errand
	rng *rand.Rand

	rounds, boards, kills, midst int
	acts, refused                map[string]int
	lines                        map[tournament.ID]map[int64]string // hashes of the lines reported as written
	moves                        map[match.ID]int64
	differences                  []string
}

// Hold runs the events of an errand on nodes that it kills, prints a summary, and returns
// where a log differs from its table or lacks what was reported as done. node returns a
// program that runs an errand. Without a database it uses a temporary one.
func Hold(ctx context.Context, out io.Writer, e Errand, node func(Errand) *exec.Cmd) (differences []string, err error) {
	if e.Database == "" {
		dir, err := os.MkdirTemp("", "chpok-year-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		e.Database = "sqlite:" + filepath.Join(dir, "year.db")
	}
	e.Week, e.Now = 1, opening
	y := &year{Errand: e, rng: rand.New(rand.NewPCG(e.Seed, 0x79656172)), acts: map[string]int{}, refused: map[string]int{},
		lines: map[tournament.ID]map[int64]string{}, moves: map[match.ID]int64{}}
	if err := y.settle(ctx); err != nil {
		return nil, err
	}
	for kills := 0; y.Week <= y.Last; {
		week := y.Week
		if err := y.life(ctx, node, kills < y.Kills); err != nil {
			return nil, err
		}
		kills++
		if week != y.Week {
			kills = 0
		}
	}
	if err := y.check(ctx); err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "events         %d (%s)\nrounds         %d\nboards         %d\nnodes killed   %d, %d in the middle of an act\n",
		y.Last, y.Format, y.rounds, y.boards, y.kills, y.midst)
	names := maps.Clone(y.acts)
	maps.Copy(names, y.refused)
	for _, act := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(out, "%-14s %d (%d more refused)\n", act, y.acts[act], y.refused[act])
	}
	return y.differences, nil
}

// settle creates the accounts.
func (y *year) settle(ctx context.Context) error {
	first, err := start(ctx, y.Errand)
	if err != nil {
		return err
	}
	err = first.store.Write(ctx, func(tx *store.Tx) error {
		if _, n, err := tx.Tournaments(store.TournamentQuery{AllDrafts: true}); err != nil || n > 0 {
			return errors.Join(err, ErrUsed)
		}
		for _, p := range append(first.people, first.host.Player) {
			if err := tx.AddPlayer(p, ""); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, first.close())
}

// life starts a node, reads its reports, and kills it at a random moment if mortal.
func (y *year) life(ctx context.Context, program func(Errand) *exec.Cmd, mortal bool) error {
	y.Life++
	cmd := program(y.Errand)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	said, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })()
	after := y.rng.IntN(mostDone)
	kill := func(within time.Duration) {
		time.AfterFunc(time.Duration(y.rng.Int64N(int64(within))), func() { _ = cmd.Process.Kill() })
	}
	if mortal && after == 0 {
		kill(longestStart)
	}
	acting := false
	for heard := bufio.NewScanner(said); heard.Scan(); {
		var l line
		if err := json.Unmarshal(heard.Bytes(), &l); err != nil {
			return fmt.Errorf("a node says %q: %w", heard.Bytes(), err)
		}
		acting = y.hear(l)
		switch {
		case l.Week > 0 && !mortal:
			mortal, after = true, 1+y.rng.IntN(mostDone)
		case l.Done:
			after--
			if mortal && after == 0 {
				kill(longestAct)
			}
		}
	}
	err = cmd.Wait()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &ended) && !ended.Exited():
		y.kills++
		if acting {
			y.midst++
		}
		return nil
	case err != nil:
		return fmt.Errorf("%w\n%s", err, complaint.String())
	case y.Week <= y.Last:
		return errors.New("year: a node has gone home early")
	}
	return nil
}

// hear records a report and returns whether the node is in the middle of an act.
func (y *year) hear(l line) (acting bool) {
	y.Now = l.Now
	switch {
	case l.Week > 0:
		y.Week, y.rounds, y.boards = l.Week+1, y.rounds+l.Rounds, y.boards+l.Boards
	case l.Refused:
		y.refused[l.Act]++
	case l.Done:
		y.acts[l.Act]++
		if y.lines[l.Event] == nil {
			y.lines[l.Event] = map[int64]string{}
		}
		y.lines[l.Event][l.Deed] = l.Sum
		if l.Match != "" {
			y.moves[l.Match] = max(y.moves[l.Match], l.Seq)
		}
	default:
		return true
	}
	return false
}

func (y *year) differs(format string, args ...any) {
	y.differences = append(y.differences, fmt.Sprintf(format, args...))
}

// check looks for everything reported as done, and compares every event with its log.
func (y *year) check(ctx context.Context) error {
	y.Life++
	last, err := start(ctx, y.Errand)
	if err != nil {
		return err
	}
	defer last.close()
	lines, err := store.Get(ctx, last.store, func(tx *store.Tx) ([]store.TournamentLine, error) {
		return tx.TournamentsRunBy(last.host.ID, nil, 1<<20)
	})
	if err != nil {
		return err
	}
	for _, l := range lines {
		if err := y.checkEvent(ctx, last, l.ID); err != nil {
			return err
		}
	}
	for id := range y.lines {
		y.differs("%s was held, and nobody knows of it", id)
	}
	for id, seq := range y.moves {
		state, head, err := last.live.State(ctx, id)
		if err != nil || head.Seq < seq {
			y.differs("match %s stands at %d (%v, %v), and %d was called done", id, head.Seq, state, err, seq)
		}
	}
	return nil
}

func (y *year) checkEvent(ctx context.Context, last *node, id tournament.ID) error {
	t, err := last.arbiter.Tournament(ctx, id)
	if err != nil {
		return err
	}
	deeds, err := last.deeds(ctx, id)
	if err != nil {
		return err
	}
	for n, said := range y.lines[id] {
		if n > int64(len(deeds)) || sum(deeds[n-1]) != said {
			y.differs("%s: line %d of its log is not the one that was called written", t.Name, n)
		}
	}
	delete(y.lines, id)
	if err := ledger.CheckPasses(deeds); err != nil {
		y.differs("%s: %v", t.Name, err)
	}
	folded, err := ledger.Fold(deeds)
	if err != nil {
		y.differs("%s: %v", t.Name, err)
		return nil
	}
	for _, x := range ledger.Diff(folded, t) {
		y.differs("%s: %s: %s by the log, %s stored", t.Name, x.Path, x.Before, x.After)
	}
	stored, err := tables.TableOf(t)
	if err != nil {
		return err
	}
	byLog, err := tables.TableOf(folded)
	if err != nil {
		return err
	}
	for _, d := range byLog.Differences(stored) {
		y.differs("%s: %s", t.Name, d)
	}
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Match == "" {
				continue
			}
			s, _, err := last.live.State(ctx, p.Match)
			if err != nil {
				return err
			}
			if s.Status() != match.Over && !strings.HasPrefix(p.Result.Kind.String(), "+") {
				y.differs("%s: round %d board %d is decided, its match goes on", t.Name, r.Number, p.Board)
			}
		}
	}
	return nil
}
