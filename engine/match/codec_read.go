package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/exact"
)

// Decode reads what Encode wrote. It refuses unknown kinds and versions, missing and unknown
// keys, and wrong types.
func Decode(kind string, version int, body []byte) (Event, error) {
	e, err := decode(kind, version, body)
	if err != nil {
		return nil, fmt.Errorf("decode event %q version %d: %w", kind, version, err)
	}
	return e, nil
}

func decode(kind string, version int, body []byte) (Event, error) {
	if version != CodecVersion {
		return nil, errors.New("unknown version")
	}
	o, err := exact.ParseObject(body)
	if err != nil {
		return nil, err
	}
	r := &reader{o: o}
	var e Event
	switch kind {
	case kindBid, kindDraw, kindPlay, kindUndo, kindClaim, kindResign, kindFlag:
		e = r.act(kind, body)
	case kindOpened:
		e = r.opened()
	case kindReady:
		r.keys([]string{"by"}, "seal", "sealed")
		e = PlayerReady{Seat: r.seat("by"), Seal: r.text("seal"), Sealed: read(r, "sealed", "a whole number", exact.Int)}
	case kindStarted:
		e = r.started()
	case kindOutage:
		r.keys([]string{"from", "to", "given"}, "by")
		e = OutageCredited{Seat: r.seat("by"), From: r.time("from"), To: r.time("to"), Given: read(r, "given", msName, parseMs)}
	case kindEnded:
		r.keys([]string{"outcome", "reason", "points"})
		e = Ended{Result{Outcome: r.outcome(), Reason: r.reason(), Points: read(r, "points", "two whole numbers", pair(exact.Int))}}
	default:
		e = r.ruling(kind)
	}
	return e, r.err
}

