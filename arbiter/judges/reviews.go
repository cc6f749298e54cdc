package judges

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// The refusals of a report about somebody's play.
var (
	ErrReportTwice = refusal.Conflict("review.error.report-twice", "arbiter: you have reported this already")
	ErrReportMany  = refusal.TooMany("review.error.report-many", "arbiter: at most three reports a week")
	errReportNext  = refusal.Kindred(ErrReportMany, "review.error.report-next", "arbiter: at most three reports a week")
	ErrReportWhat  = refusal.Invalid("review.error.report-what",
		"arbiter: only somebody else's play in a finished match that counts can be reported")
)

// Report stores a player's report of another's play. Those who review there see it; reports
// by several players together open a review. Errors: ErrReportWhat, ErrReportTwice,
// ErrReportMany, review.ErrText.
func (a *Office) Report(ctx context.Context, by player.Viewer, id match.ID, of match.Seat, text string) error {
	text = strings.TrimSpace(text)
	switch {
	case !by.IsSignedIn() || by.Bot || !of.Valid():
		return ErrReportWhat
	case text == "" || len([]rune(text)) > 1000:
		return review.ErrText
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		head, err := tx.Match(id)
		if err != nil {
			return err
		}
		if head.Place == "" || head.Status != match.Over || head.Players[of.Index()] == by.ID || head.Bots[of.Index()] {
			return ErrReportWhat
		}
		now := a.Now()
		made, err := tx.ReportsBy(by.ID, now.Add(-review.ReportSpan))
		if err != nil {
			return err
		}
		if next := review.NextReport(made, now); !next.IsZero() {
			return refusal.Later(errReportNext, next)
		}
		return tx.AddReport(store.Report{Match: id, By: by.ID, Of: head.Players[of.Index()], At: now, Text: text})
	})
	if errors.Is(err, store.ErrTaken) {
		return ErrReportTwice
	}
	return err
}

// SweepReviews opens the reviews that are due, closes those without a timely appeal, and
// tells of appeals that nobody has judged in time.
func (a *Office) SweepReviews(ctx context.Context) error {
	var due []store.Concern
	var expired []store.Review
	now := a.Now()
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if due, err = tx.DueConcerns(); err != nil {
			return err
		}
		expired, err = tx.ExpiredReviews(now.Add(-review.AppealWithin))
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
		if !r.Expire(now) {
			continue
		}
		err := a.Store.Write(ctx, func(tx *store.Tx) error { return tx.SaveReview(r) })
		if !errors.Is(err, store.ErrConflict) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func (a *Office) openReview(ctx context.Context, c store.Concern, by player.ID) (id string, err error) {
	r := review.New(store.NewID(), c.Player, c.Place, c.Why, by, a.Now())
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		b, err := assurance.BenchOf(tx, c.Place)
		if err != nil {
			return err
		}
		if err := tx.AddReview(*r); err != nil {
			return err
		}
		return a.Notify(tx, reviewNotices(b, r.Player, by, review.StepOpen)...)
	})
	return r.ID, err
}

// reviewNotices tell those who review in a place of a step, except the one who acted and the one it is
// about. All news of a place are one notice, which names the last.
func reviewNotices(b assurance.Bench, of, by player.ID, step string) []notice.Notice {
	var out []notice.Notice
	for _, judge := range b.Judges(by) {
		if judge == of {
			continue
		}
		out = append(out, notice.Notice{
			To: judge, Kind: notice.ReviewOpened, Key: string(b.Place), URL: benchPath(b),
			Args: map[string]string{"Tournament": cmp.Or(b.Name(), notice.RatedChallenges), "Case": step},
		})
	}
	return out
}

// benchPath is the path of the page from which those who review in a place begin.
func benchPath(b assurance.Bench) string {
	switch {
	case b.Tournament != nil:
		return kernel.TournamentPath(b.Tournament.ID) + "/fair-play"
	case b.Ladder != nil:
		return kernel.LadderPath(b.Ladder.ID) + "/fair-play"
	}
	return "/admin/fair-play"
}

