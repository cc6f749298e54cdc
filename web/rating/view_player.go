package rating

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	ratingview "chpok.org/chpok/templates/rating"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func viewPlayer(p lang.Printer, v player.Viewer, f playerFacts, now time.Time) ratingview.ProfileView {
	x := f.player
	view := ratingview.ProfileView{
		Handle: string(x.Handle), Name: words.PlayerName(p, x), Bot: x.Bot, IsMe: v.Is(x.ID), Since: p.Day(x.Created),
		Chart: ratingChart(p, f.history),
	}
	if f.rating.Rating != 0 {
		view.Rating, view.Provisional = words.PublishedRating(p, f.rating.Rating), f.rating.Provisional
		view.Peak = words.PublishedRating(p, f.rating.Peak)
	}
	if f.rating.Games > 0 {
		view.Games, view.Rated = p.Int(f.rating.Games), p.N("player.rated", f.rating.Games)
	}
	if f.maintainer.ID != "" {
		view.Maintainer = templates.Link{Text: string(f.maintainer.Handle), URL: words.PlayerURL(f.maintainer.Handle)}
		view.Plays = botPlays(p, f.rules)
	}
	if f.lastYear > 0 {
		view.Year = templates.Link{Text: p.T("year.link", "Year", words.Itoa(f.lastYear)), URL: words.YearURL(x.Handle, f.lastYear)}
	}
	view.House = x.Bot && x.Maintainer == ""
	if f.ban.Bars(now) {
		view.Ban = p.T("schedule.ban", "Time", p.When(f.ban.Until))
	}
	view.About = page.ViewAbout(p, v, x, f.about, now)
	view.Numbers = viewNumbers(p, x, f.numbers)
	if x.Role > player.Plain {
		view.Role = p.T("player.role." + x.Role.String())
	}
	for _, word := range f.known {
		if word.Kind == vouch.Identity {
			view.Known = append(view.Known, p.T("attest.known", "Issuer", f.issuers[word.Issuer].Name, "Until", p.Day(word.Expires)))
		}
	}
	for _, c := range f.clubs {
		view.Clubs = append(view.Clubs, templates.Link{Text: c.Name, URL: words.ClubURL(c.ID)})
	}
	shown := map[match.ID]bool{}
	for _, past := range f.past {
		if f.around.Frame(p, past).Hidden && !v.Is(x.ID) {
			continue
		}
		shown[past.Head.ID] = true
		place := "past-" + words.Itoa(len(view.Past)+1)
		board := scene.PastMatch(p, place, x.ID, v.Is(x.ID), f.around, past, now, f.history)
		for _, h := range f.matches { // read now: the view of the match is older than its statement
			if h.ID == past.Head.ID && h.Achieved > fairplay.Open {
				board.Line += " · " + form.LevelText(p, h.Achieved)
			}
		}
		view.Past = append(view.Past, board)
	}
	for _, h := range f.matches {
		if shown[h.ID] {
			continue
		}
		if !v.Is(x.ID) {
			h = veiled(h)
		}
		line := MatchLine(p, x.ID, h, f.opponents, f.ruled, now)
		line.Waits = line.Waits && v.Is(x.ID) // it reads "your turn"
		view.Matches = append(view.Matches, line)
	}
	for _, t := range f.tournaments {
		view.Tournaments = append(view.Tournaments, words.TournamentLine(p, t, now))
	}
	for _, ch := range slices.Backward(f.history) {
		view.Changes = append(view.Changes, changeLine(p, ch, f))
	}
	return view
}

func changeLine(p lang.Printer, ch store.RatingChange, f playerFacts) ratingview.RatingChangeLine {
	line := ratingview.RatingChangeLine{
		Date: p.Day(ch.At), Event: templates.Link{Text: p.T("player.challenge")},
		Reason: p.T("player.reason." + ch.Reason.String()), After: words.PublishedRating(p, ch.After), Change: "—",
	}
	switch {
	case ch.Challenge != "":
		line.Event.URL = words.ChallengeURL(ch.Challenge)
	case ch.Tournament != "":
		line.Event = templates.Link{Text: p.Event(f.names[ch.Tournament]), URL: words.TournamentURL(ch.Tournament) + "/ratings"}
	case ch.Match != "":
		line.Event = templates.Link{Text: p.T("rating.ladder-match"), URL: words.MatchURL(ch.Match)}
	default:
		line.Event = templates.Link{Text: p.T("rating.given")}
	}
	if ch.Achieved > fairplay.Open {
		line.Level = form.LevelText(p, ch.Achieved)
	}
	if ch.Before != 0 && ch.After != 0 {
		delta := ch.After.Whole() - ch.Before.Whole()
		line.Change, line.Up, line.Down = p.Signed(delta), delta > 0, delta < 0
	}
	if ch.K != 0 {
		line.K = words.Itoa(ch.K)
	}
	if n := len(ch.Steps); n > 0 {
		line.Games = words.Itoa(n)
	}
	return line
}