// reader reads the keys of an event. The first error stays. Keys that are missing read as zero
// values: keys refuses them if they are required.
type reader struct {
	o   exact.Object
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// check fails with an error, if there is one.
func (r *reader) check(err error) {
	if err != nil {
		r.fail("%w", err)
	}
}

// keys refuses missing and unknown keys.
func (r *reader) keys(required []string, optional ...string) {
	for _, key := range required {
		if !r.o.Has(key) {
			r.fail("key %q is missing", key)
		}
	}
	for _, m := range r.o {
		if !slices.Contains(required, m.Key) && !slices.Contains(optional, m.Key) {
			r.fail("unknown key %q", m.Key)
		}
	}
}

// read parses the value of a key; what names the values that parse accepts.
func read[T any](r *reader, key, what string, parse func(json.RawMessage) (T, bool)) (value T) {
	raw, has := r.o.Get(key)
	if !has {
		return value
	}
	value, ok := parse(raw)
	if !ok {
		r.fail("%s must be %s", key, what)
	}
	return value
}

// pair parses an array of two values.
func pair[T any](parse func(json.RawMessage) (T, bool)) func(json.RawMessage) ([2]T, bool) {
	return func(raw json.RawMessage) (values [2]T, ok bool) {
		list, err := exact.ParseArray(raw)
		if err != nil || len(list) != 2 {
			return values, false
		}
		for i := range values {
			if values[i], ok = parse(list[i]); !ok {
				return values, false
			}
		}
		return values, true
	}
}

const msName = "a whole number of milliseconds"

func parseMs(raw json.RawMessage) (time.Duration, bool) {
	n, ok := exact.Int(raw)
	const most = int(1<<63-1) / int(time.Millisecond)
	return time.Duration(n) * time.Millisecond, ok && n <= most && n >= -most
}

// parseLeft parses the time of a clock.
func parseLeft(raw json.RawMessage) (time.Duration, bool) {
	d, ok := parseMs(raw)
	return d, ok && d >= 0 && d <= MaxClock
}

func parsePositive(raw json.RawMessage) (int64, bool) {
	n, ok := exact.Int(raw)
	return int64(n), ok && n > 0
}

func parseTrue(raw json.RawMessage) (value, ok bool) { return true, string(raw) == "true" }

func parseBool(raw json.RawMessage) (value, ok bool) {
	return string(raw) == "true", string(raw) == "true" || string(raw) == "false"
}

func (r *reader) text(key string) string { return read(r, key, "text", exact.String) }

func (r *reader) seat(key string) Seat { return read(r, key, "A or B", FirstIsA.seat) }

func (r *reader) time(key string) time.Time {
	return time.UnixMilli(read(r, key, msName, parseMs).Milliseconds()).UTC()
}

func (r *reader) outcome() Outcome {
	return read(r, "outcome", "an outcome", func(raw json.RawMessage) (Outcome, bool) {
		word, _ := exact.String(raw)
		i := slices.Index(outcomeNames[:], word)
		return Outcome(i), i > 0
	})
}

func (r *reader) reason() Reason {
	return read(r, "reason", "a reason", func(raw json.RawMessage) (Reason, bool) {
		word, _ := exact.String(raw)
		return Reason(word), Reason(word).Valid()
	})
}

func (r *reader) warrant() Warrant {
	w := Warrant{r.text("arbiter"), r.text("why")}
	r.check(w.check())
	return w
}

// act reads an act of the game.
func (r *reader) act(kind string, body []byte) Event {
	e, err := ParseAct(body, FirstIsA)
	if err != nil {
		r.check(err)
		return nil
	}
	if e.kind() != kind {
		r.fail("the body is of kind %q", e.kind())
	}
	switch e := e.(type) {
	case Drawn:
		if e.Draw.Target == bidding.White {
			r.keys([]string{"draw", "white"})
		} else {
			r.keys([]string{"draw", "minutes", "increment"})
		}
	case FlagFell:
		r.keys([]string{"flag"})
	case BidPlaced:
		r.keys([]string{"by", "bid"})
	default:
		r.keys([]string{"by", "act"})
		if p, ok := e.(Played); ok && p.Action.Kind() == board.NoAction {
			r.fail("no such act")
		}
	}
	return e
}

func (r *reader) opened() Event {
	r.keys([]string{"options", "commitment"}, "seed")
	e := Opened{Commitment: r.text("commitment")}
	if r.o.Has("seed") {
		seed, err := ParseSeed(r.text("seed"))
		r.check(err)
		e.Seed = seed
	}
	raw, _ := r.o.Get("options")
	o, err := exact.ParseObject(raw)
	if err != nil {
		r.fail("options: %w", err)
		return e
	}
	options := &reader{o: o}
	e.Options = options.options()
	if options.err != nil {
		r.fail("options: %w", options.err)
	}
	r.check(e.Options.Validate())
	return e
}

func (r *reader) options() (o Options) {
	r.keys([]string{"envelope", "claims", "startDelay", "lateness"}, "bidTime", "meet", "onClaim", "byMove", "untimed", "extra", "odds",
		"newcomer")
	raw, _ := r.o.Get("envelope")
	var err error
	o.Envelope, err = bidding.ParseEnvelope(raw)
	r.check(err)
	o.Claims, err = ParseClaims(r.text("claims"))
	r.check(err)
	o.StartDelay = read(r, "startDelay", msName, parseMs)
	o.Lateness = read(r, "lateness", msName, parseMs)
	o.BidTime = read(r, "bidTime", msName, parseMs)
	o.Meet = read(r, "meet", msName, parseMs)
	o.OnClaim = read(r, "onClaim", "true", parseTrue)
	o.ByMove = read(r, "byMove", "true", parseTrue)
	o.Untimed = read(r, "untimed", "true", parseTrue)
	o.Odds = read(r, "odds", "true", parseTrue)
	if o.Extra = read(r, "extra", "two whole numbers", pair(exact.Int)); r.o.Has("extra") && o.Extra == [2]int{} {
		r.fail("extra must be missing if nobody has any")
	}
	if o.Newcomer = read(r, "newcomer", "two of true and false", pair(parseBool)); r.o.Has("newcomer") && o.Newcomer == [2]bool{} {
		r.fail("newcomer must be missing if nobody is one")
	}
	return o
}

func (r *reader) started() Event {
	if !r.o.Has("odds") {
		r.keys(nil)
		return Started{}
	}
	r.keys([]string{"odds", "bids", "salts"})
	return Started{Odds{
		Seat: r.seat("odds"),
		Bids: read(r, "bids", "two whole numbers", pair(exact.Int)), Salts: read(r, "salts", "two texts", pair(exact.String)),
	}}
}

// ruling reads an event of an arbiter, or one that waits or calls for somebody.
func (r *reader) ruling(kind string) Event {
	switch kind {
	case kindCalled:
		r.keys([]string{"by", "stops"})
		return Called{r.seat("by"), read(r, "stops", "true or false", parseBool)}
	case kindPaused:
		r.keys([]string{"arbiter", "why"})
		return Paused{r.warrant()}
	case kindResumed:
		if r.o.Has("by") {
			r.keys([]string{"by"})
			return Resumed{Seat: r.seat("by")}
		}
		r.keys([]string{"arbiter", "why"})
		return Resumed{Warrant: r.warrant()}
	case kindClockSet:
		r.keys([]string{"by", "arbiter", "why", "left"})
		return ClockSet{r.warrant(), r.seat("by"), read(r, "left", msName, parseLeft)}
	case kindTakenBack:
		r.keys([]string{"arbiter", "why", "to"})
		return TakenBack{r.warrant(), read(r, "to", "a whole number above 0", parsePositive)}
	case kindDeclared:
		r.keys([]string{"arbiter", "why", "outcome", "reason"})
		e := Declared{r.warrant(), r.outcome(), r.reason()}
		if e.Outcome > BothLose || e.Reason != Adjudicated && e.Reason != Forfeit {
			r.fail("no such result can be declared")
		}
		return e
	case kindVoided:
		r.keys([]string{"arbiter", "why"}, "next")
		e := MadeVoid{r.warrant(), ID(r.text("next"))}
		if r.o.Has("next") && e.Next == "" {
			r.fail("next must not be empty")
		}
		return e
	case kindReopened:
		r.keys([]string{"arbiter", "why", "to", "left"})
		return Reopened{r.warrant(), read(r, "to", "a whole number above 0", parsePositive), read(r, "left", "two times", pair(parseLeft))}
	case kindForfeit:
		r.keys([]string{"by"})
		return ForfeitClaimed{r.seat("by")}
	case kindWait:
		r.keys([]string{"arbiter", "why", "left"})
		return WaitExtended{r.warrant(), read(r, "left", msName, parseLeft)}
	case kindAppointed:
		r.keys([]string{"by", "at"})
		return Appointed{r.seat("by"), time.UnixMilli(read(r, "at", "a whole number above 0", parsePositive)).UTC()}
	}
	r.fail("unknown kind")
	return nil
}
