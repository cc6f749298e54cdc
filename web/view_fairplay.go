package web

import (
	"net/url"
	"strconv"
	"strings"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// levelText is a level as people call it.
func levelText(p lang.Printer, level fairplay.Assurance) string {
	if level == 0 {
		return ""
	}
	return p.T("fairplay.level." + level.String())
}

// levelShown is the level of a match in a list: what was achieved, or what is
// demanded; empty where that is nothing.
func levelShown(p lang.Printer, h store.Head) string {
	level := h.Level
	if h.Status == match.Over {
		level = h.Achieved
	}
	if level <= fairplay.Open {
		return ""
	}
	return levelText(p, level)
}

// fairPlayBox is what a match page says of fair play; nil for a match from
// before there were levels.
func (s *Server) fairPlayBox(tx *store.Tx, p lang.Printer, view live.View) (*templates.FairPlayBox, error) {
	with, known, err := arbiter.AssuranceOf(tx, view.Head)
	if err != nil || !known {
		return nil, err
	}
	policy := with.Policy
	box := &templates.FairPlayBox{
		Level: levelText(p, policy.Level), Word: policy.Level.String(), Says: p.T("fairplay.says." + policy.Level.String()),
		URL: "/fair-play#" + policy.Level.String(), Hash: policy.Hash(),
	}
	box.NotSays = notSays(p, policy.Level)
	if view.Delayed {
		box.Later = p.T("fairplay.later", "Plies", p.Int(policy.Feed.Plies), "Seconds", p.Int(policy.Feed.Seconds))
		if !view.Until.IsZero() {
			box.Rest = p.T("fairplay.rest", "Time", p.DateTime(view.Until))
		}
	}
	if !with.IsOver {
		return box, nil
	}
	names, err := tx.Players(view.Head.Players[:]...)
	if err != nil {
		return nil, err
	}
	box.Achieved, box.Lower = levelText(p, with.Achieved.Level), with.Achieved.Level < policy.Level
	box.Says, box.NotSays = p.T("fairplay.says."+with.Achieved.Level.String()), notSays(p, with.Achieved.Level)
	for _, r := range with.Achieved.Reasons {
		box.Reasons = append(box.Reasons, reasonText(p, r, names[view.Head.Players[r.Seat.Index()]]))
	}
	if with.Statement != nil && policy.Level > fairplay.Open {
		box.Signed = matchURL(view.Head.ID) + "/record.json"
	}
	return box, nil
}

// notSays is what a level does not stand for.
func notSays(p lang.Printer, level fairplay.Assurance) string {
	if level <= fairplay.Open {
		return ""
	}
	return p.T("fairplay.not-says." + level.String())
}

// reasonText is why a match achieved less, in words.
func reasonText(p lang.Printer, r fairplay.Reason, who player.Player) string {
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

// policyCard is everything a policy demands and records, in words.
func policyCard(p lang.Printer, policy fairplay.Policy) templates.PolicyCard {
	word := policy.Level.String()
	card := templates.PolicyCard{
		Level: levelText(p, policy.Level), Word: word, Says: p.T("fairplay.says." + word), Hash: policy.Hash(), Watchers: p.T("fairplay.card.live"),
	}
	card.NotSays = notSays(p, policy.Level)
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
	demand(policy.Level > fairplay.Open, p.T("fairplay.card.moves."+policy.Moves.String()))
	demand(policy.OneSession, p.T("fairplay.card.one-session"))
	demand(policy.Steward, p.T("fairplay.card.steward"))
	if c := policy.Clock; policy.Level > fairplay.Open && c != fairplay.Preset(fairplay.Open).Clock {
		demand(true, p.T("fairplay.card.clock", "Low", p.Int(c.Minutes[0])+"+"+p.Int(c.Increment[0]), "High", p.Int(c.Minutes[1])+"+"+p.Int(c.Increment[1])))
	}
	card.Records = []string{p.T("fairplay.card.record.result")}
	if policy.Level > fairplay.Open {
		card.Records = append(card.Records, p.T("fairplay.card.record.text"), p.T("fairplay.card.record.source"), p.T("fairplay.card.record.device"), p.T("fairplay.card.record.analysis"))
	}
	if policy.Telemetry {
		for _, what := range []string{"focus", "paste", "pointer", "script", "analysis"} {
			card.Telemetry = append(card.Telemetry, p.T("fairplay.card.telemetry."+what))
		}
	}
	if !policy.Feed.IsZero() {
		card.Watchers = p.T("fairplay.later", "Plies", p.Int(policy.Feed.Plies), "Seconds", p.Int(policy.Feed.Seconds))
	}
	return card
}

// unmetLines are demands that are not met, each with what helps.
func unmetLines(p lang.Printer, list []fairplay.Demand) []templates.UnmetLine {
	out := make([]templates.UnmetLine, len(list))
	for i, d := range list {
		out[i] = templates.UnmetLine{Text: p.T("fairplay.demand." + string(d)), Remedy: p.T("fairplay.remedy." + string(d))}
	}
	return out
}

// policyNumbers are the numbers of a policy that a form can tighten.
var policyNumbers = []struct {
	name  string
	field func(*fairplay.Policy) *int
}{
	{"policy_plies", func(p *fairplay.Policy) *int { return &p.Feed.Plies }},
	{"policy_seconds", func(p *fairplay.Policy) *int { return &p.Feed.Seconds }},
	{"policy_attestations", func(p *fairplay.Policy) *int { return &p.Attestations }},
}

// policyFields is the choice of a policy: as it is, or as it was filled in.
func policyFields(p lang.Printer, policy fairplay.Policy, filled url.Values, wrong string) templates.PolicyFields {
	v := templates.PolicyFields{NoBots: !policy.Bots && policy.Level == fairplay.Open, Error: wrong}
	level := policy.Level.String()
	if filled.Has("policy") {
		level, v.NoBots = filled.Get("policy"), filled.Get("policy_nobots") != ""
	}
	for _, l := range fairplay.Levels {
		v.Levels = append(v.Levels, templates.PresetChoice{
			Choice: templates.Choice{Value: l.String(), Text: levelText(p, l), Chosen: l.String() == level}, About: p.T("fairplay.form.about." + l.String()),
		})
	}
	base := fairplay.Preset(policy.Level)
	for _, n := range policyNumbers {
		f := templates.Field{Name: n.name, Label: p.T("fairplay.form." + n.name), Hint: p.T("fairplay.form." + n.name + "-hint"), Type: "number", Autocomplete: "off"}
		if have := *n.field(&policy); have != *n.field(&base) {
			f.Value = itoa(have)
		}
		if filled.Has("policy") {
			f.Value = filled.Get(n.name)
		}
		v.Open = v.Open || f.Value != ""
		v.Numbers = append(v.Numbers, f)
	}
	v.Open = v.Open || v.NoBots || wrong != ""
	return v
}

// policyValues is what a form has for a policy.
func policyValues(v url.Values, policy fairplay.Policy) {
	policy = policy.OrOpen()
	base := fairplay.Preset(policy.Level)
	v.Set("policy", policy.Level.String())
	for _, n := range policyNumbers {
		if have := *n.field(&policy); have != *n.field(&base) {
			v.Set(n.name, itoa(have))
		}
	}
	flag(v, "policy_nobots", base.Bots && !policy.Bots)
}

// readPolicy is the policy of a form; what is left blank is the level's. The
// error is a *fairplay.PolicyError.
func readPolicy(v url.Values) (fairplay.Policy, error) {
	word := v.Get("policy")
	if word == "" {
		word = fairplay.Open.String()
	}
	level, err := fairplay.ParseAssurance(word)
	if err != nil {
		return fairplay.Policy{}, &fairplay.PolicyError{Fields: []string{"level"}}
	}
	policy := fairplay.Preset(level)
	for _, n := range policyNumbers {
		text := strings.TrimSpace(v.Get(n.name))
		if text == "" {
			continue
		}
		number, err := strconv.Atoi(text)
		if err != nil {
			return policy, &fairplay.PolicyError{Fields: []string{n.name}}
		}
		*n.field(&policy) = number
	}
	if policy.Attestations > 0 && policy.MaxAgeDays == 0 {
		policy.MaxAgeDays = fairplay.Preset(fairplay.Verified).MaxAgeDays
	}
	policy.Bots = policy.Bots && v.Get("policy_nobots") == ""
	return policy, policy.Validate()
}

// policyTrouble is what is wrong with a policy, in words.
func policyTrouble(p lang.Printer, e *fairplay.PolicyError) string {
	var names []string
	for _, field := range e.Fields {
		names = append(names, p.T("fairplay.field."+strings.TrimPrefix(field, "policy_")))
	}
	return p.T("fairplay.error.policy", "Fields", strings.Join(names, ", "))
}

// resistanceRows is the table of engines against terms, as it was measured.
func resistanceRows(p lang.Printer) []templates.ResistanceRow {
	points := "P1 N6 B5 R2 Q3 K4"
	row := func(terms, club, chpok, chpokClub string) templates.ResistanceRow {
		return templates.ResistanceRow{Terms: terms, Club: club, Chpok: chpok, ChpokClub: chpokClub}
	}
	limit := func(n int) string { return p.T("fairplay.page.limit", "N", p.Int(n)) }
	usual := p.T("fairplay.page.default")
	return []templates.ResistanceRow{
		row(usual, "1.00", "0.61", "–"),
		row(usual+", "+points, "1.00", "0.73", "–"),
		row(limit(20), "0.81", "0.15", "–"),
		row(limit(20)+", N9", "0.61", "–", "0.86"),
		row(limit(20)+", "+points, "0.29", "0.04", "–"),
		row(limit(10), "0.32", "–", "0.98"),
		row(limit(10)+", "+points, "0.18", "–", "0.91"),
		row(limit(10)+", P9 / K9", "0.06 / 0.02", "–", "0.61 / 0.83"),
	}
}
