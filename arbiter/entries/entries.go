package entries

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/setting"
)

// Application is a request to enter a tournament.
type Application struct {
	Handle string // empty: the viewer
	Code   string // as typed by the viewer
	Reason string // given by staff if a condition is not met
	// OverTheBoard enters them to play at a table, with results by hand.
	OverTheBoard bool
	Camp         int // see tournament.Candidate
}

// Register enters a player; store.ErrNotFound without such a player or tournament.
func (a *Office) Register(ctx context.Context, by player.Viewer, id tournament.ID, w Application) (tournament.Entry, error) {
	var c tournament.Candidate
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		p := by.Player
		if w.Handle != "" {
			if p, err = kernel.PlayerByHandle(tx, w.Handle); err != nil {
				return err
			}
		}
		if p.Guest {
			return player.ErrGuest
		}
		c, err = a.named(tx, p)
		return err
	})
	if err != nil {
		return tournament.Entry{}, err
	}
	c.Code, c.Reason, c.OverTheBoard, c.Camp = w.Code, w.Reason, w.OverTheBoard, w.Camp
	return a.register(ctx, by, id, c)
}

// KnownError refuses to enter a name as somebody new while the club knows people of it.
type KnownError struct{ Known []Known }

func (e *KnownError) Error() string { return "arbiter: the club knows somebody of that name" }
func (e *KnownError) Unwrap() error { return ErrAlike }

// RegisterGuest enters somebody without an account; their results are entered by hand. A
// *KnownError asks whether they are one of the people whom the club knows by that name;
// c.Another says they are not.
func (a *Office) RegisterGuest(ctx context.Context, by player.Viewer, id tournament.ID, c tournament.Candidate) (tournament.Entry, error) {
	c.Player, c.Standing = "", fairplay.Standing{Human: true}
	if !c.Another {
		err := a.Store.Read(ctx, func(tx *store.Tx) error {
			t, err := tx.Tournament(id)
			if err != nil || !t.May(by, tournament.ActEnter) {
				return err
			}
			people, err := peopleOf(tx, t)
			known := people[fold.Key(c.Name)]
			if err != nil || len(known) == 0 {
				return err
			}
			if err := tellApart(tx, t, known); err != nil {
				return err
			}
			return &KnownError{known}
		})
		if err != nil {
			return tournament.Entry{}, err
		}
	}
	return a.register(ctx, by, id, c)
}

func (a *Office) register(ctx context.Context, by player.Viewer, id tournament.ID,
	c tournament.Candidate) (e tournament.Entry, err error) {
	err = a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActEnter, Reason: c.Reason}, func(t *tournament.Tournament) error {
		e, err = t.Register(by, c, a.Now())
		return err
	})
	return e, err
}

// Anew returns entries as those would enter now who made them, with what staff overlooked for them:
// what was true when an entry was made may no longer be (tournament.Fits).
func (a *Office) Anew(tx *store.Tx, t *tournament.Tournament, list ...tournament.Entry) (
	map[tournament.EntryID]tournament.Candidate, error) {
	var ids []player.ID
	for _, e := range list {
		if !e.IsGuest() {
			ids = append(ids, e.Player)
		}
	}
	found, err := tx.Players(ids...)
	if err != nil {
		return nil, err
	}
	now, err := Candidates(tx, a.Now(), slices.Collect(maps.Values(found))...)
	if err != nil {
		return nil, err
	}
	byPlayer := map[player.ID]tournament.Candidate{}
	for _, c := range now {
		byPlayer[c.Player] = c
	}
	out := make(map[tournament.EntryID]tournament.Candidate, len(list))
	for _, e := range list {
		c := byPlayer[e.Player]
		switch {
		case e.IsGuest():
			c = tournament.Candidate{Name: e.Name, Rating: e.Rating, Standing: fairplay.Standing{Human: true}}
		case t.HonourNoShows:
			record, err := a.assurance.NoShowsOf(tx, e.Player)
			if err != nil {
				return nil, err
			}
			latest := e.EnteredAt // staff overlooked what was before
			if e.AcceptedAt.After(latest) {
				latest = e.AcceptedAt
			}
			c.Barred = record.Bars(a.Now()) && record.NoShows[0].At.After(latest)
		}
		out[e.ID] = e.Again(c)
	}
	return out, nil
}

// candidate is a player as they enter now.
func candidate(tx *store.Tx, now time.Time, p player.Player) (tournament.Candidate, error) {
	list, err := Candidates(tx, now, p)
	if err != nil {
		return tournament.Candidate{}, err
	}
	return list[0], nil
}

