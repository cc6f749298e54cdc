package rating

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/player/year"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	ratingview "chpok.org/chpok/templates/rating"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func (s pages) year(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	f, err := s.ReadYear(c, v)
	if err != nil {
		return err
	}
	title := words.YearTitle(p, f.Player, f.Number)
	sh := s.Shell(c, title)
	sh.Section, sh.Styles = "players", []string{"board.css", "player.css"}
	if sh.NoIndex = !f.IsPublic; f.IsPublic {
		at := words.YearURL(f.Player.Handle, f.Number)
		sh.Card = s.LinkCard(c, p, templates.Card{Title: title, Text: words.YearScore(p, f.Year), URL: at, Picture: at + "/picture.png"})
	}
	return s.Render(c, http.StatusOK, ratingview.YearPage(sh, s.viewYear(p, f, v.Is(f.Player.ID), sh.Card)))
}

func (s pages) viewYear(p lang.Printer, f page.YearFacts, isMe bool, card *templates.Card) ratingview.YearView {
	y := f.Year
	view := ratingview.YearView{
		Title:  words.YearTitle(p, f.Player, f.Number),
		Player: templates.Link{Text: words.PlayerName(p, f.Player), URL: words.PlayerURL(f.Player.Handle)}, Score: words.YearScore(p, y),
		Chart: ratingChart(p, f.History), Privacy: isMe,
	}
	if f.Number > f.First {
		view.Before = templates.Link{Text: words.Itoa(f.Number - 1), URL: words.YearURL(f.Player.Handle, f.Number-1)}
	}
	if f.Number < f.Last {
		view.After = templates.Link{Text: words.Itoa(f.Number + 1), URL: words.YearURL(f.Player.Handle, f.Number+1)}
	}
	if card != nil {
		view.Address, view.Picture = card.URL, card.Picture
	}
	for _, x := range words.YearFigures(p, y, f.History) {
		view.Figures = append(view.Figures, ratingview.Figure(x))
	}
	for _, a := range y.Achievements {
		view.Achievements = append(view.Achievements, achievementLine(p, a))
	}
	for _, r := range f.Raises {
		view.Raises = append(view.Raises, raiseLine(p, r))
	}
	for _, r := range y.Rivals {
		who := f.Who[r.Opponent]
		view.Rivals = append(view.Rivals, ratingview.OpponentLine{
			Handle: words.PlayerName(p, who), URL: versusURL(f.Player.Handle, who.Handle), Games: p.Int(r.Wins + r.Draws + r.Losses),
			Wins: p.Int(r.Wins), Draws: p.Int(r.Draws), Losses: p.Int(r.Losses),
		})
	}
	if b := y.Best; b.ID != "" {
		view.Best = &templates.MatchLine{URL: words.MatchURL(b.ID), Opponent: words.PlayerName(p, f.Who[b.Opponent]), Date: p.Day(b.At),
			Stamp: p.Stamp(b.At), Points: words.BoardPoints(p, [2]int{b.Own, b.Theirs}), Won: true, Result: p.T("player.result.won")}
	}
	return view
}

// achievementPieces are the pieces that stand for achievements.
var achievementPieces = map[year.Kind]string{"king": "wK", "claim": "wN", "raise": "wD", year.Evenings: "wR", year.Season: "wQ"}

func achievementLine(p lang.Printer, a year.Achievement) ratingview.AchievementLine {
	word := string(a.Kind)
	line := ratingview.AchievementLine{
		Piece: achievementPieces[a.Kind], Title: p.T("year.feat." + word), Text: p.T("year.about." + word), Count: p.N("year.count."+word, a.Count),
		Step: a.Step, First: templates.Link{Text: p.Day(a.At), URL: words.MatchURL(a.Match)},
	}
	if a.Match == "" {
		line.First = templates.Link{Text: p.Event(a.Event.Name), URL: "/tournaments/" + a.Event.ID}
	}
	if a.Next > 0 {
		line.Next = p.T("year.next", "N", p.Int(a.Next))
	}
	return line
}

func raiseLine(p lang.Printer, r store.Raise) ratingview.RaiseLine {
	line := ratingview.RaiseLine{Target: scene.TargetName(p, bidding.Target(r.Target)), Text: r.Outcome, Count: p.N("year.raised", r.Matches),
		Score: p.T("year.scored", "Percent", p.Int((100*r.Halves+r.Matches)/(2*r.Matches)))}
	switch bidding.Target(r.Target) {
	case bidding.HomeRow:
		line.Row = r.Outcome
	case bidding.Features:
		if f, err := board.ParseFeatures([]byte(r.Outcome)); err == nil {
			line.Text = scene.FeaturesText(p, f)
		}
	}
	return line
}
