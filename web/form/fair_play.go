package form

import (
	"cmp"
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
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// LookAgain is how often the stream of a delayed match checks for moves that are now old enough.
const LookAgain = 3 * time.Second

// DeviceCookie holds a random number that identifies a browser.
const DeviceCookie = "device"

// Keyed returns a keyed hash of a text, so that it can be compared but not read.
func Keyed(pepper []byte, kind, text string) string {
	mac := hmac.New(sha256.New, pepper)
	mac.Write([]byte(kind + "\x00" + text))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// Prefix returns the network of an address, /24 or /48, which does not identify a machine.
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

// LevelText names a fair-play level.
func LevelText(p lang.Printer, level fairplay.Assurance) string {
	if level == 0 {
		return ""
	}
	return p.T("fairplay.level." + level.String())
}

// LevelShown names the level of a match in a list: the achieved one once it is over, before that the
// demanded one; empty for Open.
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

// TakenBackTexts lists the attestations of a player that were revoked since their match.
func TakenBackTexts(p lang.Printer, list []fairplay.EndedWord, who player.Player) (texts []string) {
	for _, e := range list {
		texts = append(texts, p.T("fairplay.later-revoked",
			"Issuer", e.Issuer, "Name", string(who.Handle), "Date", p.Day(e.At), "Why", p.T("attest.code."+string(e.Code))))
	}
	return texts
}

// NotSays says what a level does not prove.
func NotSays(p lang.Printer, level fairplay.Assurance) string {
	if level <= fairplay.Open {
		return ""
	}
	return p.T("fairplay.not-says." + level.String())
}

// ReasonText says why a match achieved a lower level.
func ReasonText(p lang.Printer, r fairplay.Reason, who player.Player) string {
	args := []any{"Name", string(who.Handle)}
	if r.Demand != "" {
		args = append(args, "Demand", p.T("fairplay.demand."+string(r.Demand)))
	}
	text := p.T("fairplay.reason."+r.Key, args...)
	if r.Move > 0 {
		text = strings.TrimSuffix(text, ".") + " " + p.T("fairplay.at-move", "Move", p.Int(r.Move))
	}
	return text
}

// PolicyCard renders all that a policy demands and records.
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
			p.T("fairplay.card.record.device"), p.T("fairplay.card.record.pace"), p.T("fairplay.card.record.analysis"),
			p.T("fairplay.card.record.moves"))
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

// midMatchText says how often players are checked in the middle of a match.
func midMatchText(p lang.Printer, c fairplay.CheckIn) string {
	how := p.T("fairplay.card.mid-match.some", "Percent", p.Int(c.MidMatch))
	if c.MidMatch == 100 {
		how = p.T("fairplay.card.mid-match.every")
	}
	return how + " " + p.T("fairplay.card.mid-match", "Seconds", p.Int(c.Grace))
}

// Lacking adds to a card what the viewer lacks.
func Lacking(p lang.Printer, card *templates.PolicyCard, e *fairplay.UnmetError, back string) {
	card.Unmet = UnmetLines(p, e)
	if slices.Contains(e.Demands, fairplay.DemandText) {
		card.Accept = words.TextAccept(p, back)
	}
}

// UnmetLines lists the demands that the viewer does not meet, each with its remedy; for an attestation
// also the one that ended.
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

// endedTexts lists attestations that no longer count, each with how to renew it.
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

// askedTerms are the numbers of a policy that the form can tighten.
func askedTerms(yield func(name string, number func(*fairplay.Policy) *int) bool) {
	for _, t := range fairplay.Terms {
		if t.Asked && !yield("policy_"+t.Key, t.More) {
			return
		}
	}
}

// PolicyFields returns the inputs for a policy, as filled in or else as it is.
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
	for name, number := range askedTerms {
		f := templates.Field{Name: name, Label: p.T("fairplay.form." + name), Hint: p.T("fairplay.form." + name + "-hint"), Type: "number",
			Autocomplete: "off"}
		if have := *number(&policy); have != *number(&base) {
			f.Value = words.Itoa(have)
		}
		if filled.Has("policy") {
			f.Value = filled.Get(name)
		}
		v.Open = v.Open || f.Value != ""
		v.Numbers = append(v.Numbers, f)
	}
	v.Open = v.Open || v.Prizes || v.Bound || v.NoBots || wrong != ""
	return v
}

