package fairplay_test

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	. "chpok.org/chpok/fairplay"
	"chpok.org/chpok/refusal"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestEveryPresetHoldsAndDemandsMoreThanTheOneBelow(t *testing.T) {
	t.Parallel()
	for i, level := range Levels {
		if err := Preset(level).Validate(); err != nil {
			t.Errorf("%s: %v", level, err)
		}
		if i > 0 && level != Supervised && !Preset(level).AtLeast(Preset(Levels[i-1])) {
			t.Errorf("%s demands less than %s", level, Levels[i-1])
		}
	}
	v := Preset(Verified)
	if v.Feed != (Delay{Plies: 6, Seconds: 120}) || v.Moves != Signed || v.Clock.Minutes != [2]int{3, 25} || v.Clock.Increment != [2]int{2, 10} {
		t.Errorf("Verified is not the table's: %+v", v)
	}
	if s := Preset(Supervised); s.Clock != Preset(Open).Clock || !s.Steward { // "any" clock: somebody watches
		t.Errorf("Supervised is not the table's: %+v", s)
	}
}

// drawPolicy is a policy of any level, tightened here and there.
func drawPolicy(t *rapid.T, name string) Policy {
	p := Preset(rapid.SampledFrom(Levels).Draw(t, name+" level"))
	p.Bots = p.Bots && rapid.Bool().Draw(t, name+" bots")
	p.Text = p.Text || rapid.Bool().Draw(t, name+" text")
	if p.Attestations += rapid.IntRange(0, 2).Draw(t, name+" attestations"); p.Attestations > 0 {
		p.MaxAgeDays = rapid.IntRange(1, 400).Draw(t, name+" age")
	}
	if p.CheckIn.Demanded = p.CheckIn.Demanded || rapid.Bool().Draw(t, name+" check-in"); p.CheckIn.Demanded {
		p.CheckIn.Within, p.CheckIn.Grace = rapid.IntRange(1, 600).Draw(t, name+" within"), rapid.IntRange(1, 45).Draw(t, name+" grace")
		p.CheckIn.OneDevice = rapid.Bool().Draw(t, name+" one device")
		if p.Level > Open {
			p.CheckIn.MidMatch = rapid.IntRange(0, 100).Draw(t, name+" mid-match")
		}
		p.Moves = Channel(rapid.IntRange(int(p.Moves), int(Signed)).Draw(t, name+" moves"))
	}
	p.OneSession = p.OneSession || rapid.Bool().Draw(t, name+" session")
	p.Telemetry = p.Telemetry || rapid.Bool().Draw(t, name+" telemetry")
	p.Steward = p.Steward || rapid.Bool().Draw(t, name+" steward")
	p.Clock.Minutes[0] += rapid.IntRange(0, 3).Draw(t, name+" from")
	p.Clock.Minutes[1] -= rapid.IntRange(0, 3).Draw(t, name+" to")
	p.Feed.Plies += rapid.IntRange(0, 5).Draw(t, name+" plies")
	p.Feed.Seconds += rapid.IntRange(0, 500).Draw(t, name+" seconds")
	return p
}

func TestTighteningNeverLoosens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, q, r := drawPolicy(t, "p"), drawPolicy(t, "q"), drawPolicy(t, "r")
		if err := p.Validate(); err != nil {
			t.Fatalf("a tightened preset is refused: %v", err)
		}
		both := p.Tighten(q)
		if !both.AtLeast(p) || !both.AtLeast(q) {
			t.Fatalf("looser than one of the two: %+v", both)
		}
		if both != q.Tighten(p) || p.Tighten(p) != p || both.Tighten(r) != p.Tighten(q.Tighten(r)) {
			t.Fatal("order or repetition counts")
		}
		if p.Hash() == q.Hash() && p != q {
			t.Fatal("two policies have one hash")
		}
	})
}

