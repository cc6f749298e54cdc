package fairplay

import (
	"context"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

func (s pages) reviewOperations() []*page.Operation {
	return []*page.Operation{
		page.Act("POST /tournaments/{id}/admissions", player.ScopeOrganize, s.apiAdmit, "Enter a player who does not meet every demand",
			"An arbiter waives demands, with a reason; what their matches achieve is less."),
		page.Op("POST /tournaments/{id}/venues", player.ScopeOrganize, s.nameVenue, "Say that one’s network is the venue’s",
			"Players who share it are no signal then. For arbiters, asked from the venue."),
		page.Act("DELETE /tournaments/{id}/venues", player.ScopeOrganize, s.forgetVenues, "Forget the networks of the venue", "For arbiters."),
		page.Op("GET /tournaments/{id}/watches", player.ScopeRead, s.watches, "Which boards are watched, and by whom",
			"A steward sees their own, an arbiter all; the latest round first."),
		page.Act("PUT /tournaments/{id}/entries/{entry}/steward", player.ScopeOrganize, s.setSteward, "Say who watches an entry’s matches",
			"Somebody who does not play. For arbiters."),
		page.Act("POST /matches/{id}/watch", player.ScopeOrganize, s.watch, "Write down what one sees as a steward",
			"accept takes the duty on; open says that the player sits there; check notes a look; absent and present say that they left and came back; "+
				"sign says, after the match, whether they were watched throughout."),
		page.Op("GET /dossier", player.ScopeRead, s.apiOwnDossier, "What is recorded about the caller’s fair play",
			"In one place: a tournament, or a season of a ladder or of the rated challenges."),
		page.Op("GET /dossiers/{player}", player.ScopeOrganize, s.apiDossierOf, "What is recorded about a player’s fair play",
			"In one place. For those who judge there; the player sees who has looked."),
		page.Op("POST /reviews", player.ScopeOrganize, s.openReview, "Open a review of a player",
			"For a tournament’s arbiters, those who judge on a ladder, and, among challenges, operators.").Creates(),
		page.Act("POST /reviews/{review}/steps", player.ScopeChallenge, s.takeStep, "Take a step in a review",
			"An arbiter tells the player, notes, proposes, confirms or rejects a decision, or closes it; the player explains, answers and appeals; an operator judges the appeal. "+
				"steps says what the caller has seen: what others have decided since then is not overtaken."),
	}
}

type (
	admitIn struct {
		event.TournamentPath
		Player  string   `json:"player" doc:"whom, by handle" example:"borys"`
		Without []string `json:"without" doc:"demands that are waived" enum:"text,attestation,passkey,one-device,check-in,steward" example:"[\"passkey\"]" max:"10"`
		Reason  string   `json:"reason" doc:"for the log" example:"Their phone is broken" min:"1" max:"200"`
	}
	stewardIn struct {
		event.EntryPath
		Handle string `json:"handle,omitempty" doc:"who watches; absent: nobody" example:"olena"`
	}
	watchIn struct {
		ID      match.ID `path:"id" doc:"the match"`
		Seat    string   `json:"seat" doc:"whom one watches" enum:"A,B" example:"A"`
		Do      string   `json:"do" doc:"what" enum:"accept,open,check,absent,present,sign" example:"check"`
		Note    string   `json:"note,omitempty" doc:"check: what one saw" example:"Alone in the room" max:"500"`
		Verdict string   `json:"verdict,omitempty" doc:"sign: how one watched" enum:"steward-signed,steward-partly,steward-not" example:"steward-signed"`
	}
	apiWatch struct {
		Match    match.ID       `json:"match" doc:"the match"`
		Round    int            `json:"round" doc:"its round" example:"2"`
		Board    int            `json:"board" doc:"its board" example:"4"`
		Seat     string         `json:"seat" doc:"who is watched" enum:"A,B" example:"A"`
		Player   string         `json:"player" doc:"their name" example:"Anna Koval"`
		Steward  *player.Handle `json:"steward" doc:"who watches; null: nobody yet"`
		Demanded bool           `json:"demanded" doc:"the event demands it"`
		State    string         `json:"state" doc:"named, accepted, opened, absent, to-sign or the verdict" example:"opened"`
		Checks   []apiCheck     `json:"checks" doc:"looks, the first first"`
	}
	apiCheck struct {
		At   time.Time `json:"at" doc:"when"`
		Note string    `json:"note" doc:"what was seen" example:"Alone in the room"`
	}
	apiWatches struct {
		Watches []apiWatch `json:"watches" doc:"the latest round first"`
	}
	apiOpened struct {
		Review string `json:"review" doc:"the review" example:"2m7cyv4n9s1f"`
	}
	ownPlaceIn struct {
		Place fairplay.Place `query:"place" doc:"tournaments/ID, ladders/ID/SEASON or challenges/SEASON" example:"tournaments/2m7cyv4n9s1f"`
	}
	dossierIn struct {
		ownPlaceIn
		Player player.Handle `path:"player" doc:"whose, by handle" example:"borys"`
	}
	openIn struct {
		Place  fairplay.Place `json:"place" doc:"tournaments/ID, ladders/ID/SEASON or challenges/SEASON" example:"tournaments/2m7cyv4n9s1f"`
		Player player.Handle  `json:"player" doc:"whom, by handle" example:"borys"`
	}
	stepIn struct {
		Review   string   `path:"review" doc:"the review" example:"2m7cyv4n9s1f"`
		Step     string   `json:"step" doc:"which" enum:"explain,note,tell,answer,propose,confirm,reject,appeal,uphold,overturn,close" example:"note"`
		Steps    int      `json:"steps" doc:"how many of its steps the caller has seen" example:"1" min:"0"`
		Text     string   `json:"text,omitempty" doc:"what is said" example:"I have asked them to call me" max:"4000"`
		Explain  []string `json:"explain,omitempty" doc:"explain: what may explain it" enum:"new-rating,preparation,streamer,accessibility,shared-house,mistake,bad-line" example:"[\"shared-house\"]"`
		Decision string   `json:"decision,omitempty" doc:"propose: what" enum:"nothing,talk,repeat-check,supervise,annul,exclude" example:"talk"`
		Ground   string   `json:"ground,omitempty" doc:"propose: annul and exclude rest on it" enum:"server-fact,steward,admission" example:"steward"`
		Days     int      `json:"days,omitempty" doc:"propose: how long exclude lasts" example:"90" min:"0" max:"365"`
	}
)

func (s pages) apiAdmit(ctx context.Context, by player.Viewer, in admitIn) error {
	without := make([]fairplay.Demand, len(in.Without))
	for i, d := range in.Without {
		without[i] = fairplay.Demand(d)
	}
	_, err := s.Arbiter.Entries.Admit(ctx, kernel.For(by, strings.TrimSpace(in.Reason)), in.ID, in.Player, without)
	return err
}

func (s pages) nameVenue(c echo.Context, in event.TournamentPath) (page.None, error) {
	return page.None{}, s.nameOwnVenue(c, in.ID)
}

func (s pages) forgetVenues(ctx context.Context, by player.Viewer, in event.TournamentPath) error {
	return s.Arbiter.Judges.ForgetVenues(ctx, by, in.ID)
}

func (s pages) watches(c echo.Context, _ event.TournamentPath) (out apiWatches, err error) {
	t, duties, err := s.dutiesSeen(c)
	if err != nil {
		return out, err
	}
	all := t.May(page.Viewer(c), tournament.ActSteward)
	var ids []player.ID
	for _, d := range duties {
		ids = append(ids, d.Watch.Steward)
	}
	who, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[player.ID]player.Player, error) { return tx.Players(ids...) })
	out.Watches = []apiWatch{}
	for _, d := range duties {
		if all || page.Viewer(c).Is(d.Watch.Steward) {
			out.Watches = append(out.Watches, apiWatchOf(d, who))
		}
	}
	return out, err
}