// formBase returns the policy that the form starts from: the preset of its level, or that for prizes.
func formBase(policy fairplay.Policy) fairplay.Policy {
	base := fairplay.Preset(policy.Level)
	if prizes := base.ForPrizes(); policy.Level >= fairplay.Verified && policy.AtLeast(prizes) {
		return prizes
	}
	return base
}

// policyValues sets the values that the form shows for a policy.
func policyValues(v url.Values, policy fairplay.Policy) {
	policy = policy.OrOpen()
	base := formBase(policy)
	v.Set("policy", policy.Level.String())
	Flag(v, "policy_prizes", base != fairplay.Preset(policy.Level))
	Flag(v, "policy_one_device", policy.CheckIn.OneDevice && !base.CheckIn.OneDevice)
	for name, number := range askedTerms {
		if have := *number(&policy); have != *number(&base) {
			v.Set(name, words.Itoa(have))
		}
	}
	Flag(v, "policy_nobots", base.Bots && !policy.Bots)
}

// ReadPolicy reads the policy of a form. A blank number is the level's; what the form does not ask for
// stays as it was unless the level changes. The error is a fairplay.PolicyFault.
func ReadPolicy(v url.Values, was fairplay.Policy) (fairplay.Policy, error) {
	level, err := fairplay.ParseAssurance(cmp.Or(v.Get("policy"), fairplay.Open.String()))
	if err != nil {
		return fairplay.Policy{}, fairplay.PolicyFault("level")
	}
	base := fairplay.Preset(level)
	if v.Get("policy_prizes") != "" {
		if level < fairplay.Verified {
			return base, fairplay.PolicyFault("prizes")
		}
		base = base.ForPrizes()
	}
	policy := base
	if was = was.OrOpen(); was.Level == level && formBase(was) == base {
		policy = was
	}
	policy.CheckIn.OneDevice = base.CheckIn.OneDevice || v.Get("policy_one_device") != ""
	for name, number := range askedTerms {
		text := strings.TrimSpace(v.Get(name))
		if text == "" {
			*number(&policy) = *number(&base)
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return policy, fairplay.PolicyFault(strings.TrimPrefix(name, "policy_"))
		}
		*number(&policy) = n
	}
	policy = policy.WithAge()
	policy.Bots = base.Bots && v.Get("policy_nobots") == ""
	return policy, policy.Validate()
}

// PolicyTrouble says what is wrong with a policy.
func PolicyTrouble(p lang.Printer, err error) string {
	var names []string
	for _, f := range refusal.FaultsOf(err) {
		names = append(names, p.T("fairplay.field."+f.Field))
	}
	return p.T("fairplay.error.policy", "Fields", strings.Join(names, ", "))
}

// PolicySchema describes the terms of a policy to programs.
func PolicySchema() Schema {
	all, english := Schema{}, lang.Printer{Lang: lang.English}
	for _, t := range fairplay.Terms {
		in, key := all, t.Path
		if group, of, nested := strings.Cut(t.Path, "."); nested {
			if in[group] == nil {
				in[group] = Schema{"type": "object", "properties": Schema{}, "additionalProperties": false}
			}
			in, key = in[group].(Schema)["properties"].(Schema), of
		}
		described := Schema{"type": "boolean"}
		if t.More != nil || t.Less != nil {
			described = Schema{"type": "integer", "minimum": 0}
			if t.Most > 0 {
				described["maximum"] = t.Most
			}
		} else if t.Span != nil {
			described = Schema{"type": "array", "items": Schema{"type": "integer"}, "minItems": 2, "maxItems": 2}
		}
		described["description"] = english.T("fairplay.field." + t.Key)
		in[key] = described
	}
	return all
}
