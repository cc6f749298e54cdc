package form

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// LookAgain is how often a stream of a match that is shown later looks whether
// something has become old enough.
const LookAgain = 3 * time.Second

// DeviceCookie holds a random number that tells one browser from another.
const DeviceCookie = "device"

func Keyed(pepper []byte, kind, text string) string {
	mac := hmac.New(sha256.New, pepper)
	mac.Write([]byte(kind + "\x00" + text))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// Prefix is a network address without what tells one machine from its
// neighbours: /24, or /48.
func Prefix(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	bits := 48
	if a = a.Unmap(); a.Is4() {
		bits = 24
	}
	p, err := a.WithZone("").Prefix(bits)
	if err != nil {
		return ""
	}
	return p.String()
}

// LevelText is a level as people call it.
func LevelText(p lang.Printer, level fairplay.Assurance) string {
	if level == 0 {
		return ""
	}
	return p.T("fairplay.level." + level.String())
}

// LevelShown is the level of a match in a list: what was achieved, or what is
// demanded; empty where that is nothing.
func LevelShown(p lang.Printer, h store.Head) string {
	level := h.Level
	if h.Status == match.Over {
		level = h.Achieved
	}
	if level <= fairplay.Open {
		return ""
	}
	return LevelText(p, level)
}

// TakenBackTexts are the words about a player that were taken back since their match.
func TakenBackTexts(p lang.Printer, list []fairplay.EndedWord, who player.Player) (texts []string) {
	for _, e := range list {
		texts = append(texts, p.T("fairplay.later-revoked",
			"Issuer", e.Issuer, "Name", string(who.Handle), "Date", p.Day(e.At), "Why", p.T("attest.code."+string(e.Code))))
	}
	return texts
}

// NotSays is what a level does not stand for.
func NotSays(p lang.Printer, level fairplay.Assurance) string {
	if level <= fairplay.Open {
		return ""
	}
	return p.T("fairplay.not-says." + level.String())
}

// ReasonText is why a match achieved less, in words.
func ReasonText(p lang.Printer, r fairplay.Reason, who player.Player) string {
	args := []any{"Name", string(who.Handle)}
	key := "fairplay.reason." + r.Key
	if r.Demand != "" {
		args = append(args, "Demand", p.T("fairplay.demand."+string(r.Demand)))
	}
	text := p.T(key, args...)
	if r.Move > 0 {
		text = strings.TrimSuffix(text, ".") + " " + p.T("fairplay.at-move", "Move", p.Int(r.Move))
	}
	return text
}

// PolicyCard is everything a policy demands and records, in words.
func PolicyCard(p lang.Printer, policy fairplay.Policy) templates.PolicyCard {
	word := policy.Level.String()
	card := templates.PolicyCard{
		Level: LevelText(p, policy.Level), Word: word, Says: p.T("fairplay.says." + word), Hash: policy.Hash(),
		Watchers: p.T("fairplay.card.live"),
	}
	card.NotSays = NotSays(p, policy.Level)
	demand := func(when bool, text string) {
		if when {
			card.Demands = append(card.Demands, text)
		}
	}
	demand(policy.Bots, p.T("fairplay.card.bots"))
	demand(!policy.Bots, p.T("fairplay.card.people"))
	demand(policy.Text, p.T("fairplay.card.text"))
	demand(policy.Attestations > 0, p.N("fairplay.card.attestations", policy.Attestations))
	demand(policy.CheckIn.Demanded, p.T("fairplay.card.check-in", "Time", p.Int(policy.CheckIn.Within/60)))
	demand(policy.CheckIn.OneDevice, p.T("fairplay.card.one-device"))
	demand(policy.CheckIn.MidMatch > 0, midMatchText(p, policy.CheckIn))
	demand(policy.Level > fairplay.Open, p.T("fairplay.card.moves."+policy.Moves.String()))
	demand(policy.OneSession, p.T("fairplay.card.one-session"))
	demand(policy.Steward, p.T("fairplay.card.steward"))
	if c := policy.Clock; policy.Level > fairplay.Open && c != fairplay.Preset(fairplay.Open).Clock {
		demand(true, p.T("fairplay.card.clock", "Low", p.Int(c.Minutes[0])+"+"+p.Int(c.Increment[0]), "High",
			p.Int(c.Minutes[1])+"+"+p.Int(c.Increment[1])))
	}
	card.Records = []string{p.T("fairplay.card.record.result")}
	if policy.Level > fairplay.Open {
		card.Records = append(card.Records, p.T("fairplay.card.record.text"), p.T("fairplay.card.record.source"),
			p.T("fairplay.card.record.device"), p.T("fairplay.card.record.pace"), p.T("fairplay.card.record.analysis"))
	}
	if policy.Telemetry {
		for _, what := range []string{"focus", "paste", "pointer", "script", "analysis"} {
			card.Telemetry = append(card.Telemetry, p.T("fairplay.card.telemetry."+what))
		}
	}
	if !policy.Feed.IsZero() {
		card.Watchers = p.T("fairplay.card.later", "Plies", p.Int(policy.Feed.Plies), "Seconds", p.Int(policy.Feed.Seconds))
	}
	return card
}

// midMatchText says before anybody enters that, and how often, players are asked in
// the middle of a match.
func midMatchText(p lang.Printer, c fairplay.CheckIn) string {
	how := p.T("fairplay.card.mid-match.some", "Percent", p.Int(c.MidMatch))
	if c.MidMatch == 100 {
		how = p.T("fairplay.card.mid-match.every")
	}
	return how + " " + p.T("fairplay.card.mid-match", "Seconds", p.Int(c.Grace))
}

// Lacking puts on a card what the viewer lacks.
func Lacking(p lang.Printer, card *templates.PolicyCard, e *fairplay.UnmetError, back string) {
	card.Unmet = UnmetLines(p, e)
	if slices.Contains(e.Demands, fairplay.DemandText) {
		card.Accept = words.TextAccept(back)
	}
}

// UnmetLines are demands that the reader does not meet, each with what helps; of an attestation
// also which there was, and how to renew it.
func UnmetLines(p lang.Printer, e *fairplay.UnmetError) []templates.UnmetLine {
	if e == nil {
		return nil
	}
	out := make([]templates.UnmetLine, len(e.Demands))
	for i, d := range e.Demands {
		out[i] = templates.UnmetLine{Text: p.T("fairplay.demand." + string(d)),
			Remedy: p.T("fairplay.remedy."+string(d), "Date", p.When(e.Until))}
		if ended := endedTexts(p, e.Ended); d == fairplay.DemandAttestation && ended != "" {
			out[i].Remedy = ended + " " + out[i].Remedy
		}
	}
	return out
}

// endedTexts are words that do not count, each with how to renew it.
func endedTexts(p lang.Printer, list []fairplay.EndedWord) string {
	texts := make([]string, len(list))
	for i, e := range list {
		args := []any{"Issuer", e.Issuer, "Date", p.Day(e.At)}
		if e.Code != "" {
			args = append(args, "Why", p.T("attest.code."+string(e.Code)))
		}
		texts[i] = p.T("fairplay.ended."+string(e.Why), args...)
	}
	return strings.Join(texts, " ")
}

// policyNumbers are the numbers of a policy that a form can tighten.
var policyNumbers = []struct {
	name  string
	field func(*fairplay.Policy) *int
}{
	{"policy_plies", func(p *fairplay.Policy) *int { return &p.Feed.Plies }},
	{"policy_seconds", func(p *fairplay.Policy) *int { return &p.Feed.Seconds }},
	{"policy_mid_match", func(p *fairplay.Policy) *int { return &p.CheckIn.MidMatch }},
	{"policy_attestations", func(p *fairplay.Policy) *int { return &p.Attestations }},
}

// PolicyFields is the choice of a policy: as it is, or as it was filled in.
func PolicyFields(p lang.Printer, policy fairplay.Policy, filled url.Values, wrong string) templates.PolicyFields {
	base := formBase(policy)
	v := templates.PolicyFields{NoBots: !policy.Bots && policy.Level == fairplay.Open, Error: wrong}
	v.Prizes, v.Bound = base != fairplay.Preset(policy.Level), policy.CheckIn.OneDevice && !base.CheckIn.OneDevice
	level := policy.Level.String()
	if filled.Has("policy") {
		level, v.NoBots = filled.Get("policy"), filled.Get("policy_nobots") != ""
		v.Prizes, v.Bound = filled.Get("policy_prizes") != "", filled.Get("policy_one_device") != ""
	}
	for _, l := range fairplay.Levels {
		v.Levels = append(v.Levels, templates.PresetChoice{
			Choice: templates.Choice{Value: l.String(), Text: LevelText(p, l), Chosen: l.String() == level},
			About:  p.T("fairplay.form.about." + l.String()),
		})
	}
	for _, n := range policyNumbers {
		f := templates.Field{Name: n.name, Label: p.T("fairplay.form." + n.name), Hint: p.T("fairplay.form." + n.name + "-hint"), Type: "number",
			Autocomplete: "off"}
		if have := *n.field(&policy); have != *n.field(&base) {
			f.Value = words.Itoa(have)
		}
		if filled.Has("policy") {
			f.Value = filled.Get(n.name)
		}
		v.Open = v.Open || f.Value != ""
		v.Numbers = append(v.Numbers, f)
	}
	v.Open = v.Open || v.Prizes || v.Bound || v.NoBots || wrong != ""
	return v
}

// formBase is from what the numbers of a policy's form differ: its level, or what
// an event with prizes demands there.
func formBase(policy fairplay.Policy) fairplay.Policy {
	base := fairplay.Preset(policy.Level)
	if prizes := base.ForPrizes(); policy.Level >= fairplay.Verified && policy.AtLeast(prizes) {
		return prizes
	}
	return base
}

// policyValues is what a form has for a policy.
func policyValues(v url.Values, policy fairplay.Policy) {
	policy = policy.OrOpen()
	base := formBase(policy)
	v.Set("policy", policy.Level.String())
	Flag(v, "policy_prizes", base != fairplay.Preset(policy.Level))
	Flag(v, "policy_one_device", policy.CheckIn.OneDevice && !base.CheckIn.OneDevice)
	for _, n := range policyNumbers {
		if have := *n.field(&policy); have != *n.field(&base) {
			v.Set(n.name, words.Itoa(have))
		}
	}
	Flag(v, "policy_nobots", base.Bots && !policy.Bots)
}

// ReadPolicy is the policy of a form; a number left blank is the level's, and what
// the form has no field for stays as it was while the level does. The error is a
// *fairplay.PolicyError.
func ReadPolicy(v url.Values, was fairplay.Policy) (fairplay.Policy, error) {
	word := v.Get("policy")
	if word == "" {
		word = fairplay.Open.String()
	}
	level, err := fairplay.ParseAssurance(word)
	if err != nil {
		return fairplay.Policy{}, &fairplay.PolicyError{Fields: []string{"level"}}
	}
	base := fairplay.Preset(level)
	if v.Get("policy_prizes") != "" {
		if level < fairplay.Verified {
			return base, &fairplay.PolicyError{Fields: []string{"prizes"}}
		}
		base = base.ForPrizes()
	}
	policy := base
	if was = was.OrOpen(); was.Level == level && formBase(was) == base {
		policy = was
	}
	policy.CheckIn.OneDevice = base.CheckIn.OneDevice || v.Get("policy_one_device") != ""
	for _, n := range policyNumbers {
		text := strings.TrimSpace(v.Get(n.name))
		if text == "" {
			*n.field(&policy) = *n.field(&base)
			continue
		}
		number, err := strconv.Atoi(text)
		if err != nil {
			return policy, &fairplay.PolicyError{Fields: []string{n.name}}
		}
		*n.field(&policy) = number
	}
	policy = policy.WithAge()
	policy.Bots = base.Bots && v.Get("policy_nobots") == ""
	return policy, policy.Validate()
}

// PolicyTrouble is what is wrong with a policy, in words.
func PolicyTrouble(p lang.Printer, e *fairplay.PolicyError) string {
	var names []string
	for _, field := range e.Fields {
		names = append(names, p.T("fairplay.field."+strings.TrimPrefix(field, "policy_")))
	}
	return p.T("fairplay.error.policy", "Fields", strings.Join(names, ", "))
}
