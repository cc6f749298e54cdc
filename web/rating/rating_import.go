package rating

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	ratingview "chpok.org/chpok/templates/rating"
	"chpok.org/chpok/tournament/trf"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// previewLines limits the players in the preview of an import.
const previewLines = 100

// importing is a list to import and what it would change.
type importing struct {
	text     string
	brought  page.Brought
	create   bool // accounts for unknown handles
	rows     []rating.Row
	problems []rating.RowProblem
	refused  error // refusal of the whole text
	known    map[string]player.Player
	before   map[player.ID]store.Rating
}

func (s pages) ratingImportForm(c echo.Context) error {
	x, _, err := s.runnablePool(c)
	if err != nil {
		return err
	}
	return s.showRatingImport(c, http.StatusOK, x, importing{}, false)
}

// importRatings shows what an import would change or, once confirmed, carries it out.
func (s pages) importRatings(c echo.Context) error {
	x, _, err := s.runnablePool(c)
	if err != nil {
		return err
	}
	brought, err := page.BroughtText(c, "text", 0)
	if err != nil {
		return s.showRatingImport(c, http.StatusUnprocessableEntity, x, importing{refused: err}, false)
	}
	in, err := s.importOf(c, x, brought, c.FormValue("create") != "")
	if err != nil {
		return err
	}
	if c.FormValue("confirm") != "1" || in.refused != nil || len(in.problems) > 0 || len(in.rows) == 0 {
		status := http.StatusOK
		if in.refused != nil || len(in.problems) > 0 {
			status = http.StatusUnprocessableEntity
		}
		return s.showRatingImport(c, status, x, in, true)
	}
	if err := s.give(c, x, in); err != nil {
		return err
	}
	return s.Redirect(c, poolListURL(x.ID), "flash.ratings-imported")
}

// importOf reads a list that was brought for a pool, and what it would change.
func (s pages) importOf(c echo.Context, x rating.Pool, brought page.Brought, create bool) (in importing, err error) {
	in = importing{text: brought.Text, brought: brought, create: create && mayCreate(page.Viewer(c), x)}
	if in.rows, in.problems, in.refused = readList(in.text); in.refused == nil {
		err = s.Store.Read(c.Request().Context(), in.read(x))
	}
	return in, err
}

// give carries an import out.
func (s pages) give(c echo.Context, x rating.Pool, in importing) error {
	starts, err := s.startsOf(c, in)
	if err != nil {
		return err
	}
	return s.Arbiter.Ratings.Give(c.Request().Context(), page.Viewer(c), x.ID, starts)
}

// mayCreate reports whether the viewer may create accounts by an import: operators may, for lists of the site.
func mayCreate(v player.Viewer, x rating.Pool) bool { return v.MayOperate() && x.Club == "" }

// readList reads a list as CSV, or the players of a tournament report.
func readList(text string) ([]rating.Row, []rating.RowProblem, error) {
	if !looksLikeTRF(text) {
		return rating.ReadRows(strings.NewReader(text))
	}
	report, err := trf.Read(text)
	var syntax *trf.SyntaxError
	if errors.As(err, &syntax) {
		var problems []rating.RowProblem
		for _, x := range syntax.Problems {
			problems = append(problems, rating.RowProblem{Line: x.Line, Text: x.Reason})
		}
		return nil, problems, nil
	}
	if err != nil {
		return nil, nil, err
	}
	var rows []rating.Row
	var problems []rating.RowProblem
	seen := map[string]bool{}
	for i, x := range report.Players {
		key := player.Handle(x.Name).Key()
		switch {
		case x.Rating <= 0:
			problems = append(problems, rating.RowProblem{Line: i + 1, Column: "rating", Text: x.Name})
		case seen[key]:
			problems = append(problems, rating.RowProblem{Line: i + 1, Column: "handle", Text: x.Name})
		default:
			rows = append(rows, rating.Row{Line: i + 1, Handle: x.Name, Rating: x.Rating})
		}
		seen[key] = true
	}
	return rows, problems, nil
}

// looksLikeTRF reports whether the first line begins with a three-digit code, as in tournament reports.
func looksLikeTRF(text string) bool {
	for line := range strings.Lines(text) {
		return len(line) > 4 && line[3] == ' ' && strings.Trim(line[:3], "0123456789") == ""
	}
	return false
}

// read finds the players of a list. A line with an invalid handle, or an unknown one for which no account shall be
// created, is a problem.
func (in *importing) read(x rating.Pool) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		in.known = map[string]player.Player{}
		handles := make([]player.Handle, len(in.rows))
		for i, r := range in.rows {
			handles[i] = player.Handle(r.Handle)
		}
		found, err := tx.PlayersByHandle(handles...)
		if err != nil {
			return err
		}
		for _, who := range found {
			in.known[who.Handle.Key()] = who
		}
		var ids []player.ID
		for _, r := range in.rows {
			who, known := in.known[player.Handle(r.Handle).Key()]
			_, err := player.ParseNewHandle(r.Handle)
			switch {
			case known:
				ids = append(ids, who.ID)
			case err != nil || !in.create:
				in.problems = append(in.problems, rating.RowProblem{Line: r.Line, Column: "player", Text: r.Handle})
			}
		}
		slices.SortStableFunc(in.problems, func(a, b rating.RowProblem) int { return a.Line - b.Line })
		in.before, err = tx.PoolRatings(x.ID, ids...)
		return err
	}
}