// loosened is a policy with one leaf made the loosest value there is.
func loosened(v reflect.Value, path string, base Policy, visit func(path string, p Policy), whole *Policy) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			loosened(v.Field(i), path+"."+v.Type().Field(i).Name, base, visit, whole)
		}
	case reflect.Array: // low end down, high end up
		old := v.Interface()
		v.Index(0).SetInt(-1)
		visit(path+" from", *whole)
		v.Set(reflect.ValueOf(old))
		v.Index(1).SetInt(1 << 20)
		visit(path+" to", *whole)
		v.Set(reflect.ValueOf(old))
	default:
		old := reflect.ValueOf(v.Interface())
		switch {
		case strings.HasSuffix(path, ".Bots"):
			v.SetBool(true)
		case v.Kind() == reflect.Bool:
			v.SetBool(false)
		case strings.HasSuffix(path, "MaxAgeDays"), strings.HasSuffix(path, "Within"), strings.HasSuffix(path, "Grace"):
			v.SetInt(1 << 20)
		case v.CanInt():
			v.SetInt(v.Int() - 1)
		default:
			v.SetUint(v.Uint() - 1)
		}
		visit(path, *whole)
		v.Set(old)
	}
}

func TestNoFieldOfAPresetCanBeLoosened(t *testing.T) {
	t.Parallel()
	visited := 0
	base := Preset(Supervised)
	whole := base
	loosened(reflect.ValueOf(&whole).Elem(), "", base, func(path string, p Policy) {
		if path == ".Level" {
			return // then it is another level, with a preset of its own
		}
		if path == ".CheckIn.OneDevice" {
			return // no preset demands it
		}
		visited++
		if err := p.Validate(); len(faulty(err)) == 0 {
			t.Errorf("%s loosened to %+v is not refused: %v", path, p, err)
		}
		if got := base.Tighten(p); !got.AtLeast(base) {
			t.Errorf("%s: tightening a preset by something looser gave %+v", path, got)
		}
	}, &whole)
	if visited != 18 {
		t.Errorf("%d places of a policy were tried, there are 18", visited)
	}
	if whole != base {
		t.Error("the walk left something behind")
	}
	prizes := base.ForPrizes()
	whole = prizes
	loosened(reflect.ValueOf(&whole).Elem(), "", prizes, func(path string, p Policy) {
		if got := prizes.Tighten(p); p == prizes || !got.AtLeast(prizes) {
			t.Errorf("%s: tightening what prizes ask for by something looser gave %+v", path, got)
		}
	}, &whole)
}

