package desk

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// readTournamentForm is what was filled in over the settings that were; problems
// are what cannot be read.
func readTournamentForm(p lang.Printer, base tournament.Settings, v url.Values) (tournament.Settings, []tournament.Problem) {
	r := form.FormReader{Values: v}
	format, err := tournament.ParseFormat(v.Get("format"))
	if err != nil {
		r.Fault("format", "missing", err.Error())
		format = tournament.RoundRobin
	}
	s := base
	if s.Format != format {
		of := tournament.DefaultSettings(format)
		s.Format, s.Rounds, s.Tiebreaks = format, of.Rounds, of.Tiebreaks
	}
	s.Acceleration, s.Break, s.Times, s.Capacity, s.CheckIn, s.Until = tournament.NoAcceleration, 0, nil, 0, tournament.CheckIn{}, time.Time{}
	s.Name, s.Club = strings.TrimSpace(words.Shorten(v.Get("name"), 300)), strings.TrimSpace(words.Shorten(v.Get("club"), 300))
	s.About = strings.TrimSpace(strings.ReplaceAll(v.Get("about"), "\r\n", "\n"))
	s.ClubID, s.MembersOnly = club.ID(words.Shorten(v.Get("clubId"), 40)), v.Get("membersOnly") != ""
	s.Double, s.Legs = format != tournament.Swiss && v.Get("double") != "", 0
	if s.Tie, s.Losers = nil, ""; format == tournament.KnockOut {
		if s.Double = v.Get("legs") == "2"; v.Get("legs") == "4" {
			s.Legs = 4
		}
		usual := tournament.DefaultSettings(format)
		if s.Tie, s.Losers = form.TieSteps(v.Get("tie")), contest.Losers(v.Get("losers")); !v.Has("tie") {
			s.Tie = usual.Tie
		}
		if !v.Has("losers") {
			s.Losers = usual.Losers
		}
	}
	if format == tournament.Swiss {
		s.Rounds = r.Number("rounds")
		if v.Get("accelerated") != "" {
			s.Acceleration = tournament.Baku
		}
	}
	s.Pace = form.Named(&r, "pace", tournament.ParsePace)
	r.Schedule(p, &s)
	if s.Pace == tournament.Times {
		s.Times = r.Times(p)
	}
	s.Claims = form.Named(&r, "claims", match.ParseClaims)
	s.Numbering = form.Named(&r, "numbering", tournament.ParseNumbering)
	if v.Get("capacity") != "" {
		s.Capacity = r.Number("capacity")
	}
	s.Rated, s.Handicap = v.Get("rated") != "", v.Get("handicap") != ""
	s.Review = v.Get("review") != ""
	s.Leave = form.Named(&r, "leave", tournament.ParseLeaving)
	s.Expulsion = form.Named(&r, "expulsion", tournament.ParseLeaving)
	s.CallStops = v.Get("callStops") != ""
	s.Tiebreaks = form.CodesOf(strings.Join(v["tiebreaks"], " "))
	// What nobody has edited follows the format.
	if shown, err := tournament.ParseFormat(v.Get("tiebreaks_of")); err == nil && shown != format &&
		slices.Equal(s.Tiebreaks, tournament.DefaultTiebreaks(shown)) {
		s.Tiebreaks = tournament.DefaultTiebreaks(format)
	}
	if format == tournament.KnockOut || format == tournament.Arena {
		s.Tiebreaks = nil // the form does not show them
	}
	readArena(&r, &s)
	s.Envelope = r.Envelope()
	s.Policy = r.Policy(p, base.Policy)
	s.Entry = r.Entry(p, format)
	if len(r.Problems) == 0 {
		r.Problems = words.ProblemsOf(events.CheckSettings(s))
	}
	return s, r.Problems
}

// readArena reads for how long an arena is open, and takes out of its settings what the
// form shows for rounds only; a wait that is one of rounds becomes the usual one.
func readArena(r *form.FormReader, s *tournament.Settings) {
	if s.Window = 0; s.Format != tournament.Arena {
		return
	}
	if s.Window = tournament.DefaultSettings(tournament.Arena).Window; r.Values.Get("window") != "" {
		s.Window = time.Duration(r.Number("window")) * time.Minute
	}
	s.Double, s.Review, s.OnClaim, s.Break, s.CheckIn = false, false, false, 0, tournament.CheckIn{}
	if s.Times = s.Times[:min(1, len(s.Times))]; s.Lateness < setting.MinArenaWait || s.Lateness > setting.MaxArenaWait {
		s.Lateness = tournament.DefaultSettings(tournament.Arena).Lateness
	}
}

// numberings are the ways to number players that the form offers; seeds that are
// given, as those of a later stage, stay.
func numberings(chosen string) []string {
	list := []string{"rating", "lots", "pots", "varma"}
	if chosen == tournament.Given.String() {
		list = append(list, chosen)
	}
	return list
}

