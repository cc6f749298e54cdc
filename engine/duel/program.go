package duel

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// Program is a running program that plays: one that speaks our protocol, or UCI with a
// variants file, like Fairy-Stockfish.
type Program struct {
	Name string

	ours    bool
	cmd     *exec.Cmd
	in      io.WriteCloser
	lines   chan string
	variant string
	dir     string // of the variants file
}

// ErrNoAction is the answer of a program that knows no action where there is one.
var ErrNoAction = errors.New("duel: the program knows no action")

// answerTime is how long a program may be silent before it counts as broken.
const answerTime = 2 * time.Minute

// Launch starts a program, given its path and arguments separated by spaces, and sets its
// options, each "Name=Value".
func Launch(ctx context.Context, command string, options ...string) (*Program, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("duel: empty command")
	}
	p := &Program{Name: command, cmd: exec.CommandContext(ctx, words[0], words[1:]...), lines: make(chan string, 64)}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("duel: %w", err)
	}
	go func() {
		defer close(p.lines)
		scanner := bufio.NewScanner(out)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			p.lines <- scanner.Text()
		}
	}()
	answers, err := p.ask("uci", "uciok")
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	for _, line := range answers {
		if name, ok := strings.CutPrefix(line, "id name "); ok {
			p.Name, p.ours = name, strings.HasPrefix(name, "Chpok")
		}
	}
	for _, option := range options {
		name, value, _ := strings.Cut(option, "=")
		p.tell("setoption name %s value %s", name, value)
	}
	return p, nil
}

// Close ends the program.
func (p *Program) Close() error {
	p.tell("quit")
	_ = p.in.Close()
	for range p.lines {
	}
	if p.dir != "" {
		_ = os.RemoveAll(p.dir)
	}
	return p.cmd.Wait()
}

func (p *Program) tell(format string, args ...any) {
	// A broken pipe shows up as a missing answer.
	_, _ = fmt.Fprintf(p.in, format+"\n", args...)
}

// ask sends a question and collects the lines up to the one that starts with last.
func (p *Program) ask(question, last string) (lines []string, err error) {
	p.tell("%s", question)
	timer := time.NewTimer(answerTime)
	defer timer.Stop()
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				return nil, fmt.Errorf("duel: %s ended", p.Name)
			}
			lines = append(lines, line)
			if strings.HasPrefix(line, last) {
				return lines, nil
			}
		case <-timer.C:
			return nil, fmt.Errorf("duel: %s gives no answer to %q", p.Name, question)
		}
	}
}

// NewGame prepares the program for a game with some features. The error is an
// *UnknownFeaturesError if its dialect cannot express them.
func (p *Program) NewGame(f board.Features) error {
	if p.ours {
		text, err := f.MarshalJSON()
		if err != nil {
			return err
		}
		p.tell("ucinewgame\nsetoption name Features value %s", text)
	} else {
		ini, err := variantsFile(f)
		if err != nil {
			return err
		}
		if ini != p.variant {
			if err := p.useVariant(ini); err != nil {
				return err
			}
		}
		p.tell("ucinewgame")
	}
	_, err := p.ask("isready", "readyok")
	return err
}

func (p *Program) useVariant(ini string) (err error) {
	if p.dir == "" {
		if p.dir, err = os.MkdirTemp("", "chpok-duel"); err != nil {
			return err
		}
	}
	path := p.dir + "/variants.ini"
	if err := os.WriteFile(path, []byte(ini), 0o600); err != nil {
		return err
	}
	p.variant = ini
	p.tell("setoption name VariantPath value %s\nsetoption name UCI_Variant value chpok", path)
	return nil
}

// Play returns the program's action after those played since the start, within limits as the protocol's "go" has them,
// as "nodes 1000".
func (p *Program) Play(start board.Position, played []board.Action, now search.Root, limits string) (board.Action, error) {
	var question bytes.Buffer
	if p.ours {
		fmt.Fprintf(&question, "position cfen %s moves", start)
		for _, a := range played {
			question.WriteByte(' ')
			question.WriteString(a.String())
		}
	} else {
		fmt.Fprintf(&question, "position fen %s", fen(&now.Position))
	}
	question.WriteString("\ngo " + limits)
	lines, err := p.ask(question.String(), "bestmove")
	if err != nil {
		return 0, err
	}
	text := strings.Fields(lines[len(lines)-1])
	if len(text) > 1 && text[1] == "(none)" {
		return 0, ErrNoAction
	}
	if len(text) < 2 {
		return 0, fmt.Errorf("duel: %s: no action in %q", p.Name, lines[len(lines)-1])
	}
	a, err := p.read(text[1])
	if err != nil || !now.Position.Legal(a) {
		return 0, fmt.Errorf("duel: %s plays %s in %s", p.Name, text[1], now.Position)
	}
	return a, nil
}

func (p *Program) read(text string) (board.Action, error) {
	if !p.ours && len(text) == 4 && text[:2] == text[2:] {
		return board.NewSkip(), nil
	}
	return board.ParseAction(text)
}

// CPU returns the processor time the program has used, as far as the system tells.
func (p *Program) CPU() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("duel: the processor time of %s: %w", p.Name, err)
	}
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	fields := strings.Fields(string(rest))
	if len(fields) < 13 {
		return 0, fmt.Errorf("duel: the processor time of %s: %q", p.Name, stat)
	}
	ticks := 0
	for _, field := range fields[11:13] { // utime and stime, in hundredths of a second
		n, err := strconv.Atoi(field)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}
