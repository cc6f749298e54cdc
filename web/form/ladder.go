package form

import (
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/tournament/ladder"
)

type rules = ladder.Settings

// Ladder holds every setting of a ladder.
var Ladder = Table[rules]{Labels: "ladder.form.", Fields: []Field[rules]{
	{Name: "name", Input: templates.Field{Required: true, Max: ladder.MaxNameLength},
		Value: Text(300, func(s *rules) *string { return &s.Name })},
	{Name: "club", Value: Text(40, func(s *rules) *club.ID { return &s.Club })},
	{Name: "members", Value: Yes(func(s *rules) *bool { return &s.MembersOnly })},
	{Name: "about", Value: Paragraphs(func(s *rules) *string { return &s.About })},
	{Name: "placement", Words: "ladder.placement.", Choices: []string{string(ladder.AtBottom), string(ladder.ByRating)},
		Input: templates.Field{Type: "select"}, Value: Text(40, func(s *rules) *ladder.Placement { return &s.Placement })},
	{Name: "climb", Words: "ladder.climb.", Choices: []string{string(ladder.Insert), string(ladder.Swap)},
		Input: templates.Field{Type: "select"}, Value: Text(40, func(s *rules) *ladder.Climb { return &s.Climb })},
	{Name: "first", Value: Yes(func(s *rules) *bool { return &s.FirstFree })},
	count("places", func(s *rules) *int { return &s.Places }),
	count("percent", func(s *rules) *int { return &s.Percent }),
	count("outgoing", func(s *rules) *int { return &s.Outgoing }),
	count("incoming", func(s *rules) *int { return &s.Incoming }),
	count("sink", func(s *rules) *int { return &s.Sink }),
	lasting("reply", time.Hour, func(s *rules) *time.Duration { return &s.Reply },
		"Time to answer a challenge"),
	lasting("schedule", ladder.Day, func(s *rules) *time.Duration { return &s.Schedule },
		"Time to agree on a time after accepting"),
	lasting("play", ladder.Day, func(s *rules) *time.Duration { return &s.Play },
		"Time from accepting to the latest start"),
	lasting("dispute", time.Hour, func(s *rules) *time.Duration { return &s.Dispute },
		"Time to dispute a forfeit"),
	lasting("rest", ladder.Day, func(s *rules) *time.Duration { return &s.Rest },
		"Time before the same two players may meet again"),
	lasting("idle", ladder.Day, func(s *rules) *time.Duration { return &s.Inactivity },
		"Time without a match before a player drops; 0 for never"),
	lasting("notice", ladder.Day, func(s *rules) *time.Duration { return &s.Notice },
		"Time from the warning to the drop"),
	lasting("credit", ladder.Day, func(s *rules) *time.Duration { return &s.Credit },
		"Time that each defended place adds to idle"),
	lasting("vacation", ladder.Day, func(s *rules) *time.Duration { return &s.Vacation },
		"Time of vacation per calendar year; 0 for none"),
	lasting("lateness", time.Minute, func(s *rules) *time.Duration { return &s.Lateness },
		"Time from the start until an absent player forfeits"),
	lasting("bidTime", time.Hour, func(s *rules) *time.Duration { return &s.BidTime },
		"Time per bid by correspondence; 0 for live bidding"),
	{Name: "rated", Value: Yes(func(s *rules) *bool { return &s.Rated })},
	{Name: "claims", Label: "tournament.form.claims", Words: "tournament.claims.", Choices: []string{"automatic", "manual"},
		Value: OneOf(match.ParseClaims, func(s *rules) *match.Claims { return &s.Claims })},
	limits(func(s *rules) *bidding.Envelope { return &s.Envelope }), demands(func(s *rules) *fairplay.Policy { return &s.Policy }),
}}

// count is a number whose hint is its unit.
func count(name string, at func(*rules) *int) Field[rules] {
	return Field[rules]{Name: name, Hint: "ladder.unit." + name, Value: Number(at)}
}

// lasting is a duration: whole units in the form.
func lasting(name string, unit time.Duration, at func(*rules) *time.Duration, says string) Field[rules] {
	return Field[rules]{Name: name, Says: says, Hint: "ladder.unit." + name, Value: Whole(unit, at)}
}