func apiWatchOf(d assurance.Duty, who map[player.ID]player.Player) apiWatch {
	v := apiWatch{Match: d.Head.ID, Round: d.Round, Board: d.Board, Seat: match.FirstIsA.Of(d.Seat), Player: d.Entry.Name, Demanded: d.Demanded,
		State: watchState(d), Checks: []apiCheck{}}
	if d.Watch.Steward != "" {
		handle := who[d.Watch.Steward].Handle
		v.Steward = &handle
	}
	for _, x := range d.Watch.Checks {
		v.Checks = append(v.Checks, apiCheck(x))
	}
	return v
}

func (s pages) setSteward(ctx context.Context, by player.Viewer, in stewardIn) error {
	return s.Arbiter.Judges.SetSteward(ctx, by, in.ID, in.Entry, in.Handle)
}

func (s pages) watch(ctx context.Context, by player.Viewer, in watchIn) error {
	seat, _ := match.FirstIsA.Seat(in.Seat) // the enum admits no other
	return s.Arbiter.Judges.Watch(ctx, by, in.ID, seat, judges.WatchDeed{Kind: in.Do, Note: in.Note, Verdict: fairplay.FactKind(in.Verdict)})
}

func (s pages) apiOwnDossier(c echo.Context, in ownPlaceIn) (out apiDossier, err error) {
	return s.dossierOf(c, about{in.Place, page.Viewer(c).ID})
}

