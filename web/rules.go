package web

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	learnview "chpok.org/chpok/templates/learn"
)

func (s *Server) ruleRoutes() []route {
	return []route{
		{get, "/rules", s.rules, anyone},
		{get, "/rules/bidding", s.biddingExample, anyone},
		{get, "/faq", s.questions, anyone},
	}
}

func (s *Server) rules(c echo.Context) error {
	p := s.printer(c)
	sh := s.shell(c, p.T("rules.title"))
	sh.Section, sh.Styles = "rules", []string{"board.css", "rules.css"}
	return s.render(c, http.StatusOK, learnview.RulesPage(sh, viewRules(p)))
}

func (s *Server) questions(c echo.Context) error {
	p := s.printer(c)
	sh := s.shell(c, p.T("rules.faq"))
	sh.Section, sh.Styles = "rules", []string{"rules.css"}
	return s.render(c, http.StatusOK, learnview.QuestionsPage(sh, longText("faq", p.Lang)))
}

// biddingExample shows one step of a whole bidding phase; the steps are links,
// so that it needs no script.
func (s *Server) biddingExample(c echo.Context) error {
	p := s.printer(c)
	step, err := strconv.Atoi(c.QueryParam("step"))
	if err != nil || step < 0 || step >= len(exampleSteps) {
		step = 0
	}
	sh := s.shell(c, p.T("rules.example"))
	sh.Section, sh.Styles = "rules", []string{"board.css", "rules.css"}
	return s.render(c, http.StatusOK, learnview.BiddingExamplePage(sh, viewExample(p, step)))
}
