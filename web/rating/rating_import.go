package rating

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	ratingview "chpok.org/chpok/templates/rating"
	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/tournament/trf"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// previewLines limits the players in the preview of an import.
const previewLines = 100

// importing is a list to import and what it would change.
type importing struct {
	text     string // that imports the list, once it was looked at
	brought  page.Brought
	create   bool // accounts for unknown handles
	problems []rating.RowProblem
	refused  error // refusal of the whole list
	plan     ratings.Import
}

// mayDo reports whether there is something to import and nothing to mend before.
func (in importing) mayDo() bool {
	return in.refused == nil && len(in.problems) == 0 && len(in.plan.Lines) > 0
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
	if page.IsLongList(c) {
		return s.showLongList(c, x)
	}
	brought, err := page.BroughtText(c, "text", 0)
	if err != nil {
		return s.showRatingImport(c, http.StatusUnprocessableEntity, x, importing{refused: err}, false)
	}
	in, err := s.importOf(c, x, brought, c.FormValue("create") != "")
	if err != nil {
		return err
	}
	if c.FormValue("confirm") != "1" || !in.mayDo() {
		status := http.StatusOK
		if in.refused != nil || len(in.problems) > 0 {
			status = http.StatusUnprocessableEntity
		}
		return s.showRatingImport(c, status, x, in, true)
	}
	if err := s.Arbiter.Ratings.Import(c.Request().Context(), page.Viewer(c), in.plan); err != nil {
		return err
	}
	return s.Redirect(c, poolListURL(x.ID), "flash.ratings-imported")
}

// importOf reads a list that was brought for a pool, and what it would change.
func (s pages) importOf(c echo.Context, x rating.Pool, brought page.Brought, create bool) (in importing, err error) {
	in = importing{text: brought.Text, brought: brought, create: create && ratings.MayMakeAccounts(page.Viewer(c), x)}
	rows, problems, refused := readList(in.text)
	if in.problems, in.refused = problems, refused; refused == nil {
		in.plan, err = s.Arbiter.Ratings.PlanImport(c.Request().Context(), page.Viewer(c), x.ID, in.create, eachOf(rows))
	}
	return in, err
}

// eachOf shows the lines of a list that has been read.
func eachOf(rows []rating.Row) func(func(rating.Row) error) error {
	return func(each func(rating.Row) error) error {
		for _, r := range rows {
			if err := each(r); err != nil {
				return err
			}
		}
		return nil
	}
}

// longListWithin is how long a long list may take to arrive.
const longListWithin = 15 * time.Minute

// showLongList shows what FIDE's list would change while it arrives. What is confirmed then are the lines that it has of
// people here.
func (s pages) showLongList(c echo.Context, x rating.Pool) error {
	if err := http.NewResponseController(c.Response()).SetReadDeadline(time.Now().Add(longListWithin)); err != nil {
		return err
	}
	in := importing{}
	file, err := page.LongList(c, "file")
	if err == nil {
		in.plan, err = s.Arbiter.Ratings.PlanImport(c.Request().Context(), page.Viewer(c), x.ID, false,
			func(each func(rating.Row) error) error { return rating.ReadFIDE(file, each) })
	}
	switch {
	case errors.Is(err, rating.ErrFIDE), errors.Is(err, intake.ErrNotText), errors.Is(err, page.ErrTooLong):
		return s.showRatingImport(c, http.StatusUnprocessableEntity, x, importing{refused: rating.ErrFIDE}, false)
	case err != nil:
		return err
	}
	in.text = linesOf(in.plan)
	return s.showRatingImport(c, http.StatusOK, x, in, true)
}

// linesOf is a plan as a list by handles.
func linesOf(plan ratings.Import) string {
	var b strings.Builder
	b.WriteString("handle,rating,games\n")
	for _, l := range plan.Lines {
		fmt.Fprintf(&b, "%s,%d,%d\n", l.Player.Handle, l.Rating, l.Games)
	}
	return b.String()
}