// startsOf creates missing accounts and returns the ratings to give.
func (s pages) startsOf(c echo.Context, in importing) ([]rating.Start, error) {
	var starts []rating.Start
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error {
		starts = nil
		for _, r := range in.rows {
			who, known := in.known[player.Handle(r.Handle).Key()]
			if !known {
				handle, err := player.ParseNewHandle(r.Handle)
				if err != nil {
					return err
				}
				who = player.Player{ID: player.ID(store.NewID()), Handle: handle, Role: player.Plain, Created: s.Now()}
				if err := tx.AddPlayer(who, ""); err != nil {
					return err
				}
			}
			starts = append(starts, rating.Start{Player: string(who.ID), Rating: r.Rating, Games: r.Games, Deviation: r.Deviation})
		}
		return nil
	})
	return starts, err
}

// What a line of an import brings.
const (
	bringsNew      = "new"      // a first rating
	bringsAccount  = "account"  // a player whom nobody knew
	bringsReplaced = "replaced" // another rating
	bringsSame     = "same"     // what stands already
)

// changes returns what stands before a line of an import, and what it brings.
func (in *importing) changes(r rating.Row) (before store.Rating, what string) {
	who, known := in.known[player.Handle(r.Handle).Key()]
	before, rated := in.before[who.ID]
	switch {
	case !known:
		return before, bringsAccount
	case !rated:
		return before, bringsNew
	case before.Rating == rating.Points(r.Rating) && before.Games == r.Games:
		return before, bringsSame
	}
	return before, bringsReplaced
}

func (s pages) showRatingImport(c echo.Context, status int, x rating.Pool, in importing, preview bool) error {
	p := s.Printer(c)
	view := ratingview.RatingImportView{
		Pool: words.PoolName(p, x), Action: poolURL(x.ID) + "/import", BackURL: poolURL(x.ID), Text: in.text,
		Encoding: in.brought.View(p), MayCreate: mayCreate(page.Viewer(c), x), Create: in.create,
	}
	switch {
	case in.refused != nil:
		view.Error = page.TextOf(p, in.refused)
	case preview:
		view.Preview = viewPreview(p, in)
	}
	sh := s.Shell(c, p.T("rating.import"))
	sh.Section, sh.Styles = "players", []string{"rating.css"}
	return s.Render(c, status, ratingview.RatingImportPage(sh, view))
}

func viewPreview(p lang.Printer, in importing) *ratingview.RatingPreview {
	v := &ratingview.RatingPreview{MayDo: len(in.problems) == 0 && len(in.rows) > 0}
	fresh, changed, same := 0, 0, 0
	for i, r := range in.rows {
		before, what := in.changes(r)
		line := ratingview.RatingImportLine{Line: words.Itoa(r.Line), Handle: r.Handle, Before: "—", After: words.Itoa(r.Rating),
			Games: p.Int(r.Games), What: p.T("rating.import-brings." + what), New: what == bringsAccount}
		if before.Rating > 0 {
			line.Before = words.PublishedRating(p, before.Rating)
		}
		switch what {
		case bringsAccount:
			fresh++
		case bringsSame:
			same++
		case bringsReplaced:
			changed++
		}
		if i < previewLines {
			v.Lines = append(v.Lines, line)
		}
	}
	if more := len(in.rows) - previewLines; more > 0 {
		v.More = p.N("rating.import-more", more)
	}
	v.Summary = p.T("rating.import-summary", "All", p.Int(len(in.rows)), "Accounts", p.Int(fresh), "Replaced", p.Int(changed), "Same",
		p.Int(same), "Bad", p.Int(len(in.problems)))
	for _, x := range in.problems {
		v.Problems = append(v.Problems, ratingview.RatingImportProblem{Line: p.T("rating.line-n", "N", x.Line), Why: rowProblemText(p, x)})
	}
	return v
}

func rowProblemText(p lang.Printer, x rating.RowProblem) string {
	if x.Column == "" {
		return p.T("rating.import-bad.line", "Text", x.Text)
	}
	return p.T("rating.import-bad."+x.Column, "Text", x.Text)
}

// ratingsTRF sends a list as a tournament report without rounds.
func (s pages) ratingsTRF(c echo.Context) error {
	report := trf.Report{}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		l, err := s.ratingListOf(c, tx)
		if err != nil {
			return err
		}
		l.query.Limit = trf.MaxNumber
		report.SetHeader("012", words.PoolName(s.Printer(c), l.pool)+monthSuffix(l))
		return tx.EachRating(l.query, func(r store.Rating, handle player.Handle) error {
			n := len(report.Players) + 1
			report.Players = append(report.Players, trf.Player{Number: n, Name: string(handle), Rating: r.Rating.Whole(), Rank: n})
			return nil
		})
	})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := report.Write(&b, trf.TRF16); err != nil {
		return err
	}
	return page.SendFile(c, "ratings.trf", "text/plain; charset=utf-8", b.Bytes())
}
