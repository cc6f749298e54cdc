package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	fairplayview "chpok.org/chpok/templates/fairplay"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/tournament"
)

func (s *Server) reviewRoutes() []route {
	return []route{
		{get, "/fair-play/privacy", s.privacy, anyone},
		{post, "/matches/:id/telemetry", s.tellOfPage, signedIn},
		{get, "/matches/:id/report", s.reportPlay, signedIn},
		{post, "/matches/:id/report", s.sendReport, signedIn},
		{get, "/tournaments/:id/steward", s.stewards, signedIn},
		{post, "/tournaments/:id/steward", s.doWatch, signedIn},
		{get, "/tournaments/:id/fair-play/me", s.ownDossier, signedIn},
		{get, "/tournaments/:id/fair-play/me/review.json", s.ownReview, signedIn},
		{post, "/tournaments/:id/fair-play/me", s.dealOwn, signedIn},
		{get, "/tournaments/:id/fair-play/:entry", s.entryDossier, signedIn},
		{post, "/tournaments/:id/fair-play/:entry", s.dealEntry, signedIn},
	}
}

// privacy is what is kept about players for fair play, why and how long.
func (s *Server) privacy(c echo.Context) error {
	p := s.printer(c)
	sh := s.shell(c, p.T("review.privacy"))
	sh.Section, sh.Styles = "rules", []string{"rules.css"}
	return s.render(c, http.StatusOK, fairplayview.PrivacyPage(sh, longText("privacy", p.Lang)))
}

