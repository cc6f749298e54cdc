package arbiter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// What a report of somebody's play is refused for.
var (
	ErrReportTwice = errors.New("arbiter: you have reported this already")
	ErrReportMany  = errors.New("arbiter: three reports a week are possible")
	ErrReportWhat  = errors.New("arbiter: a report is of somebody else's play, in a finished match of a tournament")
)

const week = 7 * 24 * time.Hour

// Report keeps what a player reports of another's play. It shows to the event's
// arbiters; reports of several players together open a review.
func (a *Arbiter) Report(ctx context.Context, by player.Viewer, id match.ID, of match.Seat, text string) error {
	text = strings.TrimSpace(text)
	switch {
	case !by.IsSignedIn() || by.Bot || !of.Valid():
		return ErrReportWhat
	case text == "" || len([]rune(text)) > 1000:
		return fairplay.ErrReviewText
	}
	err := a.store.Write(ctx, func(tx *store.Tx) error {
		head, err := tx.Match(id)
		if err != nil {
			return err
		}
		if _, err := tx.PairingOf(id); errors.Is(err, store.ErrNotFound) || head.Status != match.Over || head.Players[of.Index()] == by.ID || head.Bots[of.Index()] {
			return ErrReportWhat
		} else if err != nil {
			return err
		}
		now := a.now()
		if n, err := tx.ReportsBy(by.ID, now.Add(-week)); err != nil || n >= fairplay.ReportsAWeek {
			return errors.Join(err, ErrReportMany)
		}
		return tx.AddReport(store.Report{Match: id, By: by.ID, Of: head.Players[of.Index()], At: now, Text: text})
	})
	if errors.Is(err, store.ErrTaken) {
		return ErrReportTwice
	}
	return err
}

// sweepReviews opens the reviews that are due and closes those against which
// nobody has appealed in time.
func (a *Arbiter) sweepReviews(ctx context.Context) error {
	var due []store.Concern
	var expired []store.Review
	now := a.now()
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		if due, err = tx.DueConcerns(); err != nil {
			return err
		}
		expired, err = tx.ExpiredReviews(now.Add(-fairplay.AppealWithin))
		return err
	})
	if err != nil {
		return err
	}
	var failed []error
	for _, c := range due {
		if _, err := a.openReview(ctx, c, ""); !errors.Is(err, store.ErrTaken) {
			failed = append(failed, err)
		}
	}
	for _, r := range expired {
		err := a.store.Write(ctx, func(tx *store.Tx) error {
			if !r.Expire(now) {
				return nil
			}
			return tx.SaveReview(r)
		})
		if !errors.Is(err, store.ErrConflict) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func (a *Arbiter) openReview(ctx context.Context, c store.Concern, by player.ID) (id string, err error) {
	r := fairplay.NewReview(store.NewID(), c.Player, string(c.Tournament), c.Why, by, a.now())
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		t, err := tx.Tournament(c.Tournament)
		if err != nil {
			return err
		}
		if err := tx.AddReview(*r); err != nil {
			return err
		}
		return a.Notify(tx, reviewNotices(t, r.Player, by, r.ID)...)
	})
	return r.ID, err
}

// reviewNotices tell a tournament's arbiters, all but the one who did it and the
// one it is about.
func reviewNotices(t *tournament.Tournament, of, by player.ID, key string) []notice.Notice {
	var out []notice.Notice
	for _, m := range t.Staff {
		v := player.Viewer{Player: player.Player{ID: m.Player}}
		if m.Player == of || m.Player == by || !t.May(v, tournament.ActReview) {
			continue
		}
		out = append(out, notice.Notice{
			To: m.Player, Kind: notice.ReviewOpened, Key: key, URL: tournamentPath(t.ID) + "/fair-play", Args: map[string]string{"Tournament": t.Name},
		})
	}
	return out
}

// OpenReview opens one at an arbiter's wish; ErrTaken: one runs.
func (a *Arbiter) OpenReview(ctx context.Context, by player.Viewer, id tournament.ID, of player.ID) (string, error) {
	t, err := a.read(ctx, id)
	if err != nil {
		return "", err
	}
	if _, entered := t.EntryOf(of); !entered {
		return "", tournament.ErrNoEntry
	}
	if !mayReview(t, by, of) {
		return "", tournament.ErrNotAllowed
	}
	return a.openReview(ctx, store.Concern{Player: of, Tournament: id, Why: fairplay.OpenedByArbiter}, by.ID)
}

