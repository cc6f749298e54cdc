package notation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/exact"
	"chpok.org/chpok/engine/match"
)

// ErrNotRecord is the error for what is not a game record (Rules 11).
var ErrNotRecord = errors.New("not a game record")

// Record is a game record (Rules 11). Actions and the values of other keys are
// kept as they were written, without white space.
type Record struct {
	First       match.Letters // which letter bids first
	Chips       int
	Extra       [2]int // a handicap, by seat; the key extraChips: {"A":2}
	Claims      match.Claims
	HasDefaults bool
	Defaults    board.Features // Rules D20; section 7's without HasDefaults
	Actions     []json.RawMessage
	Others      exact.Object // keys that mean nothing to the rules, in their order
}

// ParseRecord reads one record; anything else is ErrNotRecord. Actions are not
// looked into: a malformed one is refused when it is replayed (Rules D26).
func ParseRecord(raw []byte) (Record, error) {
	r, err := parseRecord(raw)
	if err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrNotRecord, err)
	}
	return r, nil
}

func parseRecord(raw []byte) (Record, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return Record{}, err
	}
	o, err := exact.ParseObject(compact.Bytes())
	if err != nil {
		return Record{}, err
	}
	r := Record{Chips: bidding.DefaultChips, Defaults: board.DefaultFeatures()}
	for _, key := range []string{"chpok", "first", "actions"} {
		if !o.Has(key) {
			return Record{}, fmt.Errorf("key %q is missing", key)
		}
	}
	var extra json.RawMessage
	for _, m := range o {
		if m.Key == "extraChips" {
			extra = m.Value // by letter, and which letter sits first may stand later
			continue
		}
		if err := r.read(m); err != nil {
			return Record{}, fmt.Errorf("%s: %w", m.Key, err)
		}
	}
	if extra != nil {
		if err := r.readExtra(extra); err != nil {
			return Record{}, fmt.Errorf("extraChips: %w", err)
		}
	}
	return r, nil
}

func (r *Record) read(m exact.Member) error {
	switch m.Key {
	case "chpok":
		if n, ok := exact.Int(m.Value); !ok || n != 1 {
			return errors.New("the version is 1")
		}
	case "first":
		letter, _ := exact.String(m.Value)
		if letter != "A" && letter != "B" {
			return errors.New(`"A" or "B" bids first`)
		}
		r.First = match.Letters(letter[0])
	case "chips":
		n, ok := exact.Int(m.Value)
		if !ok || n < bidding.MinChips || n > bidding.MaxChips {
			return fmt.Errorf("a whole number of chips, %d…%d", bidding.MinChips, bidding.MaxChips)
		}
		r.Chips = n
	case "claims":
		word, _ := exact.String(m.Value)
		claims, err := match.ParseClaims(word)
		r.Claims = claims
		return err
	case "defaults":
		f, err := bidding.ParseFeatures(m.Value)
		r.HasDefaults, r.Defaults = true, f
		return err
	case "actions":
		list, err := exact.ParseArray(m.Value)
		r.Actions = list
		return err
	default:
		r.Others = append(r.Others, m)
	}
	return nil
}

// readExtra reads a handicap: one letter with the chips it has more.
func (r *Record) readExtra(raw json.RawMessage) error {
	o, err := exact.ParseObject(raw)
	if err != nil || len(o) != 1 || o[0].Key != "A" && o[0].Key != "B" {
		return errors.New(`"A" or "B" has more chips`)
	}
	n, ok := exact.Int(o[0].Value)
	if !ok || n < 1 {
		return fmt.Errorf("a whole number of chips, 1…%d", bidding.MaxExtra)
	}
	seat := match.First
	if r.First.Of(match.First) != o[0].Key {
		seat = match.Second
	}
	r.Extra[seat.Index()] = n
	return bidding.ValidExtra(r.Extra)
}

// extraJSON is a handicap as a record has it; nil without one.
func (r Record) extraJSON() []byte {
	for _, seat := range match.Seats {
		if n := r.Extra[seat.Index()]; n > 0 {
			return fmt.Appendf(nil, `{"%s":%d}`, r.First.Of(seat), n)
		}
	}
	return nil
}

// NewGame is the game of the record before its first action.
func (r Record) NewGame() (match.Game, error) {
	return match.NewGame(match.Rules{Chips: r.Chips, Extra: r.Extra, Claims: r.Claims, Defaults: r.Defaults})
}

// MarshalJSON writes the record: what the rules know first, then the other
// keys, then the actions. ParseRecord reads it back to an equal value.
func (r Record) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"chpok":1,"first":"%c","chips":%d,"claims":"%s"`, r.First, r.Chips, r.Claims)
	if extra := r.extraJSON(); extra != nil {
		fmt.Fprintf(&b, `,"extraChips":%s`, extra)
	}
	if r.HasDefaults {
		raw, err := json.Marshal(r.Defaults)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, `,"defaults":%s`, raw)
	}
	for _, m := range r.Others {
		fmt.Fprintf(&b, `,%s:%s`, quoted(m.Key), m.Value)
	}
	b.WriteString(`,"actions":[`)
	for i, a := range r.Actions {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(a)
	}
	b.WriteString("]}")
	return b.Bytes(), nil
}

// Add puts one more key beside the actions.
func (r *Record) Add(key string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("record: %s: %w", key, err)
	}
	r.Others = append(r.Others, exact.Member{Key: key, Value: raw})
	return nil
}

// quoted is a text as a JSON string, without escapes for HTML.
func quoted(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic(err) // a string always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