// OpenReview opens a review at the request of somebody who judges there; assurance.ErrReviewRuns when one runs. Errors: as
// Dossier, and tournament.ErrNotAllowed.
func (a *Office) OpenReview(ctx context.Context, by player.Viewer, in fairplay.Place, of player.ID) (string, error) {
	d, err := a.dossier(ctx, by, in, of)
	if err != nil {
		return "", err
	}
	if !d.Keeps {
		return "", tournament.ErrNotAllowed
	}
	opened, err := a.openReview(ctx, store.Concern{Player: of, Place: in, Why: review.OpenedByArbiter}, by.ID)
	if errors.Is(err, store.ErrTaken) {
		err = assurance.ErrReviewRuns
	}
	return opened, err
}

// Dossier is everything known about one player's fair play in one place.
type Dossier struct {
	assurance.Bench
	Of       player.Player
	Entry    tournament.Entry // in a tournament
	Boards   []BoardRecord    // in order
	Reports  []store.Report
	Evidence review.Evidence
	Reviews  []store.Review  // the latest first
	Pairs    []PairRecord    // against opponents here, if there are enough matches
	Accesses []review.Access // of others at the dossier, the latest first
	Names    map[player.ID]player.Player
	Keeps    bool // the viewer is an arbiter who may act, not the player
	HasMoves bool // it has been looked at what the player's moves come to
}

// PlayerName is what the player is called here.
func (d Dossier) PlayerName() string { return cmp.Or(d.Entry.Name, string(d.Of.Handle)) }

// BoardRecord is what is recorded about the player in one match.
type BoardRecord struct {
	Round     int // in a tournament
	Board     int
	Seat      match.Seat
	Head      store.Head
	Policy    fairplay.Policy
	Facts     []fairplay.Fact
	Signals   []review.Signal
	Telemetry []review.Telemetry
	Broken    bool // the hash chain of the telemetry is broken
	Quick     []review.Reply
	Devices   []store.Device
	Watch     fairplay.Watch
}

// Dossier reads it, for those who judge there (operators do) and the player; to everybody else
// it does not exist. Looks are noted for the player to see.
func (a *Office) Dossier(ctx context.Context, by player.Viewer, in fairplay.Place, of player.ID) (d Dossier, err error) {
	d, err = a.dossier(ctx, by, in, of)
	now := a.Now()
	if err != nil || by.Is(of) || !review.IsNewAccess(d.Accesses, by.ID, now) {
		return d, err
	}
	d.Accesses = append([]review.Access{{By: by.ID, At: now}}, d.Accesses...)
	d.Names[by.ID] = by.Player
	return d, a.Store.Write(ctx, func(tx *store.Tx) error { return tx.AddAccess(of, in, d.Accesses[0]) })
}

func (a *Office) dossier(ctx context.Context, by player.Viewer, in fairplay.Place, of player.ID) (d Dossier, err error) {
	err = a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if d.Bench, err = assurance.BenchOf(tx, in); err != nil {
			return err
		}
		d.Keeps = d.May(by, of)
		if !by.IsSignedIn() || !d.Keeps && !by.Is(of) {
			return store.ErrNotFound
		}
		if d.Reviews, err = tx.ReviewsIn(in); err != nil {
			return err
		}
		d.Reviews = slices.DeleteFunc(d.Reviews, func(r store.Review) bool { return r.Player != of })
		return d.read(tx, of)
	})
	if err != nil {
		return d, err
	}
	var told []review.Telemetry
	var signals []review.Signal
	var quick []review.Reply
	var facts []fairplay.Fact
	for i := range d.Boards {
		b := &d.Boards[i]
		state, _, err := a.Live.State(ctx, b.Head.ID)
		if err != nil {
			return d, err
		}
		if b.Policy.Level > fairplay.Open {
			b.Quick = review.QuickReplies(state.Standing(), b.Seat)
		}
		told, signals, quick, facts = append(told, b.Telemetry...), append(signals, b.Signals...), append(quick, b.Quick...),
			append(facts, b.Facts...)
	}
	d.Evidence = review.Gather(signals, told, quick, facts)
	return d, nil
}

