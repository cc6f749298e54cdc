package scene

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/web/words"
)

// Explored is what the explorer shows: a line of actions from a position or a bidding. Its address tells all of it.
type Explored struct {
	Features board.Features
	Row      board.Row // of the start position, unless there is a Position
	Position string    // CFEN
	Streak   [3]int    // how near claims are there, as in search.Root
	Line     []board.Action
	At       int  // how many actions of the line have been played
	AsBlack  bool // seen from Black's side
	IsSetUp  bool // the position is being set up
	IsAsked  bool // what the engine says is shown

	IsBidding bool
	Envelope  bidding.Envelope
	Extra     [2]int        // chips, as a handicap
	Acts      []match.Event // bids and draws

	roots []search.Root // from the start to the end of the line
	games []match.Game  // from the start of the bidding
}

// ExploredRoot returns the explorer's place for a position with what is known of claims.
func ExploredRoot(root search.Root) Explored {
	return Explored{Features: root.Position.Features(), Position: root.Position.CFEN(), Streak: root.Streak(), roots: []search.Root{root}}
}

// ExploredBids returns the explorer's place for the start of a bidding.
func ExploredBids(e bidding.Envelope, extra [2]int) Explored {
	return Explored{IsBidding: true, Envelope: e, Extra: extra}
}

// ExploredTable returns the explorer's place for the bidding of a puzzle.
func ExploredTable(t puzzle.Table) Explored {
	e := bidding.DefaultEnvelope()
	e.Chips, e.Defaults = t.Chips, t.Defaults
	x := ExploredBids(e, t.Extra)
	s := bidding.Start(t.Chips, t.Defaults).WithExtra(t.Extra)
	for _, b := range t.Bids {
		by, _ := s.Turn()
		x.Acts = append(x.Acts, match.BidPlaced{Seat: by, Bid: b.Bid})
		s, _ = s.Place(by, b.Bid) // the table was checked when the puzzle was made
	}
	return x
}

// longestLine is how many actions an address may have: more than any match.
const longestLine = 2 * 999

// ExploredMatch returns the explorer's place for a ply of a match.
func ExploredMatch(g match.Game, ply int) Explored {
	terms, _ := g.Terms()
	x := Explored{Features: terms.Features, Row: terms.Row, At: ply}
	for _, p := range g.Plies() {
		x.Line = append(x.Line, p.Action)
	}
	return x
}

// The fields of the address besides those of features.
const (
	fieldRow, fieldPosition, fieldStreak, fieldLine, fieldAt = "row", "position", "streak", "line", "at"
	fieldSide, fieldSetUp, fieldAsked                        = "side", "edit", "ask"
	fieldBids, fieldEnvelope, fieldExtra                     = "bids", "limits", "extra"
	// FieldAct is an action to play, FieldSet that a form was sent: they lead on to the address of a place.
	FieldAct, FieldSet = "act", "set"
	fieldOn            = "on"
	blackSide          = "black"
)

// featureNumbers are the features that are numbers, by their fields.
func featureNumbers(f *board.Features) map[string]*int {
	numbers := map[string]*int{}
	for _, b := range bidding.Bounds {
		if b.Features != nil && b.Feature != "movePoints" {
			numbers[b.Feature] = b.Features(f)[0]
		}
	}
	for _, kind := range words.Kinds {
		numbers["movePoints."+kind.String()] = &f.MovePoints[kind]
	}
	return numbers
}

// URL returns the address of a place.
func (x Explored) URL() string { return x.address("/analyse") }

// FeedURL returns where the engine tells of a place.
func (x Explored) FeedURL() string { return x.address("/analyse/feed") }

func (x Explored) address(path string) string {
	if q := x.Query(); len(q) > 0 {
		return path + "?" + q.Encode()
	}
	return path
}

