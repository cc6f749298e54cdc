package desk

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) apiDeskRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/draft", s.apiDraft, page.SignedIn),
		page.Post("/tournaments/:id/draft", s.apiMakeDraft, page.SignedIn),
		page.Delete("/tournaments/:id/draft", s.apiDiscardDraft, page.SignedIn),
		page.Delete("/tournaments/:id/hold", s.apiReleaseRound, page.SignedIn),
		page.Post("/tournaments/:id/draft/edits", s.apiEditDraft, page.SignedIn),
		page.Post("/tournaments/:id/draft/publication", s.apiPublish, page.SignedIn),
		page.Post("/tournaments/:id/results", s.apiEnterResult, page.SignedIn),
		page.Delete("/tournaments/:id/results/:round/:board", s.apiTakeResultBack, page.SignedIn),
		page.Post("/tournaments/:id/corrections", s.apiCorrect, page.SignedIn),
		page.Post("/tournaments/:id/expulsions", s.apiExpel, page.SignedIn),
		page.Delete("/tournaments/:id/expulsions/:entry", s.apiReinstate, page.SignedIn),
		page.Post("/tournaments/:id/steps", s.apiStep, page.SignedIn),
		page.Get("/tournaments/:id/log", s.apiLog, page.Anyone),
	}
}

type (
	apiDraftView struct {
		Round      int             `json:"round"`
		Boards     []apiDraftBoard `json:"boards"`
		Bye        *int            `json:"bye"`  // entry
		Left       []int           `json:"left"` // entries that play and are not in it
		Gone       []int           `json:"gone"` // that are in it and do not play
		Edited     bool            `json:"edited"`
		Stale      bool            `json:"stale"`
		PublishAt  *time.Time      `json:"publishAt"`
		Objections []apiObjection  `json:"objections"`
	}
	apiDraftBoard struct {
		First  int  `json:"first"` // entries
		Second int  `json:"second"`
		Fixed  bool `json:"fixed"`
	}
	apiObjection struct {
		Rule   string `json:"rule"`
		First  int    `json:"first,omitempty"` // numbers
		Second int    `json:"second,omitempty"`
		Round  int    `json:"round,omitempty"`
	}
)

func (s api) apiDraft(c echo.Context) error {
	t, err := s.Staffed(c)
	if err != nil {
		return err
	}
	if t.Draft == nil {
		return store.ErrNotFound
	}
	return s.sendDraft(c, t, http.StatusOK)
}

func (s api) sendDraft(c echo.Context, t *tournament.Tournament, status int) error {
	objections, _, err := tables.Objections(t)
	if err != nil {
		return err
	}
	d := t.Draft
	v := apiDraftView{Round: d.Number, Boards: []apiDraftBoard{}, Left: []int{}, Gone: []int{}, Edited: d.Edited, Stale: t.DraftStale() != nil,
		Objections: []apiObjection{}}
	for _, b := range d.Boards {
		v.Boards = append(v.Boards, apiDraftBoard{int(b.First), int(b.Second), b.Fixed})
	}
	if bye := int(d.Bye); bye != 0 {
		v.Bye = &bye
	}
	if !d.PublishAt.IsZero() {
		v.PublishAt = &d.PublishAt
	}
	left, gone := t.DraftMisfits()
	for _, id := range left {
		v.Left = append(v.Left, int(id))
	}
	for _, id := range gone {
		v.Gone = append(v.Gone, int(id))
	}
	for _, o := range objections {
		v.Objections = append(v.Objections, apiObjection{o.Rule, o.First, o.Second, o.Round})
	}
	return c.JSON(status, v)
}

// afterDraft answers with the draft after a change.
func (s api) afterDraft(c echo.Context, err error, status int) error {
	if err != nil {
		return err
	}
	t, err := s.Arbiter.Tournament(c.Request().Context(), tournament.ID(c.Param("id")))
	if err != nil {
		return err
	}
	if t.Draft == nil {
		return c.NoContent(http.StatusNoContent) // discarded or published meanwhile
	}
	return s.sendDraft(c, t, status)
}