// read reads what the database has about the player; store.ErrNotFound if they do not play there.
func (d *Dossier) read(tx *store.Tx, of player.ID) (err error) {
	if d.Of, err = tx.Player(of); err != nil {
		return err
	}
	heads, err := tx.PlayedIn(d.Place, of)
	if err != nil {
		return err
	}
	plays := len(heads) > 0
	at := map[match.ID]BoardRecord{}
	if d.Tournament != nil {
		d.Entry, plays = d.Tournament.EntryOf(of)
		for _, r := range d.Tournament.Rounds {
			for _, p := range r.Pairings {
				at[p.Match] = BoardRecord{Round: r.Number, Board: p.Board}
			}
		}
	}
	if !plays {
		return store.ErrNotFound
	}
	var ids []match.ID
	for _, h := range heads {
		b := at[h.ID]
		b.Head, b.Seat = h, h.SeatOf(of)
		if err := b.read(tx, of); err != nil {
			return err
		}
		d.Boards, ids = append(d.Boards, b), append(ids, h.ID)
	}
	if d.Reports, err = tx.ReportsOf(of, ids); err != nil {
		return err
	}
	if d.Pairs, err = pairsOf(tx, of, d.Boards); err != nil {
		return err
	}
	if d.Accesses, err = tx.Accesses(of, d.Place); err != nil {
		return err
	}
	_, err = tx.Dossier(of, d.Place)
	if d.HasMoves = err == nil; !d.HasMoves && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	people := []player.ID{of}
	for _, l := range d.Accesses {
		people = append(people, l.By)
	}
	for _, b := range d.Boards {
		people = append(people, b.Head.Players[:]...)
		people = append(people, b.Watch.Steward)
	}
	for _, r := range d.Reports {
		people = append(people, r.By)
	}
	for _, r := range d.Reviews {
		for _, s := range r.Steps {
			people = append(people, s.By)
		}
	}
	d.Names, err = tx.Players(slices.DeleteFunc(people, func(id player.ID) bool { return id == "" })...)
	return err
}

