package notation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// ErrText is returned for a text that is not one of a match.
var ErrText = errors.New("not the text of a match")

// ParseText reads the text form into a record. The rules must allow everything except for raw
// actions. Errors name the line.
func ParseText(text []byte) (Record, error) {
	lines := strings.Split(string(text), "\n")
	record, rest, err := parseHeaders(lines)
	if err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrText, err)
	}
	game, err := record.NewGame()
	if err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrText, err)
	}
	r := textReader{record: record, game: game}
	for i := rest; i < len(lines); i++ {
		line := strings.TrimSuffix(lines[i], "\r")
		if line == "" || line[0] == ';' {
			continue
		}
		if err := r.line(line); err != nil {
			return Record{}, fmt.Errorf("%w: line %d: %w", ErrText, i+1, err)
		}
	}
	return r.record, nil
}

// parseHeaders reads the headers into a record without actions, and returns the index of the
// first line after them.
func parseHeaders(lines []string) (r Record, rest int, err error) {
	var o bytes.Buffer
	o.WriteString(`{"actions":[]`)
	for rest = 0; rest < len(lines); rest++ {
		line := strings.TrimSuffix(lines[rest], "\r")
		if line == "" || line[0] == ';' {
			continue
		}
		if line[0] != '[' {
			break
		}
		key, value, err := parseHeader(line)
		if err != nil {
			return Record{}, 0, fmt.Errorf("line %d: %w", rest+1, err)
		}
		fmt.Fprintf(&o, ",%s:%s", key, value)
	}
	o.WriteByte('}')
	r, err = ParseRecord(o.Bytes())
	return r, rest, err
}

// parseHeader splits a header into its quoted key and its value.
func parseHeader(line string) (key string, value json.RawMessage, err error) {
	inner, ok := strings.CutSuffix(strings.TrimPrefix(line, "["), "]")
	if !ok {
		return "", nil, errors.New("a header must end with ]")
	}
	var rest string
	if strings.HasPrefix(inner, `"`) {
		dec := json.NewDecoder(strings.NewReader(inner))
		if err := dec.Decode(&key); err != nil {
			return "", nil, err
		}
		rest, ok = strings.CutPrefix(inner[dec.InputOffset():], " ")
	} else {
		key, rest, ok = strings.Cut(inner, " ")
		ok = ok && plainKey.MatchString(key)
	}
	if !ok || !json.Valid([]byte(rest)) {
		return "", nil, errors.New("a header must be [key value] with the value in JSON")
	}
	return string(quoted(key)), json.RawMessage(rest), nil
}

// textReader plays the game along while it reads the text.
type textReader struct {
	record Record
	game   match.Game
}

func (r *textReader) line(line string) error {
	if raw, ok := strings.CutPrefix(line, "! "); ok {
		return r.raw([]byte(raw))
	}
	if numbered.MatchString(line) {
		return r.moves(line)
	}
	rest, t, err := cutTimes(line)
	if err != nil {
		return err
	}
	act, err := r.act(rest)
	if err != nil {
		return err
	}
	return r.do(act, t)
}

// raw adds an action as it is, even if the rules refuse it.
func (r *textReader) raw(raw []byte) error {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return err
	}
	if next, err := Do(r.game, b.Bytes(), r.record.First); err == nil {
		r.game = next
	}
	r.record.Actions = append(r.record.Actions, b.Bytes())
	return nil
}

// do adds an act, which the rules must allow.
func (r *textReader) do(act match.Event, t times) error {
	next, err := r.game.Do(act)
	if err != nil {
		return err
	}
	raw, err := actionJSON(act, r.record.First, t)
	if err != nil {
		return err
	}
	r.game = next
	r.record.Actions = append(r.record.Actions, raw)
	return nil
}

var (
	numbered = regexp.MustCompile(`^[0-9]+\.(\.\.)? `)
	moveForm = regexp.MustCompile(`^ ?([^ ()]+)( \([^()]*\))?`)
)