// tellOfPage takes in what a match page tells of itself, and answers what is
// kept of it.
func (s *Server) tellOfPage(c echo.Context) error {
	v := viewer(c)
	if _, byToken := token(c); byToken {
		return errForbidden
	}
	if err := s.count(c, limitTell, string(v.ID)); err != nil {
		return err
	}
	var in struct {
		Rows []struct {
			Kind   string `json:"kind"`
			Number int    `json:"number"`
		} `json:"rows"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(c.Response(), c.Request().Body, 16<<10)).Decode(&in); err != nil {
		return errBadRequest
	}
	list := make([]fairplay.Told, len(in.Rows))
	for i, r := range in.Rows {
		list[i] = fairplay.Told{Tell: fairplay.Tell(r.Kind), Number: r.Number}
	}
	told, err := s.arbiter.Tell(c.Request().Context(), v, match.ID(c.Param("id")), list)
	if errors.Is(err, live.ErrNotPlaying) {
		return errForbidden
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]string{"text": toldText(s.printer(c), told)})
}

// viewTold adds to a match page what it tells of itself, and where another's
// play is reported.
func (s *Server) viewTold(c echo.Context, look live.View, v *matchview.MatchView) error {
	me := viewer(c)
	seat := look.Head.SeatOf(me.ID)
	if !me.IsSignedIn() {
		return nil
	}
	return s.store.Read(c.Request().Context(), func(tx *store.Tx) error {
		if look.Head.Status == match.Over && !me.Bot {
			_, err := tx.PairingOf(look.Head.ID)
			if err == nil {
				v.Report = matchURL(look.Head.ID) + "/report"
			}
			if errors.Is(err, store.ErrNotFound) {
				err = nil
			}
			return err
		}
		with, err := tx.MatchPolicy(look.Head.ID)
		if errors.Is(err, store.ErrNotFound) || err == nil && (!with.Policy.Telemetry || !seat.Valid()) {
			return nil
		}
		if err != nil {
			return err
		}
		told, err := tx.Told(look.Head.ID, seat)
		v.Telemetry = &matchview.TelemetryView{URL: matchURL(look.Head.ID) + "/telemetry", Text: toldText(s.printer(c), told), More: "/fair-play/privacy"}
		return err
	})
}

func (s *Server) reportPlay(c echo.Context) error { return s.showReport(c, nil) }

func (s *Server) showReport(c echo.Context, refused error) error {
	ctx, id, p := c.Request().Context(), match.ID(c.Param("id")), s.printer(c)
	view := fairplayview.ReportView{URL: matchURL(id) + "/report", Back: matchURL(id), Text: shorten(c.FormValue("text"), 1000)}
	err := s.store.Read(ctx, func(tx *store.Tx) error {
		head, err := tx.Match(id)
		if err != nil {
			return err
		}
		who, err := tx.Players(head.Players[:]...)
		if err != nil {
			return err
		}
		view.Title = string(who[head.Players[0]].Handle) + " – " + string(who[head.Players[1]].Handle)
		for i, of := range head.Players {
			if of != viewer(c).ID && !head.Bots[i] {
				view.Players = append(view.Players, templates.Choice{Value: itoa(i + 1), Text: string(who[of].Handle), Chosen: c.FormValue("seat") == itoa(i+1)})
			}
		}
		if len(view.Players) == 1 {
			view.Players[0].Chosen = true
		}
		if head.Status != match.Over {
			return arbiter.ErrReportWhat
		}
		return nil
	})
	if err != nil {
		return err
	}
	status, why := refusalStatus(p, refused)
	if many := (*arbiter.ReportLimitError)(nil); errors.As(refused, &many) {
		why = p.T("review.error.report-next", "Date", p.DateTime(many.Next))
		comeBack(c, many.Next.Sub(s.now()))
	}
	view.Trouble = why
	return s.render(c, status, fairplayview.ReportPage(s.shell(c, p.T("review.report.title")), view))
}

func (s *Server) sendReport(c echo.Context) error {
	id := match.ID(c.Param("id"))
	seat, _ := strconv.Atoi(c.FormValue("seat"))
	err := s.arbiter.Report(c.Request().Context(), viewer(c), id, match.Seat(min(max(seat, 0), 2)), c.FormValue("text"))
	if _, _, known := explain(err); err != nil && known && !errors.Is(err, store.ErrNotFound) {
		return s.showReport(c, err)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, matchURL(id), "flash.report-sent")
}

func (s *Server) stewards(c echo.Context) error { return s.showStewards(c, nil) }

func (s *Server) showStewards(c echo.Context, refused error) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	p, v := s.printer(c), viewer(c)
	duties, err := s.arbiter.Duties(c.Request().Context(), t, "")
	if err != nil {
		return err
	}
	mine := false
	for _, d := range duties {
		mine = mine || v.Is(d.Watch.Steward)
	}
	if !mine && !t.IsSteward(v) && !t.May(v, tournament.ActSteward) {
		return errForbidden
	}
	view := fairplayview.StewardView{Head: s.tournamentHead(c, t, "/steward"), URL: tournamentURL(t.ID) + "/steward"}
	for _, d := range duties {
		if v.Is(d.Watch.Steward) {
			view.Mine = append(view.Mine, watchView(p, d))
		}
	}
	if t.May(v, tournament.ActSteward) {
		if view.Named, err = s.stewardLines(c, p, t, duties); err != nil {
			return err
		}
	}
	status, why := refusalStatus(p, refused)
	view.Trouble = why
	sh := s.tournamentShell(c, t, p.T("review.steward.title"), "steward")
	sh.Feed = ""
	return s.render(c, status, fairplayview.StewardPage(sh, view))
}

// doWatch is what a steward does, or an arbiter who names one.
func (s *Server) doWatch(c echo.Context) error {
	ctx, v, id := c.Request().Context(), viewer(c), tournament.ID(c.Param("id"))
	var err error
	if do := c.FormValue("do"); do == "name" {
		n, _ := strconv.Atoi(c.FormValue("entry"))
		err = s.arbiter.SetSteward(ctx, v, id, tournament.EntryID(n), strings.TrimSpace(c.FormValue("handle")))
	} else {
		seat, _ := strconv.Atoi(c.FormValue("seat"))
		err = s.arbiter.Watch(ctx, v, match.ID(c.FormValue("match")), match.Seat(min(max(seat, 0), 3)), arbiter.WatchDeed{
			Kind: do, Note: c.FormValue("note"), Verdict: fairplay.FactKind(c.FormValue("verdict")),
		})
	}
	if _, _, known := explain(err); err != nil && known {
		return s.showStewards(c, err)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, tournamentURL(id)+"/steward", "flash.saved")
}

func (s *Server) ownDossier(c echo.Context) error { return s.showDossier(c, viewer(c).ID, nil) }

func (s *Server) entryDossier(c echo.Context) error {
	of, err := s.playerOfEntry(c)
	if err != nil {
		return err
	}
	return s.showDossier(c, of, nil)
}

// playerOfEntry is whom an arbiter's page is about. A player who guesses the
// address learns nothing: the page is not there for him.
func (s *Server) playerOfEntry(c echo.Context) (player.ID, error) {
	t, err := s.seenTournament(c)
	if err != nil {
		return "", err
	}
	if may, err := s.mayReview(c, t); err != nil {
		return "", err
	} else if !may {
		return "", tournament.ErrNotAllowed
	}
	n, err := strconv.Atoi(c.Param("entry"))
	if err != nil {
		return "", store.ErrNotFound
	}
	e, err := t.Entry(tournament.EntryID(n))
	if err != nil || e.Player == "" || viewer(c).Is(e.Player) {
		return "", store.ErrNotFound
	}
	return e.Player, nil
}

// mayReview tells whether the viewer reviews in a tournament, or was named to
// judge an appeal in it; of which player, the arbiter knows.
func (s *Server) mayReview(c echo.Context, t *tournament.Tournament) (may bool, err error) {
	v := viewer(c)
	if t.May(v, tournament.ActReview) {
		return true, nil
	}
	err = s.store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, err := tx.ReviewsIn(t.ID)
		may = slices.ContainsFunc(list, func(r store.Review) bool { return slices.Contains(r.Panel, v.ID) })
		return err
	})
	return may, err
}

func (s *Server) showDossier(c echo.Context, of player.ID, refused error) error {
	p, v := s.printer(c), viewer(c)
	d, err := s.arbiter.Dossier(c.Request().Context(), v, tournament.ID(c.Param("id")), of)
	if err != nil {
		return err
	}
	dv := dossierViewer{Printer: p, Dossier: d, of: of, me: v, own: v.Is(of), now: s.now(), filled: c}
	status, why := refusalStatus(p, refused)
	dv.trouble = why
	view := dv.view()
	view.Head = s.tournamentHead(c, d.Tournament, "/fair-play")
	sh := s.tournamentShell(c, d.Tournament, view.Title, "fair-play")
	sh.Feed, sh.Styles = "", append(sh.Styles, "fairplay.css")
	c.Response().Header().Set("Cache-Control", "no-store")
	return s.render(c, status, fairplayview.DossierPage(sh, view))
}

// ownReview is the player's page as a file for programs.
func (s *Server) ownReview(c echo.Context) error {
	document, _, err := s.reviewDocument(c, tournament.ID(c.Param("id")))
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="review.json"`)
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, document)
}

