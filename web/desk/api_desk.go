package desk

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	deskoffice "chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
)

func (s api) deskOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /tournaments/{id}/draft", player.ScopeRead, s.draft, "The next round before it is published", "For staff."),
		page.Op("POST /tournaments/{id}/draft", player.ScopeOrganize, s.makeDraft, "Pair the next round without opening it", "Nobody but staff sees it.").Creates(),
		page.Act("DELETE /tournaments/{id}/draft", player.ScopeOrganize, s.ByDesk((*deskoffice.Office).DiscardDraft), "Throw the draft away",
			"Where the pace would pair the round again at once, it is held until released or paired by hand."),
		page.Act("DELETE /tournaments/{id}/hold", player.ScopeOrganize, s.ByDesk((*deskoffice.Office).ReleaseRound), "Release a round that is held", "The pace pairs it again; one that is due at once."),
		page.Op("POST /tournaments/{id}/draft/edits", player.ScopeOrganize, s.editDraft, "Change the draft", "204: it was published or thrown away meanwhile."),
		page.Op("POST /tournaments/{id}/draft/publication", player.ScopeOrganize, s.publish, "Open the drafted round", "Now, or at a time: then the draft stays."),
		page.Op("POST /tournaments/{id}/results", player.ScopeOrganize, s.enterResult, "Enter the first result of a board",
			"For boards that are not played on this site: one of the two has no account, or they play at a table; or to which nobody came. It answers with the round. "+
				"One that stands is changed by a correction alone."),
		page.Act("DELETE /tournaments/{id}/results/{round}/{board}", player.ScopeOrganize, s.takeResultBack, "Take a result back", "One that the caller has entered, soon after."),
		page.Op("POST /tournaments/{id}/corrections", player.ScopeOrganize, s.correct, "Correct a result that stands",
			"It answers with the table; a dry run only shows it. What it changes is looked at first: shown has the version of the tournament that the dry run saw."),
		page.Act("POST /tournaments/{id}/expulsions", player.ScopeOrganize, s.expel, "Disqualify an entry", "Its results count as the settings say."),
		page.Act("DELETE /tournaments/{id}/expulsions/{entry}", player.ScopeOrganize, s.reinstate, "Take a disqualification back", "The entry plays on."),
		page.Act("POST /tournaments/{id}/steps", player.ScopeOrganize, s.step, "Take a tournament’s last step back, or sign it off", "A step back needs a reason."),
		page.Act("POST /tournaments/{id}/registration", player.ScopeOrganize, s.ByRounds((*rounds.Office).OpenRegistration), "Announce a tournament and let players enter",
			"A draft, or one whose registration was closed."),
		page.Act("DELETE /tournaments/{id}/registration", player.ScopeOrganize, s.ByRounds((*rounds.Office).CloseRegistration), "Close the registration",
			"Staff still enter players."),
		page.Op("POST /tournaments/{id}/round/edits", player.ScopeOrganize, s.editRound, "Change the round that is open",
			"Boards that nobody has begun to play. It answers with the round."),
		page.Op("POST /tournaments/{id}/rounds/{round}/boards/{board}/match", player.ScopeOrganize, s.openBoard, "Open a match on a board that has none",
			"Of an open round, once both have an account.").Creates(),
		page.Op("GET /tournaments/{id}/forbidden", player.ScopeRead, s.forbidden, "Who must not meet", "For staff."),
		page.Act("POST /tournaments/{id}/forbidden", player.ScopeOrganize, s.forbid, "Forbid entries to meet", "No two of them. Where the format pairs by score."),
		page.Act("POST /tournaments/{id}/allowed", player.ScopeOrganize, s.allow, "Lift a prohibition", "One that stands, exactly as the list of them says it."),
		page.Op("GET /tournaments/{id}/log", page.Everyone, s.log, "Everything done to a tournament", "The first first; reasons and drafts for staff only."),
		page.Op("GET /tournaments/{id}/events", page.Everyone, s.events, "What is done to a tournament, as it is done",
			"A stream that stays open: one line of JSON for each line of its log, such as a round that opens and a result; an empty line every 20 seconds; "+
				"server-sent events with Accept: text/event-stream. The server ends it within 15 minutes: open it again with the seq of the last line as "+
				"since (or the header Last-Event-ID), and nothing is lost.").Streams(""),
	}
}

