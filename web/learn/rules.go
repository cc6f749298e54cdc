package learn

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	learnview "chpok.org/chpok/templates/learn"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) ruleRoutes() []page.Route {
	return []page.Route{
		page.Get("/rules", s.rules, page.Anyone),
		page.Get("/rules/bidding", s.biddingExample, page.Anyone),
		page.Get("/faq", s.questions, page.Anyone),
	}
}

func (s pages) rules(c echo.Context) error {
	p := s.Printer(c)
	sh := s.Shell(c, p.T("rules.title"))
	sh.Section, sh.Styles = "rules", []string{"board.css", "rules.css"}
	return s.Render(c, http.StatusOK, learnview.RulesPage(sh, viewRules(p)))
}

func (s pages) questions(c echo.Context) error {
	p := s.Printer(c)
	sh := s.Shell(c, p.T("rules.faq"))
	sh.Section, sh.Styles = "rules", []string{"rules.css"}
	return s.Render(c, http.StatusOK, learnview.QuestionsPage(sh, words.LongText("faq", p.Lang)))
}

// biddingExample shows a step of an example of the bidding. The steps are links, so it needs no script.
func (s pages) biddingExample(c echo.Context) error {
	p := s.Printer(c)
	step, err := strconv.Atoi(c.QueryParam("step"))
	if err != nil || step < 0 || step >= len(exampleSteps) {
		step = 0
	}
	sh := s.Shell(c, p.T("rules.example"))
	sh.Section, sh.Styles = "rules", []string{"board.css", "rules.css"}
	return s.Render(c, http.StatusOK, learnview.BiddingExamplePage(sh, viewExample(p, step)))
}