// Candidates are players as they enter now: with their ratings, or that of newcomers,
// their first clubs, and everything that conditions ask for.
func Candidates(tx *store.Tx, now time.Time, players ...player.Player) ([]tournament.Candidate, error) {
	ids := make([]player.ID, len(players))
	for i, p := range players {
		ids[i] = p.ID
	}
	settings, err := ratings.Settings(tx)
	if err != nil {
		return nil, err
	}
	ratings, err := tx.Ratings(ids...)
	if err != nil {
		return nil, err
	}
	best, err := tx.BestRatings(now.Add(-setting.RatingWindow), ids...)
	if err != nil {
		return nil, err
	}
	list := make([]tournament.Candidate, len(players))
	var first []club.ID
	for i, p := range players {
		c := tournament.Candidate{
			Player: p.ID, Name: string(p.Handle), Bot: p.Bot, Rating: settings.Start, Since: p.Created,
			Rated: ratings[p.ID].Rating.Whole(), Best: best[p.ID].Whole(), Games: ratings[p.ID].Games,
		}
		if c.Rated != 0 {
			c.Rating = c.Rated
		}
		if c.Standing, err = assurance.StandingOf(tx, p, now); err != nil {
			return nil, err
		}
		memberships, err := tx.Memberships(p.ID)
		if err != nil {
			return nil, err
		}
		for _, m := range memberships {
			c.Clubs = append(c.Clubs, m.Club)
		}
		first = append(first, c.Clubs[:min(len(c.Clubs), 1)]...)
		list[i] = c
	}
	names, err := tx.ClubNames(first...)
	for i, c := range list {
		if len(c.Clubs) > 0 {
			list[i].Club = names[c.Clubs[0]]
		}
	}
	return list, err
}

// Accept admits an entry that was asked for or waits, if it fits now as a new one would; against a
// condition if staff give a reason.
func (a *Office) Accept(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, reason string) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActAccept, Reason: reason}, func(t *tournament.Tournament) error {
		asked, err := t.Entry(e)
		if err != nil {
			return err
		}
		asked.Reason = ""
		anew, err := store.Get(ctx, a.Store, func(tx *store.Tx) (map[tournament.EntryID]tournament.Candidate, error) {
			return a.Anew(tx, t, asked)
		})
		if err != nil {
			return err
		}
		why := t.Fits(anew[e], false, a.Now())
		if t.IsTeam(asked) {
			why = nil // its players fit one by one
		}
		against := "" // a reason to overlook conditions is kept with the entry; any other is only logged
		switch {
		case errors.Is(why, setting.ErrUnmet) && strings.TrimSpace(reason) != "":
			against = reason
		case why != nil && !errors.Is(why, player.ErrBarred): // staff may overlook absences
			return cmp.Or(t.MayAccept(by, e, a.Now()), why)
		}
		return t.Accept(by, e, against, a.Now())
	})
}

// Refuse turns down an entry that was asked for or waits.
func (a *Office) Refuse(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, reason string) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActRefuse, Reason: reason}, func(t *tournament.Tournament) error {
		return t.Refuse(by, e, reason)
	})
}

// Withdraw withdraws an entry.
func (a *Office) Withdraw(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActWithdraw}, func(t *tournament.Tournament) error {
		return withdraw(t, by, e, a.mayExpel(ctx))
	})
}

// WithdrawIn is Withdraw inside of a write, of what is saved with it.
func WithdrawIn(tx *store.Tx, t *tournament.Tournament, by player.Viewer, e tournament.EntryID) error {
	return withdraw(t, by, e, func(t *tournament.Tournament, e tournament.EntryID) error { return assurance.MayExpelIn(tx, t, e) })
}

func (a *Office) mayExpel(ctx context.Context) func(*tournament.Tournament, tournament.EntryID) error {
	return func(t *tournament.Tournament, e tournament.EntryID) error { return a.assurance.MayExpel(ctx, t, e) }
}

// withdraw withdraws an entry. If that takes results from somebody under review, only the
// player may do it: ErrReviewRuns.
func withdraw(t *tournament.Tournament, by player.Viewer, e tournament.EntryID, mayExpel func(*tournament.Tournament, tournament.EntryID) error) error {
	before := t.Clone()
	if err := t.Withdraw(by, e); err != nil {
		return err
	}
	entry, err := t.Entry(e)
	if err != nil || by.Is(entry.Player) || before.SameResults(&t.Table) {
		return err
	}
	return mayExpel(t, e)
}

// WithdrawPlayer is Withdraw by handle.
func (a *Office) WithdrawPlayer(ctx context.Context, by player.Viewer, id tournament.ID, handle string) error {
	p, err := a.Account(ctx, handle)
	if err != nil {
		return err
	}
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActWithdraw}, func(t *tournament.Tournament) error {
		e, entered := t.EntryOf(p.ID)
		if !entered {
			return tournament.ErrNoEntry
		}
		return withdraw(t, by, e.ID, a.mayExpel(ctx))
	})
}

