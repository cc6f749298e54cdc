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

// CodecVersion is the version of the log. From the first tag on a change of what
// is written is a new version, and every tagged one stays readable:
// testdata/log-v*.jsonl holds logs of each.
const CodecVersion = 1

// Kinds of events in the log.
const (
	kindOpened  = "opened"
	kindReady   = "ready"
	kindStarted = "started"
	kindBid     = "bid"
	kindDraw    = "draw"
	kindPlay    = "play"
	kindUndo    = "undo"
	kindClaim   = "claim"
	kindResign  = "resign"
	kindFlag    = "flag"
	kindOutage  = "outage"
	kindEnded   = "ended"
)

// Kind is the kind an event has in the log.
func Kind(e Event) string {
	switch e.(type) {
	case Opened:
		return kindOpened
	case PlayerReady:
		return kindReady
	case Started:
		return kindStarted
	case BidPlaced:
		return kindBid
	case Drawn:
		return kindDraw
	case Played:
		return kindPlay
	case Undone:
		return kindUndo
	case Claimed:
		return kindClaim
	case Resigned:
		return kindResign
	case FlagFell:
		return kindFlag
	case OutageCredited:
		return kindOutage
	case Ended:
		return kindEnded
	}
	return kindOfArbiters(e)
}

type (
	jsonOptions struct {
		Envelope   bidding.Envelope `json:"envelope"`
		Claims     string           `json:"claims"`
		StartDelay int64            `json:"startDelay"`        // ms
		Lateness   int64            `json:"lateness"`          // ms
		BidTime    int64            `json:"bidTime,omitempty"` // ms
		Meet       int64            `json:"meet,omitempty"`    // ms
		OnClaim    bool             `json:"onClaim,omitempty"`
		Untimed    bool             `json:"untimed,omitempty"`
		Extra      *[2]int          `json:"extra,omitempty"`
		Odds       bool             `json:"odds,omitempty"`
	}
	jsonOpened struct {
		Options    jsonOptions `json:"options"`
		Seed       string      `json:"seed,omitempty"`
		Commitment string      `json:"commitment"`
	}
	jsonReady struct {
		By     string `json:"by"`
		Seal   string `json:"seal,omitempty"`
		Sealed int    `json:"sealed,omitempty"`
	}
	jsonStarted struct {
		Odds  string     `json:"odds,omitempty"` // who has them
		Bids  *[2]int    `json:"bids,omitempty"`
		Salts *[2]string `json:"salts,omitempty"`
	}
	jsonOutage struct {
		By    string `json:"by,omitempty"` // none: the wait for the players
		From  int64  `json:"from"`         // ms since 1970, UTC
		To    int64  `json:"to"`
		Given int64  `json:"given"` // ms
	}
	jsonEnded struct {
		Outcome string `json:"outcome"`
		Reason  Reason `json:"reason"`
		Points  [2]int `json:"points"` // A, B
	}
)

// Encode writes an event for the log. The acts of the game have the JSON of
// records (Rules 11), with A for First; every other kind its own.
func Encode(e Event) (kind string, version int, body []byte, err error) {
	kind, version = Kind(e), CodecVersion
	switch e := e.(type) {
	case Opened:
		j := jsonOpened{Options: jsonOptions{
			Envelope: e.Options.Envelope, Claims: e.Options.Claims.String(),
			StartDelay: e.Options.StartDelay.Milliseconds(), Lateness: e.Options.Lateness.Milliseconds(),
			BidTime: e.Options.BidTime.Milliseconds(), Meet: e.Options.Meet.Milliseconds(), OnClaim: e.Options.OnClaim, Untimed: e.Options.Untimed,
			Odds: e.Options.Odds,
		}, Commitment: e.Commitment}
		if e.Options.Extra != [2]int{} {
			j.Options.Extra = &e.Options.Extra
		}
		if e.Seed != (Seed{}) {
			j.Seed = e.Seed.String()
		}
		body, err = json.Marshal(j)
	case PlayerReady:
		body, err = json.Marshal(jsonReady{FirstIsA.Of(e.Seat), e.Seal, e.Sealed})
	case Started:
		var j jsonStarted
		if e.Odds.Seat.Valid() {
			j = jsonStarted{FirstIsA.Of(e.Odds.Seat), &e.Odds.Bids, &e.Odds.Salts}
		}
		body, err = json.Marshal(j)
	case OutageCredited:
		j := jsonOutage{From: e.From.UnixMilli(), To: e.To.UnixMilli(), Given: e.Given.Milliseconds()}
		if e.Seat.Valid() {
			j.By = FirstIsA.Of(e.Seat)
		}
		body, err = json.Marshal(j)
	case Ended:
		body, err = json.Marshal(jsonEnded{e.Result.Outcome.String(), e.Result.Reason, e.Result.Points})
	case Called, Paused, Resumed, ClockSet, TakenBack, Declared, MadeVoid, Reopened, Appointed, ForfeitClaimed, WaitExtended:
		body, err = encodeArbiter(e)
	default:
		body, err = FormatAct(e, FirstIsA)
	}
	if err != nil {
		return "", 0, nil, fmt.Errorf("encode %T: %w", e, err)
	}
	return kind, version, body, nil
}