// mayReview: an arbiter of the event, and nobody his own play.
func mayReview(t *tournament.Tournament, by player.Viewer, of player.ID) bool {
	return t.May(by, tournament.ActReview) && !by.Is(of)
}

// Dossier is everything there is about one player's fair play in one event.
type Dossier struct {
	Tournament *tournament.Tournament
	Entry      tournament.Entry
	Boards     []BoardRecord
	Reports    []store.Report
	Evidence   fairplay.Evidence
	Reviews    []store.Review // the latest first
	Names      map[player.ID]player.Player
	Keeps      bool // the viewer is an arbiter who may act, not the player or one of a panel
}

// BoardRecord is what is recorded of the player in one match.
type BoardRecord struct {
	Round   int
	Board   int
	Seat    match.Seat
	Head    store.Head
	Policy  fairplay.Policy
	Facts   []fairplay.Fact
	Signals []fairplay.Signal
	Told    []fairplay.Told
	Broken  bool // the chain of what was told does not hold
	Quick   []fairplay.Reply
	Devices []store.Device
	Watch   fairplay.Watch
}

// Dossier reads it, for the event's arbiters, for those appointed to judge an
// appeal, and for the player himself; for everybody else it is not there. Who
// looked is noted in the reviews.
func (a *Arbiter) Dossier(ctx context.Context, by player.Viewer, id tournament.ID, of player.ID) (d Dossier, err error) {
	d, err = a.dossier(ctx, by, id, of)
	if err != nil || by.Is(of) {
		return d, err
	}
	now := a.now()
	for i := range d.Reviews {
		r := &d.Reviews[i]
		if r.Status == fairplay.ReviewClosed || !r.View(by.ID, now) {
			continue
		}
		err := a.store.Write(ctx, func(tx *store.Tx) error { return tx.SaveReview(*r) })
		if errors.Is(err, store.ErrConflict) {
			return a.dossier(ctx, by, id, of) // the view is noted the next time
		}
		if err != nil {
			return d, err
		}
		r.Version++
	}
	return d, nil
}

func (a *Arbiter) dossier(ctx context.Context, by player.Viewer, id tournament.ID, of player.ID) (d Dossier, err error) {
	err = a.store.Read(ctx, func(tx *store.Tx) (err error) {
		if d.Tournament, err = tx.Tournament(id); err != nil {
			return err
		}
		entry, entered := d.Tournament.EntryOf(of)
		if d.Reviews, err = tx.ReviewsIn(id); err != nil {
			return err
		}
		d.Reviews = slices.DeleteFunc(d.Reviews, func(r store.Review) bool { return r.Player != of })
		d.Keeps = mayReview(d.Tournament, by, of)
		onPanel := slices.ContainsFunc(d.Reviews, func(r store.Review) bool { return slices.Contains(r.Panel, by.ID) })
		if !entered || !by.IsSignedIn() || !d.Keeps && !onPanel && !by.Is(of) {
			return store.ErrNotFound
		}
		d.Entry = entry
		return d.read(tx, of)
	})
	if err != nil {
		return d, err
	}
	var told []fairplay.Told
	var signals []fairplay.Signal
	var quick []fairplay.Reply
	var facts []fairplay.Fact
	for i := range d.Boards {
		b := &d.Boards[i]
		state, _, err := a.live.State(ctx, b.Head.ID)
		if err != nil {
			return d, err
		}
		if b.Policy.Level > fairplay.Open {
			b.Quick = fairplay.QuickReplies(state.Standing(), b.Seat)
		}
		told, signals, quick, facts = append(told, b.Told...), append(signals, b.Signals...), append(quick, b.Quick...), append(facts, b.Facts...)
	}
	d.Evidence = fairplay.Gather(signals, told, quick, facts)
	return d, nil
}