// readList reads a list as CSV, FIDE's, or the players of a tournament report, whose names may be handles.
func readList(text string) (rows []rating.Row, problems []rating.RowProblem, err error) {
	switch {
	case rating.IsFIDE([]byte(text)):
		err = rating.ReadFIDE(strings.NewReader(text), func(r rating.Row) error { rows = append(rows, r); return nil })
		return rows, nil, err
	case !looksLikeTRF(text):
		return rating.ReadRows(strings.NewReader(text))
	}
	report, err := trf.Read(text)
	var syntax *trf.SyntaxError
	if errors.As(err, &syntax) {
		for _, x := range syntax.Problems {
			problems = append(problems, rating.RowProblem{Line: x.Line, Text: x.Reason})
		}
		return nil, problems, nil
	}
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	for i, x := range report.Players {
		key := player.Handle(x.Name).Key()
		switch {
		case x.Rating <= 0:
			problems = append(problems, rating.RowProblem{Line: i + 1, Column: "rating", Text: x.Name})
		case seen[key]:
			problems = append(problems, rating.RowProblem{Line: i + 1, Column: "handle", Text: x.Name})
		default:
			rows = append(rows, rating.Row{Line: i + 1, Handle: x.Name, FIDE: x.FIDE, Name: x.Name, Rating: x.Rating})
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

// What a line of an import brings.
const (
	bringsNew      = "new"      // a first rating
	bringsAccount  = "account"  // a player whom nobody knew
	bringsReplaced = "replaced" // another rating
	bringsSame     = "same"     // what stands already
)

// brings returns what a line of an import brings.
func brings(l ratings.ImportLine) string {
	switch {
	case l.Player.ID == "":
		return bringsAccount
	case !l.Rated:
		return bringsNew
	case l.Before.Rating == rating.Points(l.Rating) && l.Before.Games == l.Games:
		return bringsSame
	}
	return bringsReplaced
}

func (s pages) showRatingImport(c echo.Context, status int, x rating.Pool, in importing, preview bool) error {
	p := s.Printer(c)
	view := ratingview.RatingImportView{
		Pool: words.PoolName(p, x), Action: poolURL(x.ID) + "/import", BackURL: poolURL(x.ID), Text: in.text,
		Encoding: in.brought.View(p), MayCreate: ratings.MayMakeAccounts(page.Viewer(c), x), Create: in.create,
	}
	switch {
	case in.refused != nil:
		view.Error = page.TextOf(p, in.refused)
	case preview:
		view.Preview = viewPreview(p, in)
	}
	sh := s.Shell(c, p.T("rating.import"))
	sh.Section, sh.Styles, sh.Scripts = "players", []string{"rating.css"}, []string{"upload.js"}
	return s.Render(c, status, ratingview.RatingImportPage(sh, view))
}

func viewPreview(p lang.Printer, in importing) *ratingview.RatingPreview {
	v := &ratingview.RatingPreview{MayDo: in.mayDo()}
	fresh, changed, same := 0, 0, 0
	for i, l := range in.plan.Lines {
		what := brings(l)
		line := ratingview.RatingImportLine{Line: words.Itoa(l.Line), Handle: string(l.Player.Handle), Before: "—", After: words.Itoa(l.Rating),
			Games: p.Int(l.Games), What: p.T("rating.import-brings." + what), New: what == bringsAccount}
		if l.Name != "" && l.Name != line.Handle {
			line.Name = l.Name
		}
		if l.Rated {
			line.Before = words.PublishedRating(p, l.Before.Rating)
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
	if more := len(in.plan.Lines) - previewLines; more > 0 {
		v.More = p.N("rating.import-more", more)
	}
	v.Summary = p.T("rating.import-summary", "All", p.Int(in.plan.All), "Accounts", p.Int(fresh), "Replaced", p.Int(changed), "Same",
		p.Int(same), "Out", p.Int(in.plan.Out()), "Bad", p.Int(len(in.problems)))
	for _, x := range in.problems {
		v.Problems = append(v.Problems, ratingview.RatingImportProblem{Line: p.T("rating.line-n", "N", x.Line), Why: rowProblemText(p, x)})
	}
	for _, x := range in.plan.Left {
		v.Left = append(v.Left, ratingview.RatingImportProblem{Line: p.T("rating.line-n", "N", x.Line),
			Why: p.T("rating.import-left."+x.Why(), "Text", x.Called())})
	}
	if more := in.plan.Out() - len(in.plan.Left); more > 0 {
		v.MoreLeft = p.N("rating.import-more", more)
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
	report, of := trf.Report{}, ""
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		l, err := s.ratingListOf(c, tx)
		if err != nil {
			return err
		}
		l.query.Limit, of = trf.MaxNumber, l.fileOf()
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
	return page.SendFile(c, of, "ratings.trf", "text/plain; charset=utf-8", b.Bytes())
}