func (b *BoardRecord) read(tx *store.Tx, of player.ID) error {
	id := b.Head.ID
	with, err := tx.MatchPolicy(id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	b.Policy = with.Policy
	facts, err := tx.Facts(id)
	if err != nil {
		return err
	}
	for _, f := range facts {
		if f.Seat == b.Seat {
			b.Facts = append(b.Facts, f)
		}
	}
	signals, err := tx.SignalsIn([]match.ID{id})
	if err != nil {
		return err
	}
	for _, s := range signals {
		if s.Player == of {
			b.Signals = append(b.Signals, s)
		}
	}
	if b.Telemetry, err = tx.Telemetry(id, b.Seat); err != nil {
		return err
	}
	b.Broken = review.CheckChain(b.Telemetry) >= 0
	devices, err := tx.Devices(id)
	if err != nil {
		return err
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
	return err
}

// HasFact reports whether the server itself noticed something grave.
func (d Dossier) HasFact() bool {
	return slices.ContainsFunc(d.Boards, func(b BoardRecord) bool {
		return slices.ContainsFunc(b.Signals, func(s review.Signal) bool { return s.Kind.IsGrave() })
	})
}

// HasSteward reports whether a steward has written down what they saw.
func (d Dossier) HasSteward() bool {
	return slices.ContainsFunc(d.Boards, func(b BoardRecord) bool { return len(b.Watch.Checks) > 0 || b.Watch.Verdict != "" })
}

// As is somebody as a judge of the player; whoever met them is a party.
func (d Dossier) As(id player.ID) review.Judge {
	heads := make([]store.Head, len(d.Boards))
	for i, b := range d.Boards {
		heads[i] = b.Head
	}
	return review.Judge{ID: id, Case: d.Case(d.Of.ID, heads)}
}

// ReviewCommand is an act in a review.
type ReviewCommand struct {
	Kind     string // a step of package review, or "confirm"
	Seen     int    // how many steps of the review its author saw
	Text     string
	Explains []review.Explanation
	Proposal review.Proposal
}

// Execute does one act in a review. A decision about results is written with the tournament
// in one transaction: annulling is a disqualification under the policy fixed before the
// start, which an appeal reverses. Errors: those of review.Review and of
// tournament.Expel, and store.ErrNotFound for those who may not see it.
func (a *Office) Execute(ctx context.Context, by player.Viewer, opened string, cmd ReviewCommand) error {
	r, err := store.Get(ctx, a.Store, func(tx *store.Tx) (store.Review, error) { return tx.Review(opened) })
	if err != nil {
		return err
	}
	d, err := a.dossier(ctx, by, r.Place, r.Player)
	if err != nil {
		return err
	}
	was := r.Review
	if s, is := was.Unseen(by.ID, cmd.Kind, cmd.Seen); is && d.Keeps {
		e := kernel.OvertakenBeside(s.By, s.At, "review.step.", s.Kind, int64(len(was.Steps)))
		e.Field = "steps"
		return a.Store.Read(ctx, e.Named)
	}
	if err := a.doReview(by, d, &r.Review, cmd); err != nil {
		return a.JudgesNamed(ctx, err)
	}
	annuls := r.Stands(review.DecideAnnul) && was.Decided == nil
	takesBack := r.Overturned && !was.Overturned && r.Decided.Decision == review.DecideAnnul && !r.Before && d.Entry.Expelled
	r.Before = r.Before || annuls && d.Entry.Expelled
	keep := func(tx *store.Tx) error {
		if err := tx.SaveReview(r); err != nil {
			return err
		}
		if err := a.endNotices(tx, r.Review); err != nil {
			return err
		}
		list := stepNotices(d, by, was, r.Review, cmd)
		if cmd.Kind == review.StepAppeal {
			operators, err := operatorNotices(tx, d, r.Review)
			if err != nil {
				return err
			}
			list = append(list, operators...)
		}
		return a.Notify(tx, list...)
	}
	switch {
	case annuls && !r.Before:
		return a.desk.ExpelAs(ctx, d.Tournament.ID, desk.Expulsion{Step: kernel.Step{By: by, Act: tournament.ActExpel,
			Reason: ReasonDecision}, Entry: d.Entry.ID, More: keep})
	case takesBack:
		return a.takeBack(ctx, d.Tournament.ID, d.Entry.ID, keep)
	}
	return a.Store.Write(ctx, keep)
}

// endNotices settles what arbiters and operators were told of a review that waits for them no more.
func (a *Office) endNotices(tx *store.Tx, r review.Review) error {
	if r.Status == review.StatusClosed {
		if err := tx.EndNotices(notice.ReviewMatter, r.ID, a.Now()); err != nil {
			return err
		}
	}
	all, err := tx.ReviewsIn(r.Place)
	if err != nil || slices.ContainsFunc(all, func(x store.Review) bool { return x.Decided == nil && x.Status != review.StatusClosed }) {
		return err
	}
	return tx.EndNotices(notice.ReviewsMatter, string(r.Place), a.Now())
}

// The reasons in a tournament's log for what a review does to it. Who decided, and why,
// is only in the review, which fewer people read.
const (
	ReasonDecision = "decision"
	ReasonAppeal   = "appeal"
)

// takeBack carries out what an appeal decided. It is not the decision of any of the staff, so
// the site does it.
func (a *Office) takeBack(ctx context.Context, id tournament.ID, e tournament.EntryID, keep func(*store.Tx) error) error {
	_, err := a.Apply(ctx, id, kernel.Change{
		Step:  kernel.Step{Act: tournament.ActReinstate, Reason: ReasonAppeal},
		Judge: func(t *tournament.Tournament) error { return t.TakeBack(e) },
		Also:  func(tx *store.Tx, _ *tournament.Tournament) error { return keep(tx) },
	})
	return a.desk.AfterJudgement(ctx, id, err)
}

// stepNotices tell those who must know of a step: the player, and the arbiters of an answer.
func stepNotices(d Dossier, by player.Viewer, was, r review.Review, cmd ReviewCommand) (list []notice.Notice) {
	key, step := fmt.Sprint(r.ID, "/", len(r.Steps)), told(r.Steps[len(was.Steps):])
	if r.Status != was.Status && r.Status != review.StatusOpen && !by.Is(r.Player) && !was.ToldAt.IsZero() || cmd.Kind == review.StepTell {
		list = append(list, notice.Notice{To: r.Player, Kind: notice.ReviewNews, Key: key, URL: DossierPath(d.Place, "me"),
			Args: map[string]string{"Case": step}})
	}
	if by.Is(r.Player) {
		list = append(list, reviewNotices(d.Bench, r.Player, by.ID, step)...)
	}
	if was.Decided == nil && r.Decided != nil {
		list = append(list, d.reporters(by, r)...)
	}
	return list
}

// told is the step that news of some steps name: the last, but a judgement of an appeal rather than the end that follows it.
func told(steps []review.Step) string {
	for _, s := range steps {
		if s.Kind == review.StepUphold || s.Kind == review.StepOverturn {
			return s.Kind
		}
	}
	return steps[len(steps)-1].Kind
}

// operatorNotices tell operators of an appeal, which one of them judges: those who can, or all if
// nobody can, so that they find somebody.
func operatorNotices(tx *store.Tx, d Dossier, r review.Review) (list []notice.Notice, err error) {
	ids, err := tx.Operators()
	isFree := slices.ContainsFunc(ids, func(id player.ID) bool { return !r.IsInvolved(id) })
	for _, id := range ids {
		if id != r.Player && !(isFree && r.IsInvolved(id)) {
			list = append(list, notice.Notice{
				To: id, Kind: notice.ReviewAppeal, Key: r.ID, URL: DossierPath(d.Place, d.Of.Handle),
				Args: map[string]string{"Tournament": cmp.Or(d.Name(), notice.RatedChallenges)},
			})
		}
	}
	return list, err
}

// reporters are told that their reports were looked at, but not the outcome: all who have
// reported since the last review.
func (d Dossier) reporters(by player.Viewer, r review.Review) (list []notice.Notice) {
	var since time.Time
	for _, x := range d.Reviews {
		if x.ID != r.ID && x.DecidedAt.After(since) {
			since = x.DecidedAt
		}
	}
	for _, x := range d.Reports {
		if x.At.After(since) && !by.Is(x.By) {
			list = append(list, notice.Notice{To: x.By, Kind: notice.ReportAnswered, Key: r.ID + "/" + string(x.Match), URL: "/matches/" +
				string(x.Match)})
		}
	}
	return list
}

// DossierPath is the path of the dossier of somebody in a place; of "me", the viewer's own.
func DossierPath(in fairplay.Place, of player.Handle) string {
	return "/" + string(in) + "/fair-play/of/" + string(of)
}

// doReview changes the review as the rulebook allows.
func (a *Office) doReview(by player.Viewer, d Dossier, r *review.Review, cmd ReviewCommand) error {
	now, judge := a.Now(), d.As(by.ID)
	switch cmd.Kind {
	case review.StepAnswer:
		return r.Reply(by.ID, cmd.Text, now)
	case review.StepAppeal:
		return r.Contest(by.ID, cmd.Text, now)
	}
	if !d.Keeps {
		return tournament.ErrNotAllowed
	}
	switch cmd.Kind {
	case review.StepExplain:
		return r.Explain(judge, cmd.Explains, now)
	case review.StepNote:
		return r.Note(judge, cmd.Text, now)
	case review.StepTell:
		return r.Tell(judge, cmd.Text, now)
	case review.StepPropose:
		return r.Decide(judge, cmd.Proposal, d.HasFact(), d.HasSteward(), now)
	case "confirm":
		return r.Confirm(judge, now)
	case review.StepReject:
		return r.Reject(judge, cmd.Text, now)
	case review.StepUphold, review.StepOverturn:
		return r.Hear(judge, by.MayOperate(), cmd.Kind == review.StepUphold, cmd.Text, now)
	}
	return review.ErrOrder
}