func TestAPolicysHashIsOfItsCanonicalText(t *testing.T) {
	t.Parallel()
	p := Preset(Declared)
	raw, err := Canonical(p.Document())
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"attestations":0,"bots":false,"check_in":{"demanded":false,"grace_s":0,"mid_match":0,"within_s":0},` +
		`"clock":{"increment_s":[0,60],"minutes":[1,180]},"feed":{"plies":0,"seconds":0},"format":"chpok-policy/1","level":"declared",` +
		`"max_age_days":0,"moves":"board","one_session":false,"steward":false,"telemetry":false,"text":true}`
	if string(raw) != want {
		t.Errorf("canonical text\n%s\nwant\n%s", raw, want)
	}
	back, err := ParsePolicy(raw)
	if err != nil || back != p || back.Hash() != p.Hash() {
		t.Errorf("read back: %+v, %v", back, err)
	}
	if _, err := ParsePolicy([]byte(`{"format":"chpok-policy/1","level":"open","camera":true}`)); err == nil {
		t.Error("a policy with a demand we do not know is read")
	}
}

func TestAPolicyIsWrittenAsALevelAndWhatTightensIt(t *testing.T) {
	t.Parallel()
	tight := Preset(Verified)
	tight.Feed.Seconds, tight.Clock.Minutes = 300, [2]int{5, 10}
	known := Preset(Declared)
	known.Attestations, known.MaxAgeDays = 1, 400
	for _, test := range []struct {
		text string
		want Policy
	}{
		{`{"level":"open"}`, Preset(Open)},
		{`{"level":"supervised"}`, Preset(Supervised)},
		{`{"level":"verified","feed":{"seconds":300},"clock":{"minutes":[5,10]}}`, tight},
		{`{"level":"verified","prizes":true}`, Preset(Verified).ForPrizes()},
		{`{"level":"declared","attestations":1}`, known},
		{`{"level":"verified","telemetry":false}`, Policy{}}, // read, and refused by Validate
	} {
		got, err := ReadPolicy([]byte(test.text))
		if test.want == (Policy{}) {
			if err != nil || got.Validate() == nil {
				t.Errorf("%s: %v, and it holds: %+v", test.text, err, got)
			}
			continue
		}
		if err != nil || got != test.want {
			t.Errorf("%s: %+v, %v, want %+v", test.text, got, err, test.want)
		}
		raw, err := json.Marshal(got)
		if back, err2 := ReadPolicy(raw); err != nil || err2 != nil || back != got {
			t.Errorf("%s: what is written is read as %+v, %v", test.text, back, err2)
		}
	}
	for _, bad := range []string{``, `{}`, `[]`, `{"level":"secret"}`, `{"level":"open","camera":true}`, `{"level":"open","check_in":{"face":true}}`} {
		if p, err := ReadPolicy([]byte(bad)); err == nil {
			t.Errorf("%s: read as %+v", bad, p)
		}
	}
}

func TestAPolicyNarrowsTheClock(t *testing.T) {
	t.Parallel()
	e := bidding.DefaultEnvelope()
	got, err := Preset(Verified).Narrow(e)
	if err != nil || got.Minutes != [2]int{3, 25} || got.Increment != [2]int{2, 10} || len(got.Presets) != 4 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := Preset(Declared).Narrow(e); err != nil || got.Minutes != e.Minutes {
		t.Errorf("Declared narrows: %+v, %v", got, err)
	}
	e.Minutes = [2]int{60, 90}
	e.Presets = []bidding.TimeControl{{Minutes: 60}}
	if _, err := Preset(Verified).Narrow(e); err == nil {
		t.Error("an hour each goes for Verified")
	}
}

func TestWhoMeetsTheDemands(t *testing.T) {
	t.Parallel()
	full := Standing{Human: true, Accepted: true, Known: []Voucher{{By: "olena", Days: 400}}, Passkeys: 1}
	for _, test := range []struct {
		name  string
		level Assurance
		s     Standing
		want  []Demand
	}{
		{"Open asks for nothing", Open, Standing{Human: true}, nil},
		{"not even that one is human", Open, Standing{}, nil},
		{"Declared asks for the promise", Declared, Standing{Human: true}, []Demand{DemandText}},
		{"it was given", Declared, Standing{Human: true, Accepted: true}, nil},
		{"a bot cannot give it", Declared, Standing{Accepted: true}, []Demand{DemandHuman}},
		{"Verified asks for all of it", Verified, Standing{}, []Demand{DemandHuman, DemandAttestation, DemandPasskey, DemandText}},
		{"and gets it", Verified, full, nil},
		{"an arbiter may let things pass", Verified, Standing{Human: true, Accepted: true, Waived: []Demand{DemandAttestation, DemandPasskey}}, nil},
		{"but not that one is no bot", Verified, Standing{Waived: []Demand{DemandHuman, DemandText, DemandAttestation, DemandPasskey}}, []Demand{DemandHuman}},
		{"who need not check in needs no passkey", Verified, Standing{Human: true, Accepted: true, Known: []Voucher{{By: "olena", Days: 1}}, Waived: []Demand{DemandCheckIn}}, nil},
	} {
		if got := Preset(test.level).Unmet(test.s); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestAnEventWithPrizesDemandsMore(t *testing.T) {
	t.Parallel()
	p := Preset(Verified).ForPrizes()
	if err := p.Validate(); err != nil || !p.AtLeast(Preset(Verified)) || p.Attestations != 2 || !p.CheckIn.OneDevice || p.CheckIn.MidMatch != 50 {
		t.Fatalf("%+v, %v", p, err)
	}
	if p.ForPrizes() != p || p.Hash() == Preset(Verified).Hash() {
		t.Error("a second time changes it, or its hash is the level's")
	}
	declared := Preset(Declared).ForPrizes()
	if err := declared.Validate(); !slices.Equal(faulty(err), []string{"one_device", "mid_match"}) {
		t.Errorf("no check-in, but a key of one device: %v", err)
	}
	two := Standing{Human: true, Accepted: true, Known: []Voucher{{By: "olena", Days: 1}, {By: "taras", Days: 2}}}
	for _, test := range []struct {
		name            string
		passkeys, bound int
		known           int
		waived          []Demand
		want            []Demand
	}{
		{"a key of one device will do", 1, 1, 2, nil, nil},
		{"as one of several", 3, 1, 2, nil, nil},
		{"a synced key will not", 2, 0, 2, nil, []Demand{DemandOneDevice}},
		{"without any key that alone is told", 0, 0, 2, nil, []Demand{DemandPasskey}},
		{"one club is too few", 1, 1, 1, nil, []Demand{DemandAttestation}},
		{"an arbiter may let a synced key pass", 1, 0, 2, []Demand{DemandOneDevice}, nil},
		{"who need not check in needs no key", 1, 0, 2, []Demand{DemandCheckIn}, nil},
	} {
		s := two
		s.Passkeys, s.Bound, s.Known, s.Waived = test.passkeys, test.bound, two.Known[:test.known], test.waived
		if got := p.Unmet(s); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// good is everything that Supervised wants of a seat.
func good(seat match.Seat, more ...Fact) Seat {
	return Seat{Facts: append([]Fact{
		{Kind: TextAccepted, Seat: seat, At: noon}, {Kind: Attested, Seat: seat, At: noon, Count: 1},
		{Kind: CheckedIn, Seat: seat, At: noon}, {Kind: StewardSigned, Seat: seat, At: noon},
	}, more...)}
}

func without(s Seat, kind FactKind) Seat {
	var kept []Fact
	for _, f := range s.Facts {
		if f.Kind != kind {
			kept = append(kept, f)
		}
	}
	return Seat{Bot: s.Bot, Facts: kept}
}

func TestWhatIsAchievedIsTheLowestThatHappened(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		level  Assurance
		second Seat
		want   Assurance
		key    string
	}{
		{"all of Supervised", Supervised, good(match.Second), Supervised, ""},
		{"all of Verified", Verified, good(match.Second), Verified, ""},
		{"nothing of Open", Open, Seat{}, Open, ""},
		{"a bot in an open match is told", Open, Seat{Bot: true}, Open, "bot"},
		{"no check-in", Verified, without(good(match.Second), CheckedIn), Declared, "no-check-in"},
		{"present by the steward's word", Verified, without(good(match.Second, Fact{Kind: CheckedByCode, Seat: match.Second}), CheckedIn), Verified, "checked-by-code"},
		{"nobody knows him", Verified, without(good(match.Second), Attested), Declared, "not-attested"},
		{"he promised nothing", Declared, without(good(match.Second), TextAccepted), Open, "no-text"},
		{"an unsigned move", Verified, good(match.Second, Fact{Kind: UnsignedMove, Seat: match.Second}), Declared, "unsigned-move"},
		{"which means nothing at Declared", Declared, good(match.Second, Fact{Kind: UnsignedMove, Seat: match.Second}), Declared, ""},
		{"a second session", Verified, good(match.Second, Fact{Kind: SecondSession, Seat: match.Second}), Declared, "second-session"},
		{"no telemetry", Verified, good(match.Second, Fact{Kind: NoTelemetry, Seat: match.Second}), Declared, "no-telemetry"},
		{"a board's token at Declared is told", Declared, good(match.Second, Fact{Kind: TokenMove, Seat: match.Second}), Declared, "token-move"},
		{"an arbiter let him in without", Verified, without(good(match.Second, Fact{Kind: Waived, Demand: DemandAttestation, Seat: match.Second}), Attested), Declared, "waived"},
		{"the steward was away for a while", Supervised, without(good(match.Second, Fact{Kind: StewardPartly, Seat: match.Second}), StewardSigned), Verified, "steward-partly"},
		{"nobody signed", Supervised, without(good(match.Second), StewardSigned), Verified, "no-steward"},
		{"a program played after all", Verified, Seat{Bot: true, Facts: good(match.Second).Facts}, Open, "bot"},
	} {
		a := Achieved(Preset(test.level), [2]Seat{good(match.First), test.second})
		if a.Level != test.want || a.Seats != [2]Assurance{test.level, test.want} {
			t.Errorf("%s: %s (%v), want %s", test.name, a.Level, a.Seats, test.want)
		}
		keys := ""
		for _, r := range a.Reasons {
			keys += r.Key
			if r.Seat != match.Second {
				t.Errorf("%s: %q concerns seat %v", test.name, r.Key, r.Seat)
			}
		}
		if keys != test.key {
			t.Errorf("%s: reasons %q, want %q", test.name, keys, test.key)
		}
	}
}

func TestFactsNeverRaiseALevelAndOftenToldIsToldOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPolicy(t, "p")
		fact := rapid.Custom(func(t *rapid.T) Fact {
			return Fact{Kind: rapid.SampledFrom(FactKinds).Draw(t, "kind"), Seat: match.Second, Count: rapid.IntRange(0, 3).Draw(t, "count"), Demand: rapid.SampledFrom(Waivable).Draw(t, "demand")}
		})
		facts := rapid.SliceOfN(fact, 0, 8).Draw(t, "facts")
		seats := [2]Seat{good(match.First), {Facts: facts}}
		a := Achieved(p, seats)
		if a.Level > p.Level || a.Level != min(a.Seats[0], a.Seats[1]) || a.Level < Open {
			t.Fatalf("%s of %s", a.Level, p.Level)
		}
		if a.Seats[1] < p.Level && len(a.Reasons) == 0 {
			t.Fatal("lower without a reason")
		}
		seats[1].Facts = append(append([]Fact{}, facts...), facts...)
		if twice := Achieved(p, seats); !reflect.DeepEqual(twice, a) {
			t.Fatalf("told twice: %+v, once: %+v", twice, a)
		}
	})
}

func TestAStatementIsCheckedWithoutTheSite(t *testing.T) {
	t.Parallel()
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	public := key.Public().(ed25519.PublicKey)
	record := `{"chpok":1,"first":"A","players":{"A":"ada","B":"ben"},"site":"http://here","actions":[{"bid":"call"}]}`
	hash, err := RecordHash([]byte(record))
	if err != nil {
		t.Fatal(err)
	}
	p := Preset(Verified)
	signed, err := Sign(key, Statement{
		Match: "m", Players: [2]string{"ada", "ben"}, Record: hash, At: noon,
		Achieved: Achieved(p, [2]Seat{good(match.First), good(match.Second)}),
	}, p)
	if err != nil {
		t.Fatal(err)
	}
	export := func(change func(*SignedStatement), record string) []byte {
		s := signed
		if change != nil {
			change(&s)
		}
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return []byte(strings.TrimSuffix(record, "}") + `,"assurance":` + string(raw) + "}")
	}
	other := ed25519.NewKeyFromSeed([]byte("another seed of exactly 32 bytes"))
	for _, test := range []struct {
		name string
		file []byte
		key  ed25519.PublicKey
		want error
	}{
		{"as it was signed", export(nil, record), public, nil},
		{"without knowing the key", export(nil, record), nil, nil},
		{"exported under another address", export(nil, strings.Replace(record, "here", "there", 1)), public, ErrRecord},
		{"with white space", []byte(strings.ReplaceAll(string(export(nil, record)), `:[`, `: [`)), public, nil},
		{"another site's key", export(nil, record), other.Public().(ed25519.PublicKey), ErrKey},
		{"a higher level", export(func(s *SignedStatement) { s.Statement.Achieved.Level = Supervised }, record), nil, ErrSignature},
		{"another player", export(func(s *SignedStatement) { s.Statement.Players[1] = "eve" }, record), nil, ErrSignature},
		{"another policy", export(func(s *SignedStatement) { s.Policy.Steward = true }, record), nil, ErrPolicy},
		{"another move", export(nil, strings.Replace(record, "call", "raise", 1)), public, ErrRecord},
		{"no statement", []byte(record), public, ErrNoStatement},
	} {
		if _, err := CheckRecord(test.file, test.key); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	if back, err := ParseKey(KeyText(public)); err != nil || !back.Equal(public) {
		t.Errorf("key: %v", err)
	}
}

func TestWatchersSeeNothingYounger(t *testing.T) {
	t.Parallel()
	d := Delay{Plies: 2, Seconds: 100}
	// Opened and started at once, then an act every 30 seconds from second 30 on.
	log := []match.Recorded{{Seq: 1, At: noon, Event: match.Opened{}}, {Seq: 2, At: noon, Event: match.Started{}}}
	for i := range 6 {
		log = append(log, match.Recorded{Seq: int64(3 + i), At: noon.Add(time.Duration(i+1) * 30 * time.Second), Event: match.Played{}})
	}
	at := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	for _, test := range []struct {
		name   string
		log    []match.Recorded
		isOver bool
		now    time.Time
		want   int64
	}{
		{"what comes before the first act is no secret", log[:3], false, at(31), 2},
		{"the first act is 100 s old, but two have not followed", log[:4], false, at(130), 2},
		{"two have followed, but it is 99 s old", log[:5], false, at(129), 2},
		{"both", log[:5], false, at(130), 3},
		{"six acts, the latest at 180 s", log, false, at(180), 4},
		{"however long they think", log, false, at(9999), 6},
		{"over, and 99 s ago", log, true, at(279), 6},
		{"over, and 100 s ago", log, true, at(280), 8},
	} {
		if got := d.Cut(test.log, test.isOver, test.now); got != test.want {
			t.Errorf("%s: up to %d, want %d", test.name, got, test.want)
		}
	}
	if got := (Delay{}).Cut(log, false, at(180)); got != 8 {
		t.Errorf("without a delay: up to %d", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		d := Delay{Plies: rapid.IntRange(0, 8).Draw(t, "plies"), Seconds: rapid.IntRange(1, 400).Draw(t, "seconds")}
		now, n := at(rapid.IntRange(180, 900).Draw(t, "now")), rapid.IntRange(2, len(log)).Draw(t, "length")
		seen := d.Cut(log[:n], false, now)
		for i, r := range log[:n] {
			if _, isAct := r.Event.(match.Played); !isAct || r.Seq > seen {
				continue
			}
			if now.Sub(r.At) < time.Duration(d.Seconds)*time.Second || n-1-i < d.Plies {
				t.Fatalf("act %d is shown at %v", r.Seq, now)
			}
		}
		if later := d.Cut(log[:n], false, now.Add(time.Minute)); later < seen {
			t.Fatal("what was seen is taken back")
		}
	})
}

func TestTokensMoveOnlyWhereTheyMay(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		level   Assurance
		minutes int
		ok      bool
	}{{Open, 1, true}, {Declared, 9, false}, {Declared, 10, true}, {Verified, 180, false}, {Supervised, 180, false}} {
		err := Preset(test.level).MayMoveByToken(test.minutes)
		if (err == nil) != test.ok || err != nil && (!errors.Is(err, ErrByToken) || !strings.Contains(err.Error(), test.level.String())) {
			t.Errorf("%s at %d minutes: %v", test.level, test.minutes, err)
		}
	}
}

// faulty names the fields of a policy that were refused.
func faulty(err error) (fields []string) {
	for _, f := range refusal.FaultsOf(err) {
		fields = append(fields, f.Field)
	}
	return fields
}
