package desk

import (
	"context"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
)

func (s api) eventOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("POST /tournaments/import", player.ScopeOrganize, s.importReport, "Continue a tournament from a report of another program",
			"TRF. Its players are without accounts; a preview only says what would be made.").Creates(),
		page.Op("POST /tournaments/{id}/clone", player.ScopeOrganize, s.clone, "Make a draft with the settings of a tournament",
			"Its times are moved on. For its staff.").Creates(),
		page.Op("GET /tournaments/{id}/staff", player.ScopeRead, s.staff, "Who runs a tournament", "For its staff."),
		page.Act("POST /tournaments/{id}/staff", player.ScopeOrganize, s.appoint, "Invite somebody to a duty",
			"Or give a member of the staff another. For owners."),
		page.Act("POST /tournaments/{id}/staff/accept", player.ScopeOrganize, s.ByEvents((*events.Office).AcceptDuty),
			"Accept an invitation to the staff", "It gives no rights before."),
		page.Act("DELETE /tournaments/{id}/staff/{handle}", player.ScopeOrganize, s.dismiss, "End a duty or an invitation",
			"By an owner, or one’s own."),
		page.Op("GET /tournaments/{id}/dry-run", player.ScopeRead, s.dryRun, "How long a tournament may take",
			"As far as its last dry run has come. For staff. 404: there was none."),
		page.Act("POST /tournaments/{id}/dry-run", player.ScopeOrganize, s.startDryRun, "Play a tournament through many times",
			"Before the start, in the background, by measured durations."),
		page.Act("DELETE /tournaments/{id}/dry-run", player.ScopeOrganize, s.ByEvents((*events.Office).CancelDryRun), "End the dry run",
			"What it has found stays."),
		page.Op("POST /tournaments/{id}/rehearsal", player.ScopeOrganize, s.rehearse, "Rehearse a tournament with bots",
			"As a draft of its own, whose matches are real.").Creates(),
	}
}

type (
	importIn struct {
		Report  string `json:"report" doc:"the report" example:"012 Cup\nXXR 3\n001    1      Anna Koval\n001    2      Borys Lys"`
		Name    string `json:"name,omitempty" doc:"if the report has none" example:"Cup" max:"100"`
		Rounds  int    `json:"rounds,omitempty" doc:"if the report does not say how many" example:"5" min:"0" max:"100"`
		Another bool   `json:"another,omitempty" doc:"names that read the same are different people’s"`
		Preview bool   `json:"preview,omitempty" doc:"only say what would be made"`
	}
	cloneIn struct {
		event.TournamentPath
		Staff bool `json:"staff,omitempty" doc:"invite its staff again"`
	}
	apiOfficial struct {
		Player  player.Handle `json:"player" doc:"who"`
		Duty    string        `json:"duty" doc:"as what" enum:"owner,arbiter,pairing,results,read-only" example:"arbiter"`
		Invited bool          `json:"invited,omitempty" doc:"they have not accepted yet"`
		Since   time.Time     `json:"since" doc:"since when"`
	}
	apiStaff struct {
		Staff []apiOfficial `json:"staff" doc:"in the order in which they were invited"`
	}
	appointIn struct {
		event.TournamentPath
		Handle string `json:"handle" doc:"whom" example:"borys"`
		Duty   string `json:"duty" doc:"to what" enum:"owner,arbiter,pairing,results,read-only" example:"arbiter"`
	}
	memberPath struct {
		event.TournamentPath
		Handle string `path:"handle" doc:"whom" example:"borys"`
	}
	dryRunIn struct {
		event.TournamentPath
		Runs  *int  `json:"runs" doc:"how often; absent: 500" example:"500" min:"1" max:"2000"`
		Extra int   `json:"extra,omitempty" doc:"players that are still expected" example:"4" min:"0" max:"1000"`
		First *int  `json:"first" doc:"how many first ranks are told apart; absent: 3" example:"3" min:"1"`
		Seed  int64 `json:"seed,omitempty" doc:"the same one repeats a dry run; absent: any" example:"7" min:"0"`
	}
	apiDryRun struct {
		State     string     `json:"state" doc:"where it is" enum:"running,done,cancelled,failed" example:"done"`
		Done      int        `json:"done" doc:"how often it was played" example:"500"`
		Total     int        `json:"total" doc:"how often it will be" example:"500"`
		Seed      int64      `json:"seed" doc:"repeats it" example:"7"`
		Ends      *apiEnds   `json:"ends" doc:"when the last round ends; null: nothing is found yet"`
		Over      int        `json:"over" doc:"percent of the runs that end too late" example:"2"`
		Byes      float64    `json:"byes" doc:"rounds without an opponent, on average" example:"0.5"`
		Peak      int        `json:"peak" doc:"most matches at a time" example:"8"`
		Separated int        `json:"separated" doc:"percent of the runs in which the first ranks are told apart without a lot" example:"93"`
		Stuck     int        `json:"stuck" doc:"runs with a round that could not be paired" example:"0"`
		StartsAt  time.Time  `json:"startsAt" doc:"when it is assumed to start"`
		Worst     *time.Time `json:"worst" doc:"when it ends if every match takes as long as it can; null: unlimited"`
	}
	apiEnds struct {
		Early  time.Time `json:"early" doc:"one run of ten is over by then"`
		Half   time.Time `json:"half" doc:"every other"`
		Late   time.Time `json:"late" doc:"nine of ten"`
		Latest time.Time `json:"latest" doc:"all"`
	}
	rehearseIn struct {
		event.TournamentPath
		Bots int `json:"bots" doc:"how many play" example:"8" min:"1"`
	}
)