// Readmit readmits a withdrawn entry.
func (a *Office) Readmit(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActReadmit}, func(t *tournament.Tournament) error {
		return t.Readmit(by, e)
	})
}

// Return readmits the viewer, who has withdrawn.
func (a *Office) Return(ctx context.Context, by player.Viewer, id tournament.ID) error {
	c, err := store.Get(ctx, a.Store, func(tx *store.Tx) (tournament.Candidate, error) { return a.named(tx, by.Player) })
	if err != nil {
		return err
	}
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActReadmit}, func(t *tournament.Tournament) error {
		return t.Return(by, c, a.Now())
	})
}

// FixBoard fixes the board that an entry sits at; 0: any.
func (a *Office) FixBoard(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, board int) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActFixBoard}, func(t *tournament.Tournament) error {
		return t.FixBoard(by, e, board)
	})
}

// CorrectEntry corrects the name, club or rating of an entry. The name of a guest's account
// follows, so that the door knows them by it; that of other accounts is their own. A rating
// that changes after the start takes a reason; what changes nothing is no deed.
func (a *Office) CorrectEntry(ctx context.Context, d kernel.Step, id tournament.ID, e tournament.EntryID,
	x tournament.Particulars) error {
	c := kernel.Change{Step: d.Doing(tournament.ActParticulars)}
	var was, is tournament.Entry
	c.Judge = func(t *tournament.Tournament) (err error) {
		if was, err = t.Entry(e); err != nil {
			return err
		}
		if err = t.CorrectEntry(d.By, e, x); err != nil {
			return err
		}
		switch is, err = t.Entry(e); {
		case err != nil:
			return err
		case is.Name == was.Name && is.Club == was.Club && is.Rating == was.Rating && is.OverTheBoard == was.OverTheBoard:
			return kernel.ErrSame
		case is.Rating != was.Rating && t.Status >= tournament.Running && d.Reason == "":
			return tournament.ErrReason
		}
		return nil
	}
	c.Also = func(tx *store.Tx, t *tournament.Tournament) error {
		if is.IsGuest() || is.Name == was.Name {
			return nil
		}
		guests, err := tx.GuestsAt(is.Player)
		if err != nil {
			return err
		}
		p, err := tx.Player(is.Player)
		if err != nil {
			return err
		}
		if len(guests) == 0 || !p.Unclaimed {
			return tournament.ErrAccountName
		}
		return tx.RenameGuest(is.Player, is.Name)
	}
	_, err := a.Apply(ctx, id, c)
	return err
}

// PlayHere has a player who was entered to play over the board play on the site.
func (a *Office) PlayHere(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActPlayHere}, func(t *tournament.Tournament) error { return t.PlayHere(by) })
}

// ComeBack is for somebody who has entered and comes in again at the door: whoever does so
// plays here.
func (a *Office) ComeBack(ctx context.Context, by player.Viewer, id tournament.ID) error {
	t, err := a.Tournament(ctx, id)
	if err != nil {
		return err
	}
	if e, entered := t.EntryOf(by.ID); !entered || !e.OverTheBoard {
		return nil
	}
	return a.PlayHere(ctx, by, id)
}

// Bye is a round that an entry asks not to play, and what it is worth.
type Bye struct {
	Entry tournament.EntryID // 0: the asker's own
	Round int
	Kind  tournament.Outcome
}

// AskBye notes that an entry will miss a coming round; NoRecord: it will play.
func (a *Office) AskBye(ctx context.Context, by player.Viewer, id tournament.ID, x Bye) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActBye}, func(t *tournament.Tournament) error {
		if x.Entry == 0 {
			own, entered := t.EntryOf(by.ID)
			if !entered {
				return tournament.ErrNoEntry
			}
			x.Entry = own.ID
		}
		return t.AskBye(by, x.Entry, x.Round, x.Kind)
	})
}

// Admit enters a player who does not meet every demand: an arbiter's decision, logged
// with its reason, which lowers what their matches achieve.
func (a *Office) Admit(ctx context.Context, d kernel.Step, id tournament.ID, handle string,
	without []fairplay.Demand) (e tournament.Entry, err error) {
	var c tournament.Candidate
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		p, err := kernel.PlayerByHandle(tx, handle)
		if err != nil {
			return err
		}
		c, err = candidate(tx, a.Now(), p)
		return err
	})
	if err != nil {
		return e, err
	}
	c.Standing.Waived, c.Reason = without, d.Reason
	err = a.Amend(ctx, id, d.Doing(tournament.ActWaive), func(t *tournament.Tournament) error {
		e, err = t.Register(d.By, c, a.Now())
		return err
	})
	return e, err
}