func (s pages) apiDossierOf(c echo.Context, in dossierIn) (out apiDossier, err error) {
	a, err := s.about(c, in.Place, in.Player)
	if err != nil {
		return out, err
	}
	return s.dossierOf(c, a)
}

func (s pages) openReview(c echo.Context, in openIn) (out apiOpened, err error) {
	a, err := s.about(c, in.Place, in.Player)
	if err != nil {
		return out, err
	}
	out.Review, err = s.Arbiter.Judges.OpenReview(c.Request().Context(), page.Viewer(c), a.Place, a.of)
	return out, err
}

func (s pages) takeStep(ctx context.Context, by player.Viewer, in stepIn) error {
	cmd := judges.ReviewCommand{Kind: in.Step, Seen: in.Steps, Text: in.Text, Proposal: review.Proposal{
		Decision: review.Decision(in.Decision), Ground: review.Ground(in.Ground), Days: in.Days, Why: in.Text}}
	for _, e := range in.Explain {
		cmd.Explains = append(cmd.Explains, review.Explanation(e))
	}
	return s.Arbiter.Judges.Execute(ctx, by, in.Review, cmd)
}

type (
	// apiDossier is all that is recorded about a player's fair play in a place.
	apiDossier struct {
		Format  string           `json:"format" doc:"what this is" example:"chpok-review/1"`
		Place   fairplay.Place   `json:"place" doc:"where" example:"ladders/2m7cyv4n9s1f/2026-Q4"`
		Player  string           `json:"player" doc:"about whom" example:"Anna Koval"`
		Matches []apiRecorded    `json:"matches" doc:"board by board"`
		Classes []apiEvidence    `json:"classes" doc:"what the evidence weighs, class by class; there is no sum"`
		Pairs   []apiPairRecord  `json:"pairs" doc:"results against opponents met often"`
		Reports int              `json:"reports" doc:"how many players have reported something" example:"0"`
		Reviews []apiReview      `json:"reviews" doc:"the latest first; the player sees those that were told"`
		Looks   []apiDossierLook `json:"looks" doc:"who has looked at it, the latest first"`
	}
	apiRecorded struct {
		Match   match.ID         `json:"match" doc:"the match"`
		Round   int              `json:"round,omitempty" doc:"its round in a tournament" example:"2"`
		Policy  string           `json:"policy" doc:"hash of the policy that held" example:"3f1c9a"`
		Told    []apiRecordedRow `json:"told" doc:"what the page told of itself"`
		Facts   []apiRecordedRow `json:"facts" doc:"what was met or not"`
		Signals []apiRecordedRow `json:"signals" doc:"what the server noticed"`
		Quick   []apiReply       `json:"quick" doc:"replies faster than people decide"`
		Devices int              `json:"devices" doc:"on how many devices" example:"1"`
		Checks  []apiCheck       `json:"checks" doc:"looks of a steward"`
	}
	apiRecordedRow struct {
		Kind   string    `json:"kind" doc:"what" example:"token"`
		At     time.Time `json:"at" doc:"when"`
		Move   int       `json:"move,omitempty" doc:"at which move" example:"12"`
		Number int       `json:"number,omitempty" doc:"how many" example:"2"`
		Hash   string    `json:"hash,omitempty" doc:"link of the chain" example:"9be1"`
		Detail string    `json:"detail,omitempty" doc:"more of it" example:"bot"`
	}
	apiReply struct {
		Move int         `json:"move" doc:"which" example:"12"`
		Took form.Millis `json:"took" doc:"how long it took" example:"120"`
	}
	apiEvidence struct {
		Class string   `json:"class" doc:"where it comes from" example:"server-facts"`
		Kinds []string `json:"kinds" doc:"of what" example:"[\"token\"]"`
		Low   float64  `json:"low" doc:"power of ten of the likelihood ratio, at least" example:"0"`
		High  float64  `json:"high" doc:"at most" example:"3"`
	}
	apiPairRecord struct {
		Opponent string  `json:"opponent" doc:"against whom" example:"Borys Lys"`
		Matches  int     `json:"matches" doc:"how many" example:"8"`
		Score    float64 `json:"score" doc:"in points" example:"7.5"`
		Expected float64 `json:"expected" doc:"by the ratings, in points" example:"4.2"`
		Surprise float64 `json:"surprise" doc:"standard deviations between the two" example:"2.6"`
	}
	apiReview struct {
		ID     string          `json:"id" doc:"the review" example:"2m7cyv4n9s1f"`
		Status string          `json:"status" doc:"where it is" example:"told"`
		Opened time.Time       `json:"opened" doc:"since when"`
		Steps  []apiReviewStep `json:"steps" doc:"the first first"`
	}
	apiReviewStep struct {
		At   time.Time `json:"at" doc:"when"`
		By   string    `json:"by" doc:"who; empty: the site by itself" example:"olena"`
		Step string    `json:"step" doc:"what" example:"tell"`
		Word string    `json:"word,omitempty" doc:"which decision or explanation" example:"talk"`
		Text string    `json:"text,omitempty" doc:"what was said" example:"I have asked them to call me"`
	}
	apiDossierLook struct {
		By string    `json:"by" doc:"who" example:"olena"`
		At time.Time `json:"at" doc:"when"`
	}
)