func (s api) apiMakeDraft(c echo.Context) error {
	return s.afterDraft(c, s.Arbiter.Rounds.Draft(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id"))), http.StatusCreated)
}

func (s api) apiDiscardDraft(c echo.Context) error {
	return page.NoContent(c, s.Arbiter.Desk.DiscardDraft(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id"))))
}

func (s api) apiReleaseRound(c echo.Context) error {
	return page.NoContent(c, s.Arbiter.Desk.ReleaseRound(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id"))))
}

func (s api) apiEditDraft(c echo.Context) error {
	var in struct {
		Kind   string `json:"kind"`
		A      int    `json:"a"`
		B      int    `json:"b"`
		Bye    string `json:"bye"`
		Rest   bool   `json:"rest"`
		Reason string `json:"reason"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	kind, err := tournament.ParseEditKind(in.Kind)
	if err != nil {
		return page.BadValue("kind", err.Error())
	}
	e := tournament.Edit{Kind: kind, A: tournament.EntryID(in.A), B: tournament.EntryID(in.B), Bye: byeKinds[in.Bye], Rest: in.Rest}
	return s.afterDraft(c, s.Arbiter.Desk.EditDraft(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), e, in.Reason),
		http.StatusOK)
}

// apiPublish opens the drafted round now, or at a time.
func (s api) apiPublish(c echo.Context) error {
	var in struct {
		At *time.Time `json:"at"`
	}
	if err := page.ReadJSON(c, &in, true); err != nil {
		return err
	}
	id := tournament.ID(c.Param("id"))
	if in.At != nil {
		return s.afterDraft(c, s.Arbiter.Desk.ScheduleRound(c.Request().Context(), page.Viewer(c), id, *in.At), http.StatusOK)
	}
	if err := s.Arbiter.Rounds.Publish(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	return s.APILastRound(c, id)
}

// apiEnterResult enters the first result of a board and answers with its round.
func (s api) apiEnterResult(c echo.Context) error {
	var in struct {
		Round  int    `json:"round"`
		Board  int    `json:"board"`
		Result string `json:"result"`
		First  int    `json:"first"` // entry that the caller saw there; 0: whoever it is
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	kind, err := tournament.ParseResultKind(in.Result)
	if err != nil {
		return page.BadValue("result", err.Error())
	}
	id := tournament.ID(c.Param("id"))
	err = s.Arbiter.Rounds.EnterResult(c.Request().Context(), page.Viewer(c), id,
		rounds.Seen{Round: in.Round, Board: in.Board, First: tournament.EntryID(in.First)}, kind)
	if err != nil {
		return err
	}
	return s.APIRound(c, id, in.Round, http.StatusOK)
}

// apiTakeResultBack removes a result that the caller has entered.
func (s api) apiTakeResultBack(c echo.Context) error {
	round, err1 := strconv.Atoi(c.Param("round"))
	board, err2 := strconv.Atoi(c.Param("board"))
	if err1 != nil || err2 != nil {
		return store.ErrNotFound
	}
	return page.NoContent(c, s.Arbiter.Rounds.TakeResultBack(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), round,
		board))
}

// apiCorrect corrects a result and answers with the table; a dry run only shows the table.
func (s api) apiCorrect(c echo.Context) error {
	var in struct {
		Round  int    `json:"round"`
		Board  int    `json:"board"`
		Result string `json:"result"`
		Reach  string `json:"reach"`
		Reason string `json:"reason"`
		DryRun bool   `json:"dryRun"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	kind, err := tournament.ParseResultKind(in.Result)
	if err != nil {
		return page.BadValue("result", err.Error())
	}
	reach, err := tournament.ParseReach(in.Reach)
	if err != nil {
		return page.BadValue("reach", err.Error())
	}
	t, err := s.Staffed(c)
	if err != nil {
		return err
	}
	change := tables.Correction{Round: in.Round, Board: in.Board, Kind: kind, Reach: reach}
	_, after, err := tables.Preview(t, page.Viewer(c), change, s.Now())
	if err != nil {
		return err
	}
	if !in.DryRun {
		if err := s.Arbiter.Desk.Correct(c.Request().Context(), page.Viewer(c), t.ID, change, in.Reason); err != nil {
			return err
		}
		if after, err = s.Staffed(c); err != nil {
			return err
		}
	}
	table, err := tables.TableOf(after)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, table)
}

func (s api) apiExpel(c echo.Context) error {
	var in struct {
		Entry   int    `json:"entry"`
		Reason  string `json:"reason"`
		Conduct bool   `json:"conduct"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	x := tables.Expulsion{Reason: in.Reason, Conduct: in.Conduct}
	return page.NoContent(c, s.Arbiter.Desk.Expel(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")),
		tournament.EntryID(in.Entry), x))
}

func (s api) apiReinstate(c echo.Context) error {
	return page.NoContent(c, s.Arbiter.Desk.Reinstate(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")),
		words.EntryIDOf(c.Param("entry")), c.QueryParam("reason")))
}

// apiStep takes a step of a tournament's life.
func (s api) apiStep(c echo.Context) error {
	var in struct {
		Step   string `json:"step"`
		Reason string `json:"reason"`
		Lose   bool   `json:"lose"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	i := slices.IndexFunc(lifeSteps, func(st lifeStep) bool { return st.word == in.Step })
	if i < 0 {
		return page.BadValue("step", "there is no such step")
	}
	return page.NoContent(c, lifeSteps[i].do(c.Request().Context(), s.Arbiter.Desk, page.Viewer(c), tournament.ID(c.Param("id")), in.Reason,
		in.Lose))
}

// apiLog answers with the part of the log that the caller may see.
func (s api) apiLog(c echo.Context) error {
	t, deeds, err := record(s).seenDeeds(c)
	if err != nil {
		return err
	}
	w := deedWriter{p: lang.Printer{Lang: lang.English, Zone: time.UTC}, t: t}
	list := make([]apiDeed, len(deeds))
	for i, d := range deeds {
		list[i] = apiDeed{Seq: d.Seq, At: d.At, By: string(d.By), Act: string(d.Act), Reason: d.Reason, Changes: []apiChange{}}
		if d.Duty != 0 {
			list[i].Duty = d.Duty.String()
		}
		for _, l := range w.line(d).Changes {
			list[i].Changes = append(list[i].Changes, apiChange{l.What, l.Was, l.Is})
		}
	}
	return c.JSON(http.StatusOK, map[string][]apiDeed{"deeds": list})
}

// apiDeed is a line of the log in names and words. The file log.jsonl has it whole.
type apiDeed struct {
	Seq     int64       `json:"seq"`
	At      time.Time   `json:"at"`
	By      string      `json:"by,omitempty"`
	Duty    string      `json:"duty,omitempty"`
	Act     string      `json:"act"`
	Reason  string      `json:"reason,omitempty"`
	Changes []apiChange `json:"changes"`
}

type apiChange struct {
	What   string `json:"what"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}