// read is what the tables have of the player.
func (d *Dossier) read(tx *store.Tx, of player.ID) error {
	var ids []match.ID
	for _, r := range d.Tournament.Rounds {
		for _, p := range r.Pairings {
			seat := p.SeatOf(d.Entry.ID)
			if p.Match == "" || !seat.Valid() {
				continue
			}
			b, err := readBoard(tx, BoardRecord{Round: r.Number, Board: p.Board, Seat: seat}, p.Match, of)
			if err != nil {
				return err
			}
			d.Boards, ids = append(d.Boards, b), append(ids, p.Match)
		}
	}
	var err error
	if d.Reports, err = tx.ReportsOf(of, ids); err != nil {
		return err
	}
	people := []player.ID{of}
	for _, b := range d.Boards {
		people = append(people, b.Head.Players[:]...)
		people = append(people, b.Watch.Steward)
	}
	for _, r := range d.Reports {
		people = append(people, r.By)
	}
	for _, r := range d.Reviews {
		people = append(people, r.Panel...)
		for _, s := range r.Steps {
			people = append(people, s.By)
		}
	}
	d.Names, err = tx.Players(slices.DeleteFunc(people, func(id player.ID) bool { return id == "" })...)
	return err
}

func readBoard(tx *store.Tx, b BoardRecord, id match.ID, of player.ID) (BoardRecord, error) {
	var err error
	if b.Head, err = tx.Match(id); err != nil {
		return b, err
	}
	with, err := tx.MatchPolicy(id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return b, err
	}
	b.Policy = with.Policy
	facts, err := tx.Facts(id)
	if err != nil {
		return b, err
	}
	for _, f := range facts {
		if f.Seat == b.Seat {
			b.Facts = append(b.Facts, f)
		}
	}
	signals, err := tx.SignalsIn([]match.ID{id})
	if err != nil {
		return b, err
	}
	for _, s := range signals {
		if s.Player == of {
			b.Signals = append(b.Signals, s)
		}
	}
	if b.Told, err = tx.Told(id, b.Seat); err != nil {
		return b, err
	}
	b.Broken = fairplay.CheckChain(b.Told) >= 0
	devices, err := tx.Devices(id)
	if err != nil {
		return b, err
	}
	for _, x := range devices {
		if x.Seat == b.Seat {
			b.Devices = append(b.Devices, x)
		}
	}
	b.Watch, err = tx.Watch(id, b.Seat)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return b, err
}

// HasFact tells whether the server itself saw something grave.
func (d Dossier) HasFact() bool {
	for _, b := range d.Boards {
		if slices.ContainsFunc(b.Signals, func(s fairplay.Signal) bool { return s.Kind.IsGrave() }) {
			return true
		}
	}
	return false
}

// HasSteward tells whether a steward has written down what he saw.
func (d Dossier) HasSteward() bool {
	return slices.ContainsFunc(d.Boards, func(b BoardRecord) bool { return len(b.Watch.Checks) > 0 || b.Watch.Verdict != "" })
}

// judge is the viewer as one who judges: he may not have met the player.
func (d Dossier) judge(id player.ID) fairplay.Judge {
	return fairplay.Judge{ID: id, Played: slices.ContainsFunc(d.Boards, func(b BoardRecord) bool { return b.Head.SeatOf(id).Valid() })}
}

// ReviewDeed is what somebody does in a review.
type ReviewDeed struct {
	Kind     string // a step of package fairplay, or "confirm"
	Text     string
	Explains []fairplay.Explanation
	Proposal fairplay.Proposal
	Panel    []string // handles
	Uphold   bool
}