// Query returns what an address tells of a place.
func (x Explored) Query() url.Values {
	q := url.Values{}
	set := func(field, value string, is bool) {
		if is {
			q.Set(field, value)
		}
	}
	set(fieldAsked, fieldOn, x.IsAsked)
	if x.IsBidding {
		x.setBids(q)
		return q
	}
	usual := board.DefaultFeatures()
	numbers := featureNumbers(&usual)
	for field, n := range featureNumbers(&x.Features) {
		set(field, words.Itoa(*n), *n != *numbers[field])
	}
	for _, key := range bidding.Switches {
		set(key, fieldOn, bidding.SwitchOn(x.Features, key))
	}
	set(fieldRow, string(x.Row), x.Position == "" && !x.Row.IsStandard() && x.Row != "")
	set(fieldPosition, x.Position, x.Position != "")
	set(fieldStreak, joined(x.Streak[:], strconv.Itoa), x.Streak != [3]int{})
	set(fieldLine, lineText(x.Line), len(x.Line) > 0)
	set(fieldAt, words.Itoa(x.At), x.At != len(x.Line))
	set(fieldSide, blackSide, x.AsBlack)
	set(fieldSetUp, fieldOn, x.IsSetUp)
	return q
}

func (x Explored) setBids(q url.Values) {
	acts := make([]json.RawMessage, 0, len(x.Acts))
	for _, act := range x.Acts {
		raw, err := match.FormatAct(act, match.FirstIsA)
		if err != nil {
			break // bids and draws always have a form
		}
		acts = append(acts, raw)
	}
	list, _ := json.Marshal(acts) // they are JSON
	q.Set(fieldBids, string(list))
	limits, _ := json.Marshal(x.Envelope) // it always encodes
	if usual, _ := json.Marshal(bidding.DefaultEnvelope()); string(limits) != string(usual) {
		q.Set(fieldEnvelope, string(limits))
	}
	if x.Extra != [2]int{} {
		q.Set(fieldExtra, joined(x.Extra[:], strconv.Itoa))
	}
}

func lineText(line []board.Action) string {
	texts := make([]string, len(line))
	for i, a := range line {
		texts[i] = a.String()
	}
	return strings.Join(texts, " ")
}

// errUnreadable says that an address is none of the explorer's.
var errUnreadable = errors.New("scene: no place of the explorer")

// ParseExplored reads a place from an address or the form in which it is set up. What is wrong with features is a
// *board.FeatureError, with a position a *board.SetupError, all else errUnreadable. A line, or a bidding, ends before
// what is not possible there: then fits is false.
func ParseExplored(q url.Values) (x Explored, fits bool, err error) {
	x.IsAsked = q.Get(fieldAsked) == fieldOn
	if q.Has(fieldBids) {
		x.IsBidding = true
		fits, err = x.readBids(q)
		return x, fits, err
	}
	x.Features, x.Row, x.Position = board.DefaultFeatures(), board.Row(strings.ToUpper(strings.TrimSpace(q.Get(fieldRow)))),
		strings.TrimSpace(q.Get(fieldPosition))
	x.AsBlack, x.IsSetUp = q.Get(fieldSide) == blackSide, q.Get(fieldSetUp) == fieldOn
	if x.Features, err = featuresOf(q); err != nil {
		return x, false, err
	}
	if err = x.readStart(q.Get(fieldStreak)); err != nil {
		return x, false, err
	}
	fits, err = x.readLine(q)
	return x, fits, err
}

// featuresOf reads features from their fields; those that are not there are the usual ones.
func featuresOf(q url.Values) (board.Features, error) {
	object, points := map[string]any{}, map[string]any{}
	for field := range featureNumbers(new(board.Features)) {
		text := strings.TrimSpace(q.Get(field))
		if text == "" {
			continue
		}
		var value any = text
		if n, err := strconv.Atoi(text); err == nil {
			value = n
		}
		if key, isPoints := strings.CutPrefix(field, "movePoints."); isPoints {
			points[key] = value
		} else {
			object[field] = value
		}
	}
	if len(points) > 0 {
		object["movePoints"] = points
	}
	for _, key := range bidding.Switches {
		if q.Get(key) == fieldOn {
			object[key] = true
		}
	}
	raw, err := json.Marshal(object)
	if err != nil {
		return board.DefaultFeatures(), fmt.Errorf("features: %w", err)
	}
	return board.ParseFeatures(raw)
}