type (
	apiDraftView struct {
		Round      int             `json:"round" doc:"its number" example:"3"`
		Boards     []apiDraftBoard `json:"boards" doc:"by board"`
		Bye        *apiNamed       `json:"bye" doc:"who is without an opponent; null: nobody"`
		Left       []apiNamed      `json:"left" doc:"who plays and is not in it"`
		Gone       []apiNamed      `json:"gone" doc:"who is in it and does not play"`
		Edited     bool            `json:"edited" doc:"changed by hand"`
		Stale      bool            `json:"stale" doc:"the standings have changed since it was paired"`
		PublishAt  *time.Time      `json:"publishAt" doc:"when it opens; null: when staff say so"`
		Objections []apiObjection  `json:"objections" doc:"rules of pairing that it breaks"`
	}
	// apiNamed is an entry with its name.
	apiNamed struct {
		Entry tournament.EntryID `json:"entry" doc:"the entry"`
		Name  string             `json:"name" doc:"as lists show it" example:"Anna Koval"`
	}
	apiDraftBoard struct {
		First  apiNamed `json:"first" doc:"who bids first: seat A"`
		Second apiNamed `json:"second" doc:"seat B"`
		Fixed  bool     `json:"fixed" doc:"stays when the rest is paired again"`
	}
	apiObjection struct {
		Rule   string `json:"rule" doc:"which rule" example:"rematch"`
		First  int    `json:"first,omitempty" doc:"pairing number of one" example:"1"`
		Second int    `json:"second,omitempty" doc:"pairing number of the other" example:"2"`
		Round  int    `json:"round,omitempty" doc:"where they have met" example:"1"`
	}
	editIn struct {
		event.TournamentPath
		Kind   string             `json:"kind" doc:"what to change" enum:"swap,seats,fix,free,part,join,bye,no-bye,re-pair" example:"swap"`
		A      tournament.EntryID `json:"a,omitempty" doc:"an entry"`
		B      tournament.EntryID `json:"b,omitempty" doc:"another entry"`
		Bye    string             `json:"bye,omitempty" doc:"bye: what it is worth" enum:"full,half,zero"`
		Rest   bool               `json:"rest,omitempty" doc:"the rest is paired again"`
		Reason string             `json:"reason,omitempty" doc:"for the log" example:"They are siblings"`
	}
	apiForbidden struct {
		Entries []tournament.EntryID `json:"entries" doc:"no two of them meet" example:"[3,5]" min:"2" max:"100"`
		From    int                  `json:"from,omitempty" doc:"first round in which it holds; absent: from the start" example:"1" min:"0"`
		To      int                  `json:"to,omitempty" doc:"last round in which it holds; absent: to the end" example:"3" min:"0"`
		Soft    bool                 `json:"soft,omitempty" doc:"a wish: it gives way where they could not be paired otherwise"`
	}
	apiForbiddenList struct {
		Forbidden []apiForbidden `json:"forbidden" doc:"in the order in which they were made"`
	}
	forbidIn struct {
		event.TournamentPath
		apiForbidden
		Reason string `json:"reason,omitempty" doc:"for the log" example:"They are siblings" max:"300"`
	}
	allowIn struct {
		event.TournamentPath
		apiForbidden
	}
	publishIn struct {
		event.TournamentPath
		At *time.Time `json:"at" doc:"when; absent: now"`
	}
	apiPublished struct {
		Round *page.APIRound `json:"round" doc:"the round, if it was opened"`
		Draft *apiDraftView  `json:"draft" doc:"the draft, if it opens later"`
	}
	resultIn struct {
		event.TournamentPath
		Round  int                `json:"round" doc:"the round" example:"1" min:"1"`
		Board  int                `json:"board" doc:"the board" example:"1" min:"1"`
		Result page.APIResult     `json:"result" doc:"the result" enum:"1-0,0-1,1/2-1/2,+/-,-/+,-/-" example:"1-0"`
		First  tournament.EntryID `json:"first,omitempty" doc:"the entry that the caller has seen there; absent: whoever it is"`
	}
	boardPath struct {
		event.TournamentPath
		Round int `path:"round" doc:"the round" example:"1"`
		Board int `path:"board" doc:"the board" example:"1"`
	}
	openedBoard struct {
		Match match.ID `json:"match" doc:"the match of the board"`
	}
	correctionIn struct {
		event.TournamentPath
		Round  int            `json:"round" doc:"the round" example:"1" min:"1"`
		Board  int            `json:"board" doc:"the board" example:"1" min:"1"`
		Result page.APIResult `json:"result" doc:"what is right" enum:"1-0,0-1,1/2-1/2,+/-,-/+,-/-" example:"1/2-1/2"`
		Reach  string         `json:"reach" doc:"what it changes" enum:"from-now,ratings,re-pair,replay" example:"from-now"`
		Reason string         `json:"reason,omitempty" doc:"for everybody to read" example:"Written down wrongly"`
		DryRun bool           `json:"dryRun,omitempty" doc:"only show the table"`
	}
	apiTable struct {
		Standings []event.APIStanding `json:"standings" doc:"the table after it"`
	}
	expelIn struct {
		event.TournamentPath
		Entry   tournament.EntryID `json:"entry" doc:"the entry"`
		Reason  string             `json:"reason" doc:"for everybody to read" example:"A phone in the hall"`
		Conduct bool               `json:"conduct,omitempty" doc:"for how they played, not for how they behaved"`
	}
	reinstateIn struct {
		event.EntryPath
		Reason string `query:"reason,omitempty" doc:"for everybody to read" example:"An error" max:"500"`
	}
	stepIn struct {
		event.TournamentPath
		Step   string `json:"step" doc:"which" enum:"hide,unstart,unpair,finalize,unfinish,unfinalize" example:"finalize"`
		Reason string `json:"reason,omitempty" doc:"why, of a step back" example:"Started too early"`
		Lose   bool   `json:"lose,omitempty" doc:"even if results are lost"`
	}
	logIn struct {
		event.TournamentPath
		page.Paged
	}
	eventsIn struct {
		event.TournamentPath
		Since *int64 `query:"since" doc:"seq of the last line that is known; 0: from the first, absent: from now on" example:"12" min:"0"`
		Last  string `query:"last,omitempty" doc:"as Last-Event-ID, for clients that cannot set it" example:"12" max:"100"`
	}
	apiLog struct {
		Deeds []apiDeed `json:"deeds" doc:"the first first"`
		Next  *string   `json:"next" doc:"after of the rest; null at the end" example:"500"`
	}
	// apiDeed is a line of the log in names and words. The file log.jsonl has it whole.
	apiDeed struct {
		Seq     int64       `json:"seq" doc:"its number" example:"12"`
		At      time.Time   `json:"at" doc:"when"`
		By      string      `json:"by,omitempty" doc:"who, by handle; absent: the site, or a match" example:"olena"`
		Duty    string      `json:"duty,omitempty" doc:"as what" example:"owner"`
		Act     string      `json:"act" doc:"what" example:"settings"`
		Reason  string      `json:"reason,omitempty" doc:"why" example:"Written down wrongly"`
		Changes []apiChange `json:"changes" doc:"what it changed, in words"`
	}
	apiChange struct {
		What   string `json:"what" doc:"the thing" example:"Rounds"`
		Before string `json:"before,omitempty" doc:"as it was" example:"5"`
		After  string `json:"after,omitempty" doc:"as it is" example:"7"`
	}
)