// importReport makes a tournament that continues from a report, or previews that.
func (s api) importReport(c echo.Context, in importIn) (out event.APIArrival, err error) {
	text, err := intake.Clean(in.Report)
	if err != nil {
		return out, err
	}
	report := events.Report{Text: text, Name: player.Tidy(in.Name), Rounds: in.Rounds, Another: in.Another}
	t, err := s.Arbiter.Events.PreviewReport(page.Viewer(c), report)
	if err == nil && !in.Preview {
		t.ID, err = s.Arbiter.Events.Import(c.Request().Context(), page.Viewer(c), report)
	}
	if problems := importProblems(lang.Printer{Lang: lang.English, Zone: time.UTC}, err); len(problems) > 0 {
		return out, page.BadValue("report", strings.Join(problems, " "))
	}
	if err != nil {
		return out, err
	}
	return event.APIArrivalOf(t, in.Preview), nil
}

func (s api) clone(c echo.Context, in cloneIn) (out apiStage, err error) {
	t, err := s.SeenTournament(c)
	if err != nil {
		return out, err
	}
	out.ID, err = s.Arbiter.Events.Clone(c.Request().Context(), page.Viewer(c), t.ID, s.Zone(t.Zone), in.Staff)
	return out, err
}

func (s api) staff(c echo.Context, _ event.TournamentPath) (out apiStaff, err error) {
	t, err := s.Staffed(c)
	if err != nil {
		return out, err
	}
	ids := make([]player.ID, len(t.Staff))
	for i, m := range t.Staff {
		ids[i] = m.Player
	}
	who, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[player.ID]player.Player, error) { return tx.Players(ids...) })
	out.Staff = []apiOfficial{}
	for _, m := range t.Staff {
		out.Staff = append(out.Staff, apiOfficial{who[m.Player].Handle, m.Duty.String(), m.Invited, m.Since})
	}
	return out, err
}

func (s api) appoint(ctx context.Context, by player.Viewer, in appointIn) error {
	duty, _ := tournament.ParseDuty(in.Duty) // the enum admits no other
	return s.Arbiter.Events.Appoint(ctx, by, in.ID, in.Handle, duty)
}

func (s api) dismiss(ctx context.Context, by player.Viewer, in memberPath) error {
	return s.Arbiter.Events.Dismiss(ctx, by, in.ID, in.Handle)
}

// dryRunStates are the words for how far a dry run has come.
var dryRunStates = map[store.DryRunState]string{store.DryRunning: "running", store.DryDone: "done", store.DryCancelled: "cancelled",
	store.DryFailed: "failed"}

func (s api) dryRun(c echo.Context, _ event.TournamentPath) (out apiDryRun, err error) {
	t, err := s.Staffed(c)
	if err != nil {
		return out, err
	}
	r, err := s.Arbiter.Events.DryRun(c.Request().Context(), t.ID)
	if err != nil {
		return out, err
	}
	rep := r.Report
	out = apiDryRun{State: dryRunStates[r.State], Done: r.Done, Total: r.Total, Seed: r.Seed, Over: rep.Over, Byes: rep.Byes, Peak: rep.Peak,
		Separated: rep.Separated, Stuck: rep.Stuck, StartsAt: r.Plan.StartAt, Worst: page.Optional(rep.Worst)}
	if rep.Runs > 0 {
		out.Ends = &apiEnds{rep.P10, rep.P50, rep.P90, rep.Latest}
	}
	return out, nil
}

func (s api) startDryRun(ctx context.Context, by player.Viewer, in dryRunIn) error {
	x := events.UsualDryRun
	x.Extra, x.Seed = in.Extra, in.Seed
	if in.Runs != nil {
		x.Runs = *in.Runs
	}
	if in.First != nil {
		x.First = *in.First
	}
	return s.Arbiter.Events.StartDryRun(ctx, by, in.ID, x)
}

// rehearse makes a rehearsal with house bots.
func (s api) rehearse(c echo.Context, in rehearseIn) (out apiStage, err error) {
	out.ID, err = s.Arbiter.Rounds.Rehearse(c.Request().Context(), page.Viewer(c), in.ID, in.Bots)
	return out, err
}