// Decode reads what Encode wrote. It refuses unknown kinds and versions, missing
// and unknown keys, and wrong types.
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
	switch kind {
	case kindOpened:
		return decodeOpened(o)
	case kindReady:
		return decodeReady(o)
	case kindStarted:
		return decodeStarted(o)
	case kindOutage:
		return decodeOutage(o)
	case kindEnded:
		return decodeEnded(o)
	case kindBid, kindDraw, kindPlay, kindUndo, kindClaim, kindResign, kindFlag:
		return decodeAct(kind, body, o)
	}
	return decodeArbiter(kind, o)
}

func decodeAct(kind string, body []byte, o exact.Object) (Event, error) {
	e, err := ParseAct(body, FirstIsA)
	if err != nil {
		return nil, err
	}
	if Kind(e) != kind {
		return nil, fmt.Errorf("the body is of kind %q", Kind(e))
	}
	switch e := e.(type) {
	case Played:
		if e.Action.Kind() == board.NoAction {
			return nil, errors.New("the act is no action")
		}
	case Drawn:
		if e.Draw.Target == bidding.White {
			return e, keys(o, "draw", "white")
		}
		return e, keys(o, "draw", "minutes", "increment")
	case FlagFell:
		return e, keys(o, "flag")
	case BidPlaced:
		return e, keys(o, "by", "bid")
	}
	return e, keys(o, "by", "act")
}

func decodeOpened(o exact.Object) (Event, error) {
	want := []string{"options", "commitment"}
	if o.Has("seed") {
		want = append(want, "seed")
	}
	if err := keys(o, want...); err != nil {
		return nil, err
	}
	var e Opened
	raw, _ := o.Get("commitment")
	var ok bool
	if e.Commitment, ok = exact.String(raw); !ok {
		return nil, errors.New("commitment is text")
	}
	if raw, ok := o.Get("seed"); ok {
		text, _ := exact.String(raw)
		var err error
		if e.Seed, err = ParseSeed(text); err != nil {
			return nil, err
		}
	}
	raw, _ = o.Get("options")
	options, err := exact.ParseObject(raw)
	if err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	want = []string{"envelope", "claims", "startDelay", "lateness"}
	for _, key := range []string{"bidTime", "meet", "onClaim", "untimed", "extra", "odds"} {
		if options.Has(key) {
			want = append(want, key)
		}
	}
	if err := keys(options, want...); err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	raw, _ = options.Get("envelope")
	if e.Options.Envelope, err = bidding.ParseEnvelope(raw); err != nil {
		return nil, err
	}
	raw, _ = options.Get("claims")
	word, _ := exact.String(raw)
	if e.Options.Claims, err = ParseClaims(word); err != nil {
		return nil, err
	}
	for key, into := range map[string]*bool{"onClaim": &e.Options.OnClaim, "untimed": &e.Options.Untimed, "odds": &e.Options.Odds} {
		if raw, ok := options.Get(key); ok {
			if *into = string(raw) == "true"; !*into {
				return nil, errors.New(key + " is true or missing")
			}
		}
	}
	if raw, ok := options.Get("extra"); ok {
		if e.Options.Extra, err = decodeExtra(raw); err != nil {
			return nil, err
		}
	}
	for key, into := range map[string]*time.Duration{
		"startDelay": &e.Options.StartDelay, "lateness": &e.Options.Lateness, "bidTime": &e.Options.BidTime, "meet": &e.Options.Meet,
	} {
		if !options.Has(key) {
			continue
		}
		if *into, err = milliseconds(options, key); err != nil {
			return nil, err
		}
	}
	return e, e.Options.Validate()
}

func decodeReady(o exact.Object) (e PlayerReady, err error) {
	raw, _ := o.Get("by")
	ok := true
	if e.Seat, ok = FirstIsA.seat(raw); !ok {
		return e, errors.New("by names no player")
	}
	want := []string{"by"}
	if raw, has := o.Get("seal"); has {
		want = append(want, "seal")
		e.Seal, ok = exact.String(raw)
	}
	if raw, has := o.Get("sealed"); ok && has {
		want = append(want, "sealed")
		e.Sealed, ok = exact.Int(raw)
	}
	if !ok {
		return e, errors.New("a seal is text, what it hides a number")
	}
	return e, keys(o, want...)
}