func (s api) draft(c echo.Context, _ event.TournamentPath) (out apiDraftView, err error) {
	t, err := s.Staffed(c)
	if err != nil {
		return out, err
	}
	if t.Draft == nil {
		return out, store.ErrNotFound
	}
	return draftOf(t)
}

func draftOf(t *tournament.Tournament) (v apiDraftView, err error) {
	objections, _, err := tables.Objections(t)
	if err != nil {
		return v, err
	}
	named := func(id tournament.EntryID) apiNamed {
		e, _ := t.Entry(id) // a draft's entries are in the tournament
		return apiNamed{id, e.Name}
	}
	d := t.Draft
	v = apiDraftView{Round: d.Number, Boards: []apiDraftBoard{}, Left: []apiNamed{}, Gone: []apiNamed{}, Edited: d.Edited, Stale: t.DraftStale() != nil,
		PublishAt: page.Optional(d.PublishAt), Objections: []apiObjection{}}
	for _, b := range d.Boards {
		v.Boards = append(v.Boards, apiDraftBoard{named(b.First), named(b.Second), b.Fixed})
	}
	if d.Bye != 0 {
		bye := named(d.Bye)
		v.Bye = &bye
	}
	left, gone := t.DraftMisfits()
	for _, id := range left {
		v.Left = append(v.Left, named(id))
	}
	for _, id := range gone {
		v.Gone = append(v.Gone, named(id))
	}
	for _, o := range objections {
		v.Objections = append(v.Objections, apiObjection{o.Rule, o.First, o.Second, o.Round})
	}
	return v, nil
}