// readStart finds the position in which the line begins.
func (x *Explored) readStart(streak string) error {
	var start board.Position
	var err error
	if x.Position != "" {
		if start, err = board.ParseCFEN(x.Features, x.Position); err != nil {
			return err
		}
		if streak != "" && (!readInts(streak, x.Streak[:]) || slices.Min(x.Streak[:]) < 0) {
			return errUnreadable
		}
	} else {
		if x.Row == "" {
			x.Row = board.StandardRow(x.Features.Width)
		}
		if err = board.ValidateRow(x.Row, min(len(x.Row), board.MaxWidth)); err != nil {
			return err
		}
		x.Row = board.Fit(x.Row, x.Features.Width)
		if start, err = board.Start(x.Features, x.Row); err != nil {
			return err
		}
	}
	x.roots = []search.Root{search.RootAt(start, x.Streak)}
	return nil
}

func readInts(text string, into []int) bool {
	parts := strings.Split(text, ", ")
	if len(parts) != len(into) {
		return false
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < -1_000_000 || n > 1_000_000 {
			return false
		}
		into[i] = n
	}
	return true
}

// readLine plays the line, and an action that is to be played after as much of it as there is on the board.
func (x *Explored) readLine(q url.Values) (fits bool, err error) {
	texts := strings.Fields(q.Get(fieldLine))
	x.At = len(texts)
	if at := q.Get(fieldAt); at != "" {
		if x.At, err = strconv.Atoi(at); err != nil || x.At < 0 || x.At > len(texts) {
			return false, errUnreadable
		}
	}
	if act := q.Get(FieldAct); act != "" {
		if x.At == len(texts) || texts[x.At] != act {
			texts = append(slices.Clip(texts[:x.At]), act)
		}
		x.At++
	}
	if len(texts) > longestLine {
		return false, errUnreadable
	}
	for i, text := range texts {
		a, err := board.ParseAction(text)
		root := x.roots[i]
		_, isOver := root.Over()
		if err != nil || isOver || !slices.Contains(root.Position.Moves(nil), a) {
			x.At = min(x.At, i)
			return false, nil
		}
		x.Line, x.roots = append(x.Line, a), append(x.roots, root.Play(a))
	}
	return true, nil
}

func (x *Explored) readBids(q url.Values) (fits bool, err error) {
	x.Envelope = bidding.DefaultEnvelope()
	if limits := q.Get(fieldEnvelope); limits != "" {
		if x.Envelope, err = bidding.ParseEnvelope([]byte(limits)); err != nil {
			return false, errUnreadable
		}
	}
	if extra := q.Get(fieldExtra); extra != "" && !readInts(extra, x.Extra[:]) {
		return false, errUnreadable
	}
	game, err := match.NewGame(match.Rules{Chips: x.Envelope.Chips, Extra: x.Extra, Defaults: x.Envelope.Defaults, Claims: match.Manual})
	var list []json.RawMessage
	if err != nil || json.Unmarshal([]byte(q.Get(fieldBids)), &list) != nil {
		return false, errUnreadable
	}
	x.games = []match.Game{game}
	for _, raw := range list {
		act, err := match.ParseAct(raw, match.FirstIsA)
		if err != nil {
			return false, errUnreadable
		}
		switch act := act.(type) {
		case match.BidPlaced:
			if x.Envelope.Check(act.Bid) != nil {
				return false, nil
			}
		case match.Drawn:
		default:
			return false, errUnreadable
		}
		if game, err = game.Do(act); err != nil {
			return false, nil // a bidding that could not go on so
		}
		x.Acts, x.games = append(x.Acts, act), append(x.games, game)
	}
	return true, nil
}

// Root returns the position on the board, with how near claims are.
func (x Explored) Root() search.Root { return x.roots[x.At] }

// Bids returns the bidding so far.
func (x Explored) Bids() bidding.State { return x.games[len(x.games)-1].Bids() }

// after returns the place after more actions.
func (x Explored) after(line ...board.Action) Explored {
	x.Line = append(slices.Clone(x.Line[:x.At]), line...)
	x.At = len(x.Line)
	return x
}

// at returns the place after some actions of the line.
func (x Explored) at(n int) Explored {
	x.At = min(max(n, 0), len(x.Line))
	return x
}

// afterAct returns the place after one more act of the bidding.
func (x Explored) afterAct(act match.Event) Explored {
	x.Acts = append(slices.Clone(x.Acts), act)
	return x
}
