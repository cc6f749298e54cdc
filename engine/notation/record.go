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

// ErrNotRecord is returned for anything that is not a game record (Rules 11).
var ErrNotRecord = errors.New("not a game record")

// Record is a game record (Rules 11). Actions and the values of other keys are raw, without
// white space.
type Record struct {
	First       match.Letters // the letter that bids first
	Chips       int
	Extra       [2]int // handicap, by seat; as a key extraChips: {"A":2}
	Claims      match.Claims
	HasDefaults bool
	Defaults    board.Features // Rules D20; without HasDefaults those of Rules 7
	Actions     []json.RawMessage
	Others      exact.Object // keys that the rules ignore, in order
}

// ParseRecord reads one record, or returns ErrNotRecord. It does not read actions: malformed ones
// are refused when they are replayed (Rules D26).
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
			extra = m.Value // by letter, so "first" has to be read before
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

// read reads one key other than extraChips.
func (r *Record) read(m exact.Member) error {
	switch m.Key {
	case "chpok":
		if n, ok := exact.Int(m.Value); !ok || n != 1 {
			return errors.New("the version must be 1")
		}
	case "first":
		letter, _ := exact.String(m.Value)
		if letter != "A" && letter != "B" {
			return errors.New(`must be "A" or "B"`)
		}
		r.First = match.Letters(letter[0])
	case "chips":
		n, ok := exact.Int(m.Value)
		if !ok || n < bidding.MinChips || n > bidding.MaxChips {
			return fmt.Errorf("must be a whole number, %d…%d", bidding.MinChips, bidding.MaxChips)
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

// readExtra reads a handicap: one letter with its extra chips.
func (r *Record) readExtra(raw json.RawMessage) error {
	o, err := exact.ParseObject(raw)
	if err != nil || len(o) != 1 || o[0].Key != "A" && o[0].Key != "B" {
		return errors.New(`must have one key, "A" or "B"`)
	}
	n, ok := exact.Int(o[0].Value)
	if !ok || n < 1 {
		return fmt.Errorf("must be a whole number, 1…%d", bidding.MaxExtra)
	}
	seat, _ := r.First.Seat(o[0].Key)
	r.Extra[seat.Index()] = n
	return bidding.ValidExtra(r.Extra)
}

// extraJSON returns the value of extraChips; nil without a handicap.
func (r Record) extraJSON() []byte {
	for _, seat := range match.Seats {
		if n := r.Extra[seat.Index()]; n > 0 {
			return fmt.Appendf(nil, `{"%s":%d}`, r.First.Of(seat), n)
		}
	}
	return nil
}

// NewGame returns the game before the first action.
func (r Record) NewGame() (match.Game, error) {
	return match.NewGame(match.Rules{Chips: r.Chips, Extra: r.Extra, Claims: r.Claims, Defaults: r.Defaults})
}

// MarshalJSON writes the keys of the rules, then the other keys, then the actions. ParseRecord
// reads it back to an equal value.
func (r Record) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"chpok":1,"first":"%c","chips":%d,"claims":"%s"`, r.First, r.Chips, r.Claims)
	if extra := r.extraJSON(); extra != nil {
		fmt.Fprintf(&b, `,"extraChips":%s`, extra)
	}
	if r.HasDefaults {
		fmt.Fprintf(&b, `,"defaults":%s`, featuresJSON(r.Defaults))
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

// Add adds a key to Others.
func (r *Record) Add(key string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("record: %s: %w", key, err)
	}
	r.Others = append(r.Others, exact.Member{Key: key, Value: raw})
	return nil
}

// quoted returns a JSON string without HTML escapes.
func quoted(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic(err) // a string always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
