package duel

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// Serve speaks the text protocol until its input ends or says quit (docs/engine.md). It
// answers what it cannot read with a line "info string".
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s := &server{out: out, threads: 1, bits: 18, lines: 1, features: board.DefaultFeatures()}
	s.reset()
	if err := s.position(strings.Fields("startpos")); err != nil {
		return err
	}
	defer s.stop()
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		verb, rest, _ := strings.Cut(strings.TrimSpace(scanner.Text()), " ")
		if verb == "quit" {
			return nil
		}
		if err := s.obey(ctx, verb, strings.TrimSpace(rest)); err != nil {
			s.say("info string %v", err)
		}
	}
	s.wait()
	return scanner.Err()
}

type server struct {
	mu  sync.Mutex // guards out
	out io.Writer

	engines  search.Engines
	threads  int
	bits     int
	lines    int
	error    int
	seed     int
	features board.Features
	root     search.Root
	cancel   context.CancelFunc
	done     chan struct{}
}

func (s *server) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, format+"\n", args...)
}

func (s *server) obey(ctx context.Context, verb, rest string) error {
	switch verb {
	case "":
		return nil
	case "uci":
		s.say("id name Chpok\nid author the Chpok project")
		s.say("option name Threads type spin default 1 min 1 max 64")
		s.say("option name Hash type spin default 4 min 1 max 4096\noption name MultiPV type spin default 1 min 1 max 50")
		s.say("option name Features type string default {}")
		s.say("option name Error type spin default 0 min 0 max 2000\noption name Seed type spin default 0 min 0 max 1000000\nuciok")
		return nil
	case "isready":
		s.say("readyok")
		return nil
	case "stop":
		s.stop()
		return nil
	}
	s.wait()
	switch verb {
	case "ucinewgame":
		s.engines.Forget()
		return nil
	case "setoption":
		return s.set(rest)
	case "position":
		return s.position(strings.Fields(rest))
	case "go":
		return s.search(ctx, strings.Fields(rest))
	}
	return fmt.Errorf("no command %q", verb)
}

func (s *server) reset() { s.engines = search.NewEngines(s.threads, s.bits) }

// stop ends the search and waits for its answer; wait only waits.
func (s *server) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	s.wait()
}

func (s *server) wait() {
	if s.done != nil {
		<-s.done
		s.cancel()
		s.done, s.cancel = nil, nil
	}
}

func (s *server) set(rest string) error {
	name, value, _ := strings.Cut(strings.TrimPrefix(rest, "name "), " value ")
	switch strings.TrimSpace(name) {
	case "Hash":
		var megabytes int
		if err := number(&megabytes, name, value, 1, 4096); err != nil {
			return err
		}
		for s.bits = 10; 16<<(s.bits+1) <= megabytes<<20; s.bits++ {
		}
		s.reset()
		return nil
	case "Threads":
		if err := number(&s.threads, name, value, 1, 64); err != nil {
			return err
		}
		s.reset()
		return nil
	case "MultiPV":
		return number(&s.lines, name, value, 1, 50)
	case "Error":
		return number(&s.error, name, value, 0, 2000)
	case "Seed":
		return number(&s.seed, name, value, 0, 1_000_000)
	case "Features":
		f, err := bidding.ParseFeatures([]byte(value))
		if err != nil {
			return err
		}
		s.features = f
		return nil
	}
	return fmt.Errorf("no option %q", name)
}

func number(to *int, name, value string, low, high int) error {
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil || n < low || n > high {
		return fmt.Errorf("%s is %d…%d, not %q", name, low, high, value)
	}
	*to = n
	return nil
}