// Deal does one thing in a review. What is decided about results is done with
// the tournament at once: annulling is a disqualification under the policy fixed
// before the start, which an appeal takes back. Errors: those of
// fairplay.Review, of tournament.Expel, store.ErrNotFound for who may not see it.
func (a *Arbiter) Deal(ctx context.Context, by player.Viewer, review string, deed ReviewDeed) error {
	var r store.Review
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		r, err = tx.Review(review)
		return err
	})
	if err != nil {
		return err
	}
	d, err := a.dossier(ctx, by, tournament.ID(r.Event), r.Player)
	if err != nil {
		return err
	}
	was := r.Review
	if err := a.deal(ctx, by, d, &r.Review, deed); err != nil {
		return err
	}
	annulled := r.Stands(fairplay.DecideAnnul) && r.Status == fairplay.ReviewDecided && was.Decided == nil
	if annulled { // tried before anything is written: a match that is being played comes first
		if err := a.TryExpel(ctx, d.Tournament, by, d.Entry.ID); err != nil {
			return err
		}
	}
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SaveReview(r); err != nil {
			return err
		}
		list := []notice.Notice{}
		if r.Status != was.Status && r.Status != fairplay.ReviewOpen && !by.Is(r.Player) && !was.ToldAt.IsZero() || deed.Kind == fairplay.StepTell {
			list = append(list, notice.Notice{To: r.Player, Kind: notice.ReviewNews, Key: fmt.Sprint(r.ID, "/", len(r.Steps)), URL: tournamentPath(d.Tournament.ID) + "/fair-play/me"})
		}
		if by.Is(r.Player) {
			list = append(list, reviewNotices(d.Tournament, r.Player, by.ID, fmt.Sprint(r.ID, "/", len(r.Steps)))...)
		}
		if deed.Kind == fairplay.StepAppoint {
			for _, id := range r.Panel {
				list = append(list, notice.Notice{
					To: id, Kind: notice.ReviewAppoint, Key: r.ID, URL: DossierPath(d.Tournament.ID, d.Entry.ID), Args: map[string]string{"Tournament": d.Tournament.Name},
				})
			}
		}
		return a.Notify(tx, list...)
	})
	if err != nil {
		return err
	}
	switch {
	case annulled && !d.Entry.Expelled:
		return a.Expel(ctx, by, d.Tournament.ID, d.Entry.ID, r.Decided.Why)
	case r.Overturned && !was.Overturned && r.Decided.Decision == fairplay.DecideAnnul && d.Entry.Expelled:
		return a.reinstate(ctx, d.Tournament, d.Entry.ID)
	}
	return nil
}

// DossierPath is where arbiters find what is recorded of an entry.
func DossierPath(id tournament.ID, e tournament.EntryID) string {
	return fmt.Sprint(tournamentPath(id), "/fair-play/", int(e))
}

// reinstate carries out what a panel has decided, in the name of an owner.
func (a *Arbiter) reinstate(ctx context.Context, t *tournament.Tournament, e tournament.EntryID) error {
	for _, m := range t.Staff {
		v := player.Viewer{Player: player.Player{ID: m.Player}}
		if t.DutyOf(v) == tournament.Owner {
			return a.Reinstate(ctx, v, t.ID, e, "appeal")
		}
	}
	return tournament.ErrNotAllowed
}

// deal changes the review as the rulebook allows.
func (a *Arbiter) deal(ctx context.Context, by player.Viewer, d Dossier, r *fairplay.Review, deed ReviewDeed) error {
	now, judge := a.now(), d.judge(by.ID)
	switch deed.Kind {
	case fairplay.StepAnswer:
		return r.Reply(by.ID, deed.Text, now)
	case fairplay.StepAppeal:
		return r.Contest(by.ID, deed.Text, now)
	case fairplay.StepVote:
		return r.Vote(by.ID, deed.Uphold, deed.Text, now)
	}
	if !d.Keeps {
		return tournament.ErrNotAllowed
	}
	switch deed.Kind {
	case fairplay.StepExplain:
		return r.Explain(judge, deed.Explains, now)
	case fairplay.StepNote:
		return r.Note(judge, deed.Text, now)
	case fairplay.StepTell:
		return r.Tell(judge, deed.Text, now)
	case fairplay.StepPropose:
		return r.Decide(judge, deed.Proposal, d.HasFact(), d.HasSteward(), now)
	case "confirm":
		return r.Confirm(judge, now)
	case fairplay.StepReject:
		return r.Reject(judge, deed.Text, now)
	case fairplay.StepAppoint:
		return a.appoint(ctx, by, d, r, deed.Panel, now)
	}
	return fairplay.ErrReviewOrder
}

func (a *Arbiter) appoint(ctx context.Context, by player.Viewer, d Dossier, r *fairplay.Review, handles []string, now time.Time) error {
	var three []fairplay.Judge
	err := a.store.Read(ctx, func(tx *store.Tx) error {
		for _, h := range handles {
			p, err := playerByHandle(tx, h)
			if err != nil {
				return err
			}
			if p.Bot {
				return fairplay.ErrPanel
			}
			three = append(three, d.judge(p.ID))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.Appoint(by.ID, three, now)
}