// afterDraft answers with the draft after a change; nil if there is none any more.
func (s api) afterDraft(c echo.Context, id tournament.ID, err error) (*apiDraftView, error) {
	if err != nil {
		return nil, err
	}
	t, err := s.Arbiter.Tournament(c.Request().Context(), id)
	if err != nil || t.Draft == nil {
		return nil, err // discarded or published meanwhile
	}
	v, err := draftOf(t)
	return &v, err
}

func (s api) makeDraft(c echo.Context, in event.TournamentPath) (*apiDraftView, error) {
	return s.afterDraft(c, in.ID, s.Arbiter.Rounds.Draft(c.Request().Context(), page.Viewer(c), in.ID))
}

// edit returns the edit of a pairing that is asked for; the enum of kind admits no other.
func (in editIn) edit() tournament.Edit {
	kind, _ := tournament.ParseEditKind(in.Kind)
	return tournament.Edit{Kind: kind, A: in.A, B: in.B, Bye: byeKinds[in.Bye], Rest: in.Rest}
}

func (s api) editDraft(c echo.Context, in editIn) (*apiDraftView, error) {
	return s.afterDraft(c, in.ID, s.Arbiter.Desk.EditDraft(c.Request().Context(), page.Viewer(c), in.ID, in.edit(), in.Reason))
}

func (s api) editRound(c echo.Context, in editIn) (out page.APIRound, err error) {
	if err := s.Arbiter.Desk.EditRound(c.Request().Context(), page.Viewer(c), in.ID, in.edit(), in.Reason); err != nil {
		return out, err
	}
	return s.APIRound(c, in.ID, 0)
}

func (s api) openBoard(c echo.Context, in boardPath) (out openedBoard, err error) {
	out.Match, err = s.Arbiter.Events.OpenBoard(c.Request().Context(), page.Viewer(c), in.ID, in.Round, in.Board)
	return out, err
}

func (s api) forbidden(c echo.Context, _ event.TournamentPath) (out apiForbiddenList, err error) {
	t, err := s.Staffed(c)
	if err != nil {
		return out, err
	}
	out.Forbidden = []apiForbidden{}
	for _, f := range t.Forbidden {
		out.Forbidden = append(out.Forbidden, apiForbidden(f))
	}
	return out, nil
}

func (s api) forbid(ctx context.Context, by player.Viewer, in forbidIn) error {
	return s.Arbiter.Desk.Forbid(ctx, by, in.ID, tournament.ForbiddenEntries(in.apiForbidden), in.Reason)
}

func (s api) allow(ctx context.Context, by player.Viewer, in allowIn) error {
	return s.Arbiter.Desk.Allow(ctx, by, in.ID, tournament.ForbiddenEntries(in.apiForbidden))
}

// publish opens the drafted round now, or at a time.
func (s api) publish(c echo.Context, in publishIn) (out apiPublished, err error) {
	ctx, by := c.Request().Context(), page.Viewer(c)
	if in.At != nil {
		out.Draft, err = s.afterDraft(c, in.ID, s.Arbiter.Desk.ScheduleRound(ctx, by, in.ID, *in.At))
		return out, err
	}
	if err := s.Arbiter.Rounds.Publish(ctx, by, in.ID); err != nil {
		return out, err
	}
	round, err := s.APIRound(c, in.ID, 0)
	out.Round = &round
	return out, err
}

// enterResult enters the first result of a board and answers with its round.
func (s api) enterResult(c echo.Context, in resultIn) (out page.APIRound, err error) {
	kind, err := tournament.ParseResultKind(string(in.Result))
	if err != nil {
		return out, page.Lacking("result")
	}
	err = s.Arbiter.Rounds.EnterResult(c.Request().Context(), page.Viewer(c), in.ID, rounds.Seen{Round: in.Round, Board: in.Board, First: in.First}, kind)
	if err != nil {
		return out, err
	}
	return s.APIRound(c, in.ID, in.Round)
}

// takeResultBack removes a result that the caller has entered.
func (s api) takeResultBack(ctx context.Context, by player.Viewer, in boardPath) error {
	return s.Arbiter.Rounds.TakeResultBack(ctx, by, in.ID, in.Round, in.Board)
}