// position reads "startpos | row ROW | cfen CFEN [streak LEAD UP DOWN]", then "moves …".
func (s *server) position(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("no position")
	}
	var p board.Position
	var streak [3]int
	var err error
	switch words[0] {
	case "startpos":
		p, err = board.Start(s.features, board.StandardRow(s.features.Width))
		words = words[1:]
	case "row":
		if len(words) < 2 {
			return fmt.Errorf("no row")
		}
		p, err = board.Start(s.features, board.Row(words[1]))
		words = words[2:]
	case "cfen":
		if len(words) < 8 {
			return fmt.Errorf("a CFEN has seven fields")
		}
		p, err = board.ParseCFEN(s.features, strings.Join(words[1:8], " "))
		if words = words[8:]; err == nil && len(words) > 0 && words[0] == "streak" {
			streak, err = readStreak(words[1:])
			words = words[min(4, len(words)):]
		}
	default:
		return fmt.Errorf("no position %q", words[0])
	}
	if err != nil {
		return err
	}
	root := search.RootAt(p, streak)
	if len(words) > 0 && words[0] == "moves" {
		words = words[1:]
	}
	for _, word := range words {
		a, err := board.ParseAction(word)
		if err != nil {
			return err
		}
		if !root.Position.Legal(a) {
			return fmt.Errorf("%s is not possible in %s", word, root.Position)
		}
		root = root.Play(a)
	}
	s.root = root
	return nil
}

// readStreak reads what a CFEN does not say: White's lead after Black's last move, and for how many of
// Black's moves it has not fallen and not risen (Rules 4).
func readStreak(words []string) (streak [3]int, err error) {
	if len(words) < len(streak) {
		return streak, fmt.Errorf("a streak has three numbers")
	}
	for i := range streak {
		if streak[i], err = strconv.Atoi(words[i]); err != nil || i > 0 && streak[i] < 0 {
			return streak, fmt.Errorf("streak is LEAD UP DOWN, three whole numbers, not %q", strings.Join(words[:len(streak)], " "))
		}
	}
	return streak, nil
}

func (s *server) search(ctx context.Context, words []string) error {
	limits := search.Limits{Lines: s.lines, Error: s.error, Seed: uint64(s.seed)}
	var clock clock
	numbers := map[string]*int{
		"nodes": &limits.Nodes, "depth": &limits.Depth, "movetime": &clock.move,
		"wtime": &clock.left[0], "btime": &clock.left[1], "winc": &clock.bonus[0], "binc": &clock.bonus[1],
	}
	for i := 0; i < len(words); i++ {
		if words[i] == "infinite" {
			continue
		}
		to, ok := numbers[words[i]]
		if !ok || i+1 == len(words) {
			return fmt.Errorf("go: no limit %q", words[i])
		}
		n, err := strconv.Atoi(words[i+1])
		if err != nil || n < 0 {
			return fmt.Errorf("go: %s is a number", words[i])
		}
		*to = n
		i++
	}
	if d := clock.think(s.root.Position.Turn()); d > 0 {
		ctx, s.cancel = context.WithTimeout(ctx, d)
	} else {
		ctx, s.cancel = context.WithCancel(ctx)
	}
	s.done = make(chan struct{})
	root := s.root
	go func() {
		defer close(s.done)
		start := time.Now()
		lines := s.engines.Search(ctx, root, limits, func(lines []search.Line) { s.info(lines, time.Since(start)) })
		if len(lines) == 0 {
			s.say("bestmove (none)")
			return
		}
		s.say("bestmove %v", lines[0].Actions[0])
	}()
	return nil
}

// clock is the time both sides have, in milliseconds.
type clock struct {
	move        int
	left, bonus [2]int
}

// think returns how long to think about the next action, 0 for no limit.
func (c clock) think(us board.Color) time.Duration {
	if c.move > 0 {
		return time.Duration(c.move) * time.Millisecond
	}
	left := c.left[us]
	if left == 0 {
		return 0
	}
	share := left/30 + c.bonus[us]*3/4
	return time.Duration(max(1, min(share, left/2))) * time.Millisecond
}

func (s *server) info(lines []search.Line, took time.Duration) {
	for i, l := range lines {
		score := fmt.Sprintf("cp %d", l.Score)
		if plies, ok := l.IsDecided(); ok {
			score = fmt.Sprintf("mate %d", (plies+sign(plies))/2)
		}
		var pv strings.Builder
		for _, a := range l.Actions {
			pv.WriteByte(' ')
			pv.WriteString(a.String())
		}
		ms := took.Milliseconds()
		s.say("info depth %d multipv %d score %s nodes %d time %d nps %d pv%s",
			l.Depth, i+1, score, l.Nodes, ms, int64(l.Nodes)*1000/max(1, ms), pv.String())
	}
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}