func decodeStarted(o exact.Object) (e Started, err error) {
	if !o.Has("odds") {
		return e, keys(o)
	}
	if err := keys(o, "odds", "bids", "salts"); err != nil {
		return e, err
	}
	raw, _ := o.Get("odds")
	var ok bool
	if e.Odds.Seat, ok = FirstIsA.seat(raw); !ok {
		return e, errors.New("odds names no player")
	}
	raw, _ = o.Get("bids")
	bids, err := exact.ParseArray(raw)
	if err != nil {
		return e, err
	}
	raw, _ = o.Get("salts")
	salts, err := exact.ParseArray(raw)
	if err != nil || len(bids) != 2 || len(salts) != 2 {
		return e, errors.New("there are two bids and two salts")
	}
	for i := range 2 {
		chips, isNumber := exact.Int(bids[i])
		salt, isText := exact.String(salts[i])
		if !isNumber || !isText {
			return e, errors.New("a bid is a number, a salt is text")
		}
		e.Odds.Bids[i], e.Odds.Salts[i] = chips, salt
	}
	return e, nil
}

func decodeExtra(raw json.RawMessage) (extra [2]int, err error) {
	list, err := exact.ParseArray(raw)
	if err != nil || len(list) != 2 {
		return extra, errors.New("extra is a list of two numbers")
	}
	for i, one := range list {
		var ok bool
		if extra[i], ok = exact.Int(one); !ok {
			return extra, errors.New("extra is a list of two numbers")
		}
	}
	if extra == [2]int{} {
		return extra, errors.New("extra is missing where nobody has any")
	}
	return extra, nil
}

func decodeOutage(o exact.Object) (Event, error) {
	var e OutageCredited
	want := []string{"from", "to", "given"}
	if raw, ok := o.Get("by"); ok {
		if e.Seat, ok = FirstIsA.seat(raw); !ok {
			return nil, errors.New("by names no player")
		}
		want = append(want, "by")
	}
	if err := keys(o, want...); err != nil {
		return nil, err
	}
	var ms [3]time.Duration
	for i, key := range want[:3] {
		var err error
		if ms[i], err = milliseconds(o, key); err != nil {
			return nil, err
		}
	}
	e.From, e.To = time.UnixMilli(ms[0].Milliseconds()).UTC(), time.UnixMilli(ms[1].Milliseconds()).UTC()
	e.Given = ms[2]
	return e, nil
}

func decodeEnded(o exact.Object) (Event, error) {
	if err := keys(o, "outcome", "reason", "points"); err != nil {
		return nil, err
	}
	var r Result
	raw, _ := o.Get("outcome")
	word, _ := exact.String(raw)
	i := slices.Index(outcomeNames[:], word)
	if i < 1 {
		return nil, fmt.Errorf("there is no outcome %q", word)
	}
	r.Outcome = Outcome(i)
	raw, _ = o.Get("reason")
	word, ok := exact.String(raw)
	if r.Reason = Reason(word); !ok || !r.Reason.Valid() {
		return nil, fmt.Errorf("there is no reason %q", word)
	}
	raw, _ = o.Get("points")
	list, err := exact.ParseArray(raw)
	if err != nil || len(list) != 2 {
		return nil, errors.New("points are two whole numbers")
	}
	for i, item := range list {
		if r.Points[i], ok = exact.Int(item); !ok {
			return nil, errors.New("points are two whole numbers")
		}
	}
	return Ended{r}, nil
}

// milliseconds reads a whole number of milliseconds.
func milliseconds(o exact.Object, key string) (time.Duration, error) {
	raw, _ := o.Get(key)
	n, ok := exact.Int(raw)
	const most = int(1<<63-1) / int(time.Millisecond)
	if !ok || n > most || n < -most {
		return 0, fmt.Errorf("%s is a whole number of milliseconds", key)
	}
	return time.Duration(n) * time.Millisecond, nil
}

// keys refuses an object whose keys are not exactly these.
func keys(o exact.Object, want ...string) error {
	for _, key := range want {
		if !o.Has(key) {
			return fmt.Errorf("key %q is missing", key)
		}
	}
	for _, m := range o {
		if !slices.Contains(want, m.Key) {
			return fmt.Errorf("unknown key %q", m.Key)
		}
	}
	return nil
}