func (r *textReader) moves(line string) error {
	rest := line[strings.Index(line, " ")+1:]
	for rest != "" {
		m := moveForm.FindString(rest)
		if m == "" {
			return fmt.Errorf("%q is not a move", rest)
		}
		rest = rest[len(m):]
		text, t, err := cutTimes(strings.TrimPrefix(m, " "))
		if err != nil {
			return err
		}
		action, err := board.ParseAction(text)
		if err != nil {
			return err
		}
		by, _ := r.game.Turn()
		if err := r.do(match.Played{Seat: by, Action: action}, t); err != nil {
			return err
		}
	}
	return nil
}

var (
	bidForm  = regexp.MustCompile(`^([AB]) (raises|calls) (\w+) with ([0-9]{1,9})(?: to (.+))?$`)
	drawForm = regexp.MustCompile(`^draw (white|time): (.+)$`)
	timeForm = regexp.MustCompile(`^([0-9]{1,9})\+([0-9]{1,9})$`)
)

// act reads an act other than a move, without times.
func (r *textReader) act(line string) (match.Event, error) {
	if m := bidForm.FindStringSubmatch(line); m != nil {
		return r.bid(m[1], m[2] == "raises", m[3], m[4], m[5])
	}
	if m := drawForm.FindStringSubmatch(line); m != nil {
		return r.draw(m[1], m[2])
	}
	letter, what, _ := strings.Cut(line, " ")
	by, ok := r.record.First.Seat(letter)
	if !ok {
		return nil, fmt.Errorf("%q is not a line of a match", line)
	}
	switch what {
	case "undo":
		return match.Undone{Seat: by}, nil
	case "claims win":
		return match.Claimed{Seat: by, Win: true}, nil
	case "claims draw":
		return match.Claimed{Seat: by}, nil
	case "resigns":
		return match.Resigned{Seat: by}, nil
	case "flag":
		return match.FlagFell{Seat: by}, nil
	}
	return nil, fmt.Errorf("%q is not an act", what)
}

func (r *textReader) bid(letter string, raises bool, target, chips, outcome string) (match.Event, error) {
	by, _ := r.record.First.Seat(letter)
	t, err := bidding.ParseTarget(target)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(chips)
	if err != nil {
		return nil, err
	}
	b := bidding.Bid{Target: t, Chips: n}
	if isCall := n == r.game.Bids().Gap(t, by); isCall == raises {
		return nil, errors.New("a bid is a call if it closes the gap, otherwise a raise")
	}
	if outcome != "" {
		b.HasOutcome = true
		switch t {
		case bidding.Time:
			b.Time, err = parseTime(outcome)
		case bidding.HomeRow:
			b.Row = board.Row(outcome)
		case bidding.Features:
			b.Features, err = bidding.ParseFeatures([]byte(outcome))
		default:
			err = errors.New("a bid on white has no outcome")
		}
	}
	return match.BidPlaced{Seat: by, Bid: b}, err
}

func (r *textReader) draw(target, outcome string) (match.Event, error) {
	if target == "time" {
		c, err := parseTime(outcome)
		return match.Drawn{Draw: bidding.Draw{Target: bidding.Time, Time: c}}, err
	}
	by, ok := r.record.First.Seat(outcome)
	if !ok {
		return nil, fmt.Errorf("%q is not a player", outcome)
	}
	return match.Drawn{Draw: bidding.Draw{Target: bidding.White, White: by}}, nil
}

func parseTime(text string) (bidding.TimeControl, error) {
	m := timeForm.FindStringSubmatch(text)
	if m == nil {
		return bidding.TimeControl{}, fmt.Errorf("%q is not a time control", text)
	}
	minutes, err1 := strconv.Atoi(m[1])
	increment, err2 := strconv.Atoi(m[2])
	return bidding.TimeControl{Minutes: minutes, Increment: increment}, errors.Join(err1, err2)
}