// document is what is recorded, for programs.
func (v dossierViewer) document() apiDossier {
	out := apiDossier{Format: "chpok-review/1", Place: v.Place, Player: v.PlayerName(), Matches: []apiRecorded{}, Classes: []apiEvidence{},
		Pairs: []apiPairRecord{}, Reports: len(v.Reports), Reviews: []apiReview{}, Looks: []apiDossierLook{}}
	handle := func(id player.ID) string { return string(v.Names[id].Handle) }
	for _, b := range v.Boards {
		m := apiRecorded{Match: b.Head.ID, Round: b.Round, Policy: b.Policy.OrOpen().Hash(), Told: []apiRecordedRow{}, Facts: []apiRecordedRow{},
			Signals: []apiRecordedRow{}, Quick: []apiReply{}, Devices: len(b.Devices), Checks: []apiCheck{}}
		for _, t := range b.Telemetry {
			m.Told = append(m.Told, apiRecordedRow{Kind: string(t.Kind), At: t.At, Move: t.Move, Number: t.Number, Hash: t.Hash})
		}
		for _, f := range b.Facts {
			m.Facts = append(m.Facts, apiRecordedRow{Kind: string(f.Kind), At: f.At, Move: f.Move, Number: f.Count})
		}
		for _, s := range b.Signals {
			m.Signals = append(m.Signals, apiRecordedRow{Kind: string(s.Kind), At: s.At, Move: s.Move, Detail: s.Detail})
		}
		for _, r := range b.Quick {
			m.Quick = append(m.Quick, apiReply{r.Move, form.MillisOf(r.Took)})
		}
		for _, x := range b.Watch.Checks {
			m.Checks = append(m.Checks, apiCheck(x))
		}
		out.Matches = append(out.Matches, m)
	}
	for _, w := range v.Evidence.Weigh() {
		out.Classes = append(out.Classes, apiEvidence{string(w.Class), w.Kinds, float64(w.Low) / 100, float64(w.High) / 100})
	}
	for _, r := range v.Pairs {
		out.Pairs = append(out.Pairs, apiPairRecord{handle(r.Opponent), r.Matches, float64(r.Halves) / 2, float64(r.Expected) / 100, r.Z})
	}
	for _, r := range v.Reviews {
		if v.own && r.Status == review.StatusOpen {
			continue
		}
		x := apiReview{ID: r.ID, Status: string(r.Status), Opened: r.OpenedAt, Steps: []apiReviewStep{}}
		for _, s := range r.Steps {
			x.Steps = append(x.Steps, apiReviewStep{s.At, handle(s.By), s.Kind, s.Word, s.Text})
		}
		out.Reviews = append(out.Reviews, x)
	}
	for _, l := range v.Accesses {
		out.Looks = append(out.Looks, apiDossierLook{handle(l.By), l.At})
	}
	return out
}