// MatchLine returns the line of a match as a player sees it.
func MatchLine(p lang.Printer, of player.ID, h store.Head, who map[player.ID]player.Player, ruled map[match.ID]bool,
	now time.Time) templates.MatchLine {
	us := h.SeatOf(of)
	other := who[h.Players[us.Other().Index()]]
	line := templates.MatchLine{
		URL: words.MatchURL(h.ID), Opponent: words.PlayerName(p, other), Bot: other.Bot, Date: p.Ago(h.LastAt), Stamp: p.Stamp(h.LastAt),
		Live: h.Status != match.Over && h.Status != match.Waiting, Waits: h.WaitsFor(of), Level: form.LevelShown(p, h),
	}
	if h.Status != match.Over {
		line.Result = p.T("player.match." + words.PhaseWord(h))
		return line
	}
	word := "drawn"
	switch winner, won := h.Result.Outcome.Winner(); {
	case won && winner == us:
		word, line.Won = "won", true
	case won, h.Result.Outcome == match.BothLose:
		word, line.Lost = "lost", true
	case h.Result.Outcome == match.Void:
		word = "void"
	}
	line.Result, line.Ruled = p.T("player.result."+word), ruled[h.ID]
	if a, b := h.Result.Points[us.Index()], h.Result.Points[us.Other().Index()]; a != 0 || b != 0 {
		line.Points = words.BoardPoints(p, [2]int{a, b})
	}
	return line
}

// veiled hides from watchers of a delayed match whose turn it is and when a player last acted.
func veiled(h store.Head) store.Head {
	if h.Status != match.Over && !h.Feed.IsZero() {
		h.ToAct, h.LastAt, h.Status = 0, h.OpenedAt, match.Playing
	}
	return h
}

// Measures of the chart of ratings, in its own units.
const (
	chartWidth, chartHeight = 640, 200
	chartLeft, chartBottom  = 64, 28
	chartTop                = 12
)

// ratingChart draws the history of a rating; it is empty for fewer than two changes.
func ratingChart(p lang.Printer, history []store.RatingChange) ratingview.ChartView {
	var points []store.RatingChange
	for _, ch := range history {
		if ch.After != 0 {
			points = append(points, ch)
		}
	}
	if len(points) < 2 {
		return ratingview.ChartView{}
	}
	low, high := points[0].After.Whole(), points[0].After.Whole()
	for _, ch := range points {
		low, high = min(low, ch.After.Whole()), max(high, ch.After.Whole())
	}
	step := 20
	for (high-low)/step > 4 {
		step *= 2
	}
	low, high = low/step*step, (high/step+1)*step
	y := func(r int) int {
		return chartTop + (high-r)*(chartHeight-chartTop-chartBottom)/(high-low)
	}
	x := func(i int) int { return chartLeft + i*(chartWidth-chartLeft-10)/(len(points)-1) }
	first, last := points[0], points[len(points)-1]
	chart := ratingview.ChartView{
		Width: chartWidth, Height: chartHeight, Left: chartLeft, Right: chartWidth, Baseline: chartHeight - 4,
		First: p.Day(first.At), Last: p.Day(last.At),
		Label: p.T("player.chart-label", "From", words.Itoa(first.After.Whole()), "To", words.Itoa(last.After.Whole()), "First",
			p.Day(first.At), "Last", p.Day(last.At)),
	}
	var line strings.Builder
	for i, ch := range points {
		fmt.Fprintf(&line, "%d,%d ", x(i), y(ch.After.Whole()))
		chart.Dots = append(chart.Dots, ratingview.ChartDot{X: x(i), Y: y(ch.After.Whole()), Label: words.Itoa(ch.After.Whole()) + ", " +
			p.Day(ch.At)})
	}
	chart.Line = strings.TrimSpace(line.String())
	for r := low; r <= high; r += step {
		chart.Grid = append(chart.Grid, ratingview.ChartRule{Y: y(r), Text: words.Itoa(r)})
	}
	return chart
}