// reviewDocument is what is recorded about the viewer in a tournament; false:
// nothing was demanded there, and nothing noticed.
func (s *Server) reviewDocument(c echo.Context, id tournament.ID) (document map[string]any, recorded bool, err error) {
	v := viewer(c)
	d, err := s.arbiter.Dossier(c.Request().Context(), v, id, v.ID)
	if err != nil {
		return nil, false, err
	}
	closed := func(r store.Review) bool { return r.Status != fairplay.ReviewOpen }
	recorded = len(d.Reports) > 0 || slices.ContainsFunc(d.Reviews, closed) || slices.ContainsFunc(d.Boards, func(b arbiter.BoardRecord) bool {
		return b.Policy.Level > fairplay.Open || len(b.Signals) > 0
	})
	return (dossierViewer{Printer: s.printer(c), Dossier: d, of: v.ID, me: v, own: true, now: s.now()}).document(), recorded, nil
}

func (s *Server) dealOwn(c echo.Context) error {
	return s.deal(c, viewer(c).ID, tournamentURL(tournament.ID(c.Param("id")))+"/fair-play/me")
}

func (s *Server) dealEntry(c echo.Context) error {
	of, err := s.playerOfEntry(c)
	if err != nil {
		return err
	}
	return s.deal(c, of, tournamentURL(tournament.ID(c.Param("id")))+"/fair-play/"+c.Param("entry"))
}

func (s *Server) deal(c echo.Context, of player.ID, back string) error {
	values, err := c.FormParams()
	if err != nil {
		return errBadRequest
	}
	ctx, v := c.Request().Context(), viewer(c)
	if c.FormValue("do") == fairplay.StepOpen {
		_, err = s.arbiter.OpenReview(ctx, v, tournament.ID(c.Param("id")), of)
	} else {
		err = s.dealWith(ctx, v, of, tournament.ID(c.Param("id")), values)
	}
	if _, _, known := explain(err); err != nil && known && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, tournament.ErrNotAllowed) {
		return s.showDossier(c, of, err)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, back, "flash.saved")
}

func (s *Server) dealWith(ctx context.Context, v player.Viewer, of player.ID, in tournament.ID, values map[string][]string) error {
	first := func(key string) string {
		if list := values[key]; len(list) > 0 {
			return list[0]
		}
		return ""
	}
	days, _ := strconv.Atoi(first("days"))
	deed := arbiter.ReviewDeed{
		Kind: first("do"), Text: first("text"), Uphold: first("decision") == "uphold",
		Proposal: fairplay.Proposal{Decision: fairplay.Decision(first("decision")), Ground: fairplay.Ground(first("ground")), Days: days, Why: first("text")},
	}
	for _, e := range values["explain"] {
		deed.Explains = append(deed.Explains, fairplay.Explanation(e))
	}
	for _, key := range []string{"first", "second", "third"} {
		if h := strings.TrimSpace(first(key)); h != "" {
			deed.Panel = append(deed.Panel, h)
		}
	}
	var r store.Review
	err := s.store.Read(ctx, func(tx *store.Tx) (err error) {
		r, err = tx.Review(first("review"))
		return err
	})
	if err == nil && (r.Player != of || r.Event != string(in)) {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	return s.arbiter.Deal(ctx, v, r.ID, deed)
}
