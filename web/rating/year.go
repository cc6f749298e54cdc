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
	sh.Section, sh.Styles = "players", []string{"board.css", "live.css", "player.css"}
	if sh.NoIndex = !f.IsPublic; f.IsPublic {
		at := words.YearURL(f.Player.Handle, f.Number)
		sh.Card = s.LinkCard(c, p, templates.Card{Title: title, Text: words.YearScore(p, f.Year), URL: at, Picture: at + "/picture.png"})
	}
	around, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (scene.Around, error) { return scene.ReadAround(tx, f.Past) })
	if err != nil {
		return err
	}
	view := s.viewYear(p, f, v.Is(f.Player.ID), sh.Card)
	for _, best := range f.Past {
		if view.Privacy || !around.Frame(p, best).Hidden {
			board := scene.PastMatch(p, "best", f.Player.ID, view.Privacy, around, best, s.Now(), f.History)
			view.Best = &board
		}
	}
	return s.Render(c, http.StatusOK, ratingview.YearPage(sh, view))
}

func (s pages) viewYear(p lang.Printer, f page.YearFacts, isMe bool, card *templates.Card) ratingview.YearView {
	y := f.Year
	view := ratingview.YearView{
		Title:  words.YearTitle(p, f.Player, f.Number),
		Player: templates.Link{Text: words.PlayerName(p, f.Player), URL: words.PlayerURL(f.Player.Handle)}, Score: words.YearScore(p, y),
		BestTitle: words.YearBest(p, y), Chart: ratingChart(p, f.History), Privacy: isMe,
	}
	if f.Number > f.First {
		view.Before = templates.Link{Text: words.Itoa(f.Number - 1), URL: words.YearURL(f.Player.Handle, f.Number-1)}
	}
	if f.Number < f.Last {
		view.After = templates.Link{Text: words.Itoa(f.Number + 1), URL: words.YearURL(f.Player.Handle, f.Number+1)}
	}
	if card != nil {
		view.Address, view.Picture, view.Dark = card.URL, card.Picture, card.Picture+"&dark=1"
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
	return view
}

func achievementLine(p lang.Printer, a year.Achievement) ratingview.AchievementLine {
	word := string(a.Kind)
	line := ratingview.AchievementLine{
		Piece: "w" + words.FeatPieces[a.Kind].String(), Title: p.T("year.feat." + word), Text: p.T("year.about." + word), Count: p.N("year.count."+word, a.Count),
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
	line := ratingview.RaiseLine{Target: scene.TargetName(p, bidding.Target(r.Target)), Count: p.N("year.raised", r.Matches),
		Chips: r.Usual(), Paid: p.N("year.paid", r.Usual()), Score: p.T("year.scored", "Percent", p.Int((100*r.Halves+r.Matches)/(2*r.Matches)))}
	switch bidding.Target(r.Target) {
	case bidding.HomeRow:
		line.Row = r.Outcome
	case bidding.Features:
		f, err := board.ParseFeatures([]byte(r.Outcome))
		if err != nil {
			break
		}
		for _, rule := range scene.Rules(p, f) {
			line.Marks = append(line.Marks, ratingview.RuleMark(rule))
		}
		if len(line.Marks) == 0 {
			line.Marks = []ratingview.RuleMark{{Name: p.T("match.features.none")}}
		}
	default:
		line.Marks = []ratingview.RuleMark{{Key: "time", Name: r.Outcome}}
	}
	return line
}
