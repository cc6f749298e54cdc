package form

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/web/words"
)

// Proposal describes a challenge.
type Proposal struct {
	To      string   // a handle; empty: anybody who has the link
	Rematch match.ID // if set, everything else is as in this match
	challenge.Settings
}

// UsualProposal returns a proposal with the default settings.
func UsualProposal() Proposal { return Proposal{Settings: challenge.DefaultSettings()} }

// Challenge holds every setting of a challenge.
var Challenge = Table[Proposal]{Labels: "challenge.", Fields: []Field[Proposal]{
	{Name: "handle", Key: "to", Says: "Handle of the opponent; empty for anyone with the link", Input: templates.Field{Max: 21},
		Value: Text(40, func(s *Proposal) *string { return &s.To })},
	{Name: "rematch", Says: "ID of a finished challenge match to replay with seats swapped; overrides all other keys",
		Value: Value[Proposal]{JSON: Plain("string", func(s *Proposal) *match.ID { return &s.Rematch })}},
	{Name: "rated", Value: Yes(func(s *Proposal) *bool { return &s.Rated })},
	{Name: "handicap", Label: "rating.handicap", Says: "Whether the lower-rated player gets extra chips from the handicap table",
		Value: Yes(func(s *Proposal) *bool { return &s.Handicap })},
	{Name: "claims", Words: "challenge.claims.", Choices: []string{"automatic", "manual"},
		Value: OneOf(match.ParseClaims, func(s *Proposal) *match.Claims { return &s.Claims })},
	{Name: "lateness", Choices: []string{"0", "5", "15", "60"}, Say: minutesText, Lenient: true,
		Says:  "How long the match waits for its players",
		Value: Whole(time.Minute, func(s *Proposal) *time.Duration { return &s.Lateness })},
	{Name: "life", Key: "expires", Choices: []string{"60", "1440", "4320", "10080"}, Say: minutesText, Lenient: true,
		Says:  "How long the challenge waits for an answer, from five minutes to seven days",
		Value: Whole(time.Minute, func(s *Proposal) *time.Duration { return &s.Life })},
	{Name: "preset", Key: "envelope", Label: "challenge.envelope",
		Value: Ready(presetNamed, func(s *Proposal) *bidding.Envelope { return &s.Envelope })},
	demands(func(s *Proposal) *fairplay.Policy { return &s.Policy }),
}}

// minutesText renders a choice of minutes.
func minutesText(p lang.Printer, choice string) string {
	if choice == "0" {
		return p.T("challenge.gate.none")
	}
	return p.Duration(time.Duration(words.AtoiOr(choice, 0)) * time.Minute)
}

func presetNamed(name string) (bidding.Envelope, bool) {
	presets := challenge.Presets()
	i := slices.IndexFunc(presets, func(p challenge.Preset) bool { return p.Name == name })
	if i < 0 {
		return bidding.Envelope{}, false
	}
	return presets[i].Envelope, true
}
