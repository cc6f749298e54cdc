package desk

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
)

func (s api) absenceOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /me/absences", player.ScopeRead, s.absences, "When the caller did not come", "And until when that keeps them out of events."),
		page.Op("GET /tournaments/{id}/appeals", player.ScopeRead, s.appeals, "Appeals against absences", "That wait for the caller’s answer. For staff."),
		page.Act("POST /absences/{absence}/appeal", player.ScopeChallenge, s.appeal, "Appeal against an absence of one’s own", "Once, within thirty days. The staff of the event decide."),
		page.Act("POST /absences/{absence}/verdict", player.ScopeOrganize, s.decide, "Answer an appeal", "For staff; nobody decides their own."),
	}
}

type (
	absencePath struct {
		Absence string `path:"absence" doc:"the absence" example:"4r8tbw1z6k3x"`
	}
	apiAbsence struct {
		ID         string         `json:"id" doc:"for an appeal" example:"4r8tbw1z6k3x"`
		Player     *player.Handle `json:"player" doc:"who; null: the caller"`
		Tournament tournament.ID  `json:"tournament" doc:"where"`
		Round      int            `json:"round" doc:"in which round" example:"2"`
		Board      int            `json:"board" doc:"at which board" example:"4"`
		At         time.Time      `json:"at" doc:"when"`
		Appeal     string         `json:"appeal" doc:"what they say; empty: nothing" example:"The train was late"`
		Verdict    *string        `json:"verdict" doc:"what was decided; null: nothing yet" enum:"excused,upheld" example:"excused"`
		Answer     string         `json:"answer" doc:"of who decided" example:"That happens"`
	}
	apiAbsences struct {
		Absences []apiAbsence `json:"absences" doc:"the newest first"`
		Barred   *time.Time   `json:"barred" doc:"until when the caller is kept out of events; null: not at all"`
	}
	apiAppeals struct {
		Appeals []apiAbsence `json:"appeals" doc:"the newest first"`
	}
	appealIn struct {
		absencePath
		Text string `json:"text" doc:"why they did not come" example:"The train was late" min:"1" max:"1000"`
	}
	decideIn struct {
		absencePath
		Excused bool   `json:"excused" doc:"true: the absence counts no more"`
		Text    string `json:"text,omitempty" doc:"for the player" example:"That happens" max:"1000"`
	}
)

func apiAbsenceOf(n player.NoShow, of *player.Handle) apiAbsence {
	v := apiAbsence{ID: n.ID, Player: of, Tournament: tournament.ID(n.Tournament), Round: n.Round, Board: n.Board, At: n.At, Appeal: n.Appeal, Answer: n.Answer}
	if n.Verdict != player.Undecided {
		word := n.Verdict.String()
		v.Verdict = &word
	}
	return v
}

func (s api) absences(c echo.Context, _ struct{}) (out apiAbsences, err error) {
	r, err := s.Arbiter.Assurance.NoShows(c.Request().Context(), page.Viewer(c).ID)
	out.Absences = []apiAbsence{}
	for _, n := range r.NoShows {
		out.Absences = append(out.Absences, apiAbsenceOf(n, nil))
	}
	if r.Bars(s.Now()) {
		out.Barred = &r.Until
	}
	return out, err
}

func (s api) appeals(c echo.Context, _ event.TournamentPath) (out apiAppeals, err error) {
	t, err := s.TournamentFor(c, tournament.ActAppeal)
	if err != nil {
		return out, err
	}
	list, who, err := control(s).openAppeals(c, t)
	out.Appeals = []apiAbsence{}
	for _, n := range list {
		handle := who[n.Player].Handle
		out.Appeals = append(out.Appeals, apiAbsenceOf(n, &handle))
	}
	return out, err
}

func (s api) appeal(ctx context.Context, by player.Viewer, in appealIn) error {
	return s.Arbiter.Rounds.Appeal(ctx, by, in.Absence, in.Text)
}

func (s api) decide(ctx context.Context, by player.Viewer, in decideIn) error {
	verdict := player.Upheld
	if in.Excused {
		verdict = player.Excused
	}
	_, err := s.Arbiter.Rounds.DecideAppeal(ctx, by, in.Absence, verdict, in.Text)
	return err
}