// correct corrects a result and answers with the table; a dry run only shows the table.
func (s api) correct(c echo.Context, in correctionIn) (out apiTable, err error) {
	kind, err := tournament.ParseResultKind(string(in.Result))
	if err != nil {
		return out, page.Lacking("result")
	}
	reach, err := tournament.ParseReach(in.Reach)
	if err != nil {
		return out, page.Lacking("reach")
	}
	t, err := s.Staffed(c)
	if err != nil {
		return out, err
	}
	change := tables.Correction{Round: in.Round, Board: in.Board, Kind: kind, Reach: reach}
	_, after, err := tables.Preview(t, page.Viewer(c), change, s.Now())
	if err != nil {
		return out, err
	}
	if !in.DryRun {
		if err := s.Arbiter.Desk.Correct(c.Request().Context(), page.Viewer(c), t.ID, change, in.Reason); err != nil {
			return out, err
		}
		if after, err = s.Staffed(c); err != nil {
			return out, err
		}
	}
	with, err := s.APIFacts(c, after)
	if err != nil {
		return out, err
	}
	out.Standings, err = event.APIStandingsOf(after, with.Who)
	return out, err
}

func (s api) expel(ctx context.Context, by player.Viewer, in expelIn) error {
	return s.Arbiter.Desk.Expel(ctx, by, in.ID, in.Entry, tables.Expulsion{Reason: in.Reason, Conduct: in.Conduct})
}

func (s api) reinstate(ctx context.Context, by player.Viewer, in reinstateIn) error {
	return s.Arbiter.Desk.Reinstate(ctx, by, in.ID, in.Entry, in.Reason)
}

// step takes a step of a tournament's life.
func (s api) step(ctx context.Context, by player.Viewer, in stepIn) error {
	i := slices.IndexFunc(lifeSteps, func(st lifeStep) bool { return st.word == in.Step })
	if i < 0 {
		return page.Lacking("step")
	}
	return lifeSteps[i].do(ctx, s.Arbiter.Desk, by, in.ID, in.Reason, in.Lose)
}

// log answers with the part of the log that the caller may see.
func (s api) log(c echo.Context, in logIn) (out apiLog, err error) {
	t, deeds, err := record(s).seenDeeds(c)
	if err != nil {
		return out, err
	}
	deeds, next, err := page.PageOf(in.Paged, len(deeds)+1, deeds)
	if err != nil {
		return out, err
	}
	return apiLog{asDeeds(t, deeds), next}, nil
}

// asDeeds returns deeds as the API shows them, in English.
func asDeeds(t *tournament.Tournament, deeds []ledger.Deed) []apiDeed {
	w, list := deedWriter{p: lang.Printer{Lang: lang.English, Zone: time.UTC}, t: t}, make([]apiDeed, len(deeds))
	for i, d := range deeds {
		list[i] = apiDeed{Seq: d.Seq, At: d.At, By: string(d.By), Act: string(d.Act), Reason: d.Reason, Changes: []apiChange{}}
		if d.Duty != 0 {
			list[i].Duty = d.Duty.String()
		}
		for _, l := range w.line(d).Changes {
			list[i].Changes = append(list[i].Changes, apiChange{l.What, l.Was, l.Is})
		}
	}
	return list
}

// events tells what is done to a tournament as it is done. A stream resumes after Last-Event-ID.
func (s api) events(c echo.Context, in eventsIn) (apiDeed, error) {
	sub := s.Live.Subscribe(c.Request().Context(), live.TournamentTopic(string(in.ID)))
	t, err := s.SeenTournament(c)
	if err != nil {
		return apiDeed{}, err
	}
	told := t.Version
	if in.Since != nil {
		told = *in.Since
	}
	return apiDeed{}, s.Stream(c, page.Wakes{News: sub.Tell}, func(ctx context.Context, last string) ([]page.Frame, error) {
		sub.Take()
		if n, err := strconv.ParseInt(last, 10, 64); err == nil {
			told = max(told, n)
		}
		t, deeds, err := record(s).seenSince(page.During(ctx, c), told) // it can be hidden meanwhile
		if err != nil {
			return nil, err
		}
		var frames []page.Frame
		for _, d := range asDeeds(t, deeds) {
			line, err := json.Marshal(d)
			if err != nil {
				return nil, err
			}
			frames = append(frames, page.Frame{ID: strconv.FormatInt(d.Seq, 10), Data: string(line)})
		}
		return frames, nil
	})
}