// leavings are what can become of results of somebody who is out.
func leavings(p lang.Printer, chosen string) []templates.Choice {
	return words.Options(p, "desk.leaving.", chosen, "usual", "keep", "forfeits", "annul")
}

// tieChoices are the ways to decide a level contest; one that a program has set
// stays.
func tieChoices(p lang.Printer, chosen string) []templates.Choice {
	list := words.Options(p, "bracket.tie.", chosen, form.Ties...)
	if chosen != "" && !slices.Contains(form.Ties, chosen) {
		list = append(list, templates.Choice{Value: chosen, Text: words.TieText(p, form.TieSteps(chosen)), Chosen: true})
	}
	return list
}

// tournamentForm is the form with what was filled in and what is wrong with it.
func (s organizer) tournamentForm(c echo.Context, v url.Values, problems []tournament.Problem) deskview.TournamentFormView {
	p := s.Printer(c)
	wrong := func(name string) string { return form.ProblemOf(p, problems, name) }
	field := func(name, label string) templates.Field {
		return templates.Field{Name: name, Label: label, Value: v.Get(name), Error: wrong(name), Autocomplete: "off"}
	}
	hinted := func(name, label, hint string) templates.Field {
		f := field(name, label)
		f.Hint = hint
		return f
	}
	number := func(name, label, hint string) templates.Field {
		f := hinted(name, label, hint)
		f.Type = "number"
		return f
	}
	view := deskview.TournamentFormView{
		Name: field("name", p.T("tournament.form.name")), Club: field("club", p.T("tournament.form.club")),
		About: v.Get("about"), AboutError: wrong("about"),
		Formats: words.Options(p, "tournament.format.", v.Get("format"), "round-robin", "swiss", "knock-out", "arena"),
		Paces:   words.Options(p, "tournament.pace.", v.Get("pace"), "auto", "manual", "times"),
		Double:  v.Get("double") != "",
		Ties:    tieChoices(p, v.Get("tie")), TieError: wrong("tie"),
		Legs:       words.Options(p, "bracket.legs.", v.Get("legs"), "1", "2", "4"),
		Losers:     words.Options(p, "bracket.losers.", v.Get("losers"), form.Losers()...),
		Window:     number("window", p.T("tournament.form.window"), p.T("tournament.form.window-hint")),
		Rounds:     number("rounds", p.T("tournament.form.rounds"), p.T("tournament.form.rounds-hint")),
		Break:      hinted("break", p.T("tournament.form.break"), p.T("tournament.form.break-hint")),
		Lateness:   hinted("lateness", p.T("tournament.form.lateness"), p.T("tournament.form.lateness-hint")),
		Times:      form.RoundTimes(v),
		TimesHint:  p.T("tournament.form.times-hint", "Zone", p.Zone.String()),
		TimesError: wrong("times"),
		Claims:     words.Options(p, "tournament.claims.", v.Get("claims"), "automatic", "manual"),
		Numberings: words.Options(p, "tournament.numbering.", v.Get("numbering"), numberings(v.Get("numbering"))...),
		Tiebreaks:  words.TiebreakRows(p, form.CodesOf(strings.Join(v["tiebreaks"], " "))), TiebreaksError: wrong("tiebreaks"),
		Accelerated: v.Get("accelerated") != "",
		Review:      v.Get("review") != "",
		Leave:       leavings(p, v.Get("leave")), LeaveError: wrong("leave"), Expulsion: leavings(p, v.Get("expulsion")),
		ExpulsionError: wrong("expulsion"),
		Rated:          v.Get("rated") != "", Handicap: templates.HandicapChoice{Chosen: v.Get("handicap") != "", Table: words.HandicapTable(p)},
		CallStops: v.Get("callStops") != "",
		Entry:     entryForm(p, v, field, number),
		Policy:    form.PolicyFields(p, fairplay.Preset(fairplay.Open), v, form.ProblemOf(p, problems, "policy")),
		Envelope:  page.EnvelopeForm(p, v, problems), Schedule: scheduleForm(p, v, problems),
	}
	view.Name.Required, view.Name.Max, view.Club.Max = true, tournament.MaxNameLength, tournament.MaxNameLength
	view.TiebreaksOf = v.Get("tiebreaks_of")
	for _, name := range []string{"quick", "evening", "free", "short", "points", "sprint"} {
		view.Presets = append(view.Presets, templates.TabLink{Text: p.T("tournament.form.envelope." + name),
			URL: words.WithQuery("/tournaments/new", "envelope", name)})
	}
	for _, problem := range problems {
		view.Problems = append(view.Problems, templates.Link{Text: form.ProblemText(p, problem), URL: "#" + form.FieldAnchor(problem.Field)})
	}
	return view
}
