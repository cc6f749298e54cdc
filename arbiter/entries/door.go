package entries

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/venue"
)

// ErrAlike asks newcomers whether they are somebody known here with a similar name.
var ErrAlike = refusal.Conflict("door.error.alike", "arbiter: somebody of a name like that is known here")

// OpenDoor gives a tournament a short address, or returns the one it has.
func (a *Office) OpenDoor(ctx context.Context, by player.Viewer, id tournament.ID) (d venue.Door, err error) {
	err = a.Beside(ctx, id, func(tx *store.Tx, t *tournament.Tournament) (kernel.Step, error) {
		switch {
		case !t.May(by, tournament.ActDoor):
			return kernel.Step{}, tournament.ErrNotAllowed
		case t.Status.IsOver():
			return kernel.Step{}, tournament.ErrFinished
		}
		var err error
		if d, err = tx.Door(id); !errors.Is(err, store.ErrNotFound) {
			return kernel.Step{}, err
		}
		d = venue.Door{Tournament: id, Code: venue.NewDoorCode(rand.IntN), Kiosk: newKiosk(), Opened: a.Now()}
		for _, err = tx.DoorByCode(d.Code); err == nil; _, err = tx.DoorByCode(d.Code) {
			d.Code = venue.NewDoorCode(rand.IntN)
		}
		if !errors.Is(err, store.ErrNotFound) {
			return kernel.Step{}, err
		}
		return kernel.Step{By: by, Act: tournament.ActDoor}, tx.OpenDoor(d)
	})
	return d, err
}

// NewKiosk ends the address of the kiosk and makes another one; the poster stays.
func (a *Office) NewKiosk(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.BesideBy(ctx, id, kernel.Step{By: by, Act: tournament.ActDoor}, func(tx *store.Tx) error { return tx.SetKiosk(id, newKiosk()) })
}

func newKiosk() string { return store.NewID() + store.NewID() }

// CloseDoor removes the short address; those who came in stay.
func (a *Office) CloseDoor(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.BesideBy(ctx, id, kernel.Step{By: by, Act: tournament.ActDoor}, func(tx *store.Tx) error { return tx.CloseDoor(id) })
}

// Known is somebody a name at the door may belong to.
type Known struct {
	Player  player.ID
	Name    string
	Handle  player.Handle
	Here    bool // entered already
	Claimed bool // signs in with a password of their own
	// What tells people of one name apart.
	Rating int               // 0: none
	Last   store.PlayedEvent // of this club; zero: none
}

// tellApart adds what tells people of one name apart.
func tellApart(tx *store.Tx, t *tournament.Tournament, list []Known) error {
	var ids []player.ID
	for _, k := range list {
		if k.Player != "" {
			ids = append(ids, k.Player)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	accounts, err := tx.Players(ids...)
	if err != nil {
		return err
	}
	ratings, err := tx.Ratings(ids...)
	if err != nil {
		return err
	}
	last, err := tx.LastEvents(t.ClubID, ids...)
	for i, k := range list {
		p := accounts[k.Player]
		list[i].Handle, list[i].Claimed = p.Handle, !p.Unclaimed
		list[i].Rating, list[i].Last = ratings[k.Player].Rating.Whole(), last[k.Player]
	}
	return err
}

// mostKnown is how many suggestions a typed name gets.
const mostKnown = 6

// KnownAtDoor are people of the tournament and its club with names similar to a typed
// one, equal names first.
func (a *Office) KnownAtDoor(ctx context.Context, t *tournament.Tournament, typed string) ([]Known, error) {
	return store.Get(ctx, a.Store, func(tx *store.Tx) ([]Known, error) { return knownAtDoor(tx, t, typed) })
}

func knownAtDoor(tx *store.Tx, t *tournament.Tournament, typed string) ([]Known, error) {
	var list []Known
	seen := map[player.ID]bool{}
	add := func(id player.ID, name string, here bool) {
		if (id == "" || !seen[id]) && club.AlikeNames(typed, name) {
			list = append(list, Known{Player: id, Name: name, Here: here})
			seen[id] = true
		}
	}
	for _, e := range t.Entries {
		if e.Status == tournament.Active || e.Status == tournament.Waiting {
			add(e.Player, e.Name, true)
		}
	}
	err := eachOfClub(tx, t, func(id player.ID, name string) { add(id, name, false) })
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(x, y Known) int { return rank(typed, x) - rank(typed, y) })
	list = list[:min(len(list), mostKnown)]
	return list, tellApart(tx, t, list)
}

// eachOfClub calls f with the names of those whom the club of an event knows: its guests
// of earlier events and its members.
func eachOfClub(tx *store.Tx, t *tournament.Tournament, f func(id player.ID, name string)) error {
	if t.ClubID == "" {
		return nil
	}
	guests, err := tx.ClubGuests(t.ClubID)
	if err != nil {
		return err
	}
	for _, g := range guests {
		f(g.Player, g.Name)
	}
	members, err := tx.Members(t.ClubID)
	if err != nil {
		return err
	}
	var ids []player.ID
	for _, m := range members {
		ids = append(ids, m.Player)
	}
	accounts, err := tx.Players(ids...)
	for _, id := range ids {
		f(id, string(accounts[id].Handle))
	}
	return err
}

// peopleOf returns those whom the club of an event knows, by the identity of their names.
func peopleOf(tx *store.Tx, t *tournament.Tournament) (map[string][]Known, error) {
	people := map[string][]Known{}
	err := eachOfClub(tx, t, func(id player.ID, name string) {
		key := fold.Key(name)
		if !slices.ContainsFunc(people[key], func(k Known) bool { return k.Player == id }) {
			_, here := t.EntryOf(id)
			people[key] = append(people[key], Known{Player: id, Name: name, Here: here})
		}
	})
	return people, err
}

func rank(typed string, k Known) int {
	if club.SameName(typed, k.Name) {
		return 0
	}
	return 1
}

// Newcomer is somebody who comes in at a door.
type Newcomer struct {
	Name  string
	Sure  bool   // new here, though others have similar names
	Known string // the handle of one of KnownAtDoor; empty: somebody new
	Camp  int    // see tournament.Candidate
}

// ComeIn enters somebody by name, with an account made for them if they are new. They
// enter themselves, as far as the settings let players do so. Errors: ErrAlike if they
// may be known, door.ErrNameTaken if somebody has entered under that very name.
func (a *Office) ComeIn(ctx context.Context, d venue.Door, w Newcomer) (club.Guest, error) {
	t, err := a.Tournament(ctx, d.Tournament)
	if err != nil {
		return club.Guest{}, err
	}
	if w.Known == "" {
		return a.enterNew(ctx, t, w)
	}
	g, err := a.knownGuest(ctx, t, w.Known)
	if err != nil {
		return g, err
	}
	if e, is := t.EntryOf(g.Player); is && e.Status == tournament.Active {
		return g, a.ComeBack(ctx, player.Viewer{Player: player.Player{ID: g.Player}}, t.ID)
	}
	p, err := store.Get(ctx, a.Store, func(tx *store.Tx) (player.Player, error) { return tx.Player(g.Player) })
	if err == nil {
		err = a.arrive(ctx, t, arrival{player: p, guest: g, camp: w.Camp})
	}
	return g, err
}

// knownGuest is somebody known at the door of a tournament.
func (a *Office) knownGuest(ctx context.Context, t *tournament.Tournament, handle string) (g club.Guest, err error) {
	p, err := a.Account(ctx, handle)
	if err != nil {
		return g, err
	}
	id := p.ID
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		guests, err := tx.GuestsAt(id)
		if err != nil {
			return err
		}
		_, isIn := t.EntryOf(id)
		if len(guests) > 0 {
			if g = guests[0]; isIn || t.ClubID != "" && g.Club == t.ClubID {
				return nil
			}
		}
		role := club.Role(0)
		if t.ClubID != "" {
			if role, err = tx.ClubRole(id, t.ClubID); err != nil {
				return err
			}
		}
		if role == 0 && !isIn {
			return store.ErrNotFound
		}
		g = club.Guest{Player: id, Name: string(p.Handle), Club: t.ClubID}
		return nil
	})
	return g, err
}

// enterNew makes an account for a name and enters it: both or neither, even if somebody
// gives the same name at the same moment.
func (a *Office) enterNew(ctx context.Context, t *tournament.Tournament, w Newcomer) (club.Guest, error) {
	name, err := club.ParseGuestName(w.Name)
	if err != nil {
		return club.Guest{}, err
	}
	known, err := a.KnownAtDoor(ctx, t, name)
	if err != nil {
		return club.Guest{}, err
	}
	if isIn(t, name) {
		return club.Guest{}, venue.ErrNameTaken
	}
	if len(known) > 0 && !w.Sure {
		return club.Guest{}, ErrAlike
	}
	p := a.newcomer()
	g := guestOf(p, t, name)
	return g, a.arrive(ctx, t, arrival{p, g, w.Camp, func(tx *store.Tx) error { return a.addGuest(tx, p, g) }})
}

// isIn reports whether somebody of that name has entered.
func isIn(t *tournament.Tournament, name string) bool {
	return slices.ContainsFunc(t.Entries, func(e tournament.Entry) bool {
		return (e.Status == tournament.Active || e.Status == tournament.Waiting) && club.SameName(name, e.Name)
	})
}

// newcomer is an account that is still to be stored.
func (a *Office) newcomer() player.Player {
	return player.Player{ID: player.ID(store.NewID()), Role: player.Plain, Unclaimed: true, Created: a.Now()}
}

// guestOf is a newcomer to a tournament, with the code of their slip.
func guestOf(p player.Player, t *tournament.Tournament, name string) club.Guest {
	return club.Guest{Player: p.ID, Club: t.ClubID, Tournament: string(t.ID), Name: name, Code: club.NewCode(rand.IntN), Made: p.Created}
}

// addGuest stores the account of a guest under a free handle.
func (a *Office) addGuest(tx *store.Tx, p player.Player, g club.Guest) error {
	for n := 1; p.Handle == ""; n++ {
		h := club.GuestHandle(g.Name, n)
		switch _, err := tx.PlayerByHandle(h); {
		case errors.Is(err, store.ErrNotFound):
			p.Handle = h
		case err != nil:
			return err
		}
	}
	if err := tx.AddPlayer(p, ""); err != nil {
		return err
	}
	return tx.AddClubGuest(g)
}

// arrival is somebody who comes in at the door.
type arrival struct {
	player player.Player
	guest  club.Guest
	camp   int                   // see tournament.Candidate
	also   func(*store.Tx) error // what is written besides; nil: nothing, they are known
}

// arrive lets a guest enter themselves; also is what is written with it, nil for a known
// one.
func (a *Office) arrive(ctx context.Context, t *tournament.Tournament, who arrival) error {
	p, g, also := who.player, who.guest, who.also
	c, err := store.Get(ctx, a.Store, func(tx *store.Tx) (tournament.Candidate, error) { return a.named(tx, p) })
	if err != nil {
		return err
	}
	c.Name, c.Code, c.Camp = g.Name, t.Settings.Entry.Code, who.camp
	by := player.Viewer{Player: p}
	change := kernel.Change{Step: kernel.Step{By: by, Act: tournament.ActEnter}}
	change.Judge = func(t *tournament.Tournament) error {
		if also != nil && isIn(t, g.Name) {
			return venue.ErrNameTaken
		}
		_, err := t.Register(by, c, a.Now())
		return err
	}
	if also != nil {
		change.Also = func(tx *store.Tx, _ *tournament.Tournament) error { return also(tx) }
	}
	_, err = a.Apply(ctx, t.ID, change)
	return err
}

// newcomers plans an account for every name on a list without one that would be entered;
// the change that enters them decides who is.
func (a *Office) newcomers(ctx context.Context, list []Planned) (map[player.ID]player.Player, error) {
	planned := map[player.ID]player.Player{}
	err := a.Store.Read(ctx, func(tx *store.Tx) error {
		for i, l := range list {
			if l.Line.Err != nil || l.Err != nil || l.Handle != "" || l.Candidate.Player != "" {
				continue
			}
			p := a.newcomer()
			c, err := candidate(tx, a.Now(), p)
			if err != nil {
				return err
			}
			c.Name, c.Club, c.Reason, c.Another, c.Report = l.Name, l.Club, l.Candidate.Reason, l.Candidate.Another, l.Report
			if l.Rating > 0 {
				c.Rating = l.Rating
			}
			list[i].Candidate, planned[p.ID] = c, p
		}
		return nil
	})
	return planned, err
}

// GuestByCode is the guest with a slip's code.
func (a *Office) GuestByCode(ctx context.Context, code string) (g club.Guest, p player.Player, err error) {
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		if g, err = tx.ClubGuestByCode(code); err != nil {
			return err
		}
		p, err = tx.Player(g.Player)
		return err
	})
	return g, p, err
}

// NewSlip gives a guest who has lost their slip a new code; the old one no longer lets
// anybody in.
func (a *Office) NewSlip(ctx context.Context, by player.Viewer, id tournament.ID, of tournament.EntryID) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		t, err := tx.Tournament(id)
		if err != nil {
			return err
		}
		e, err := t.Entry(of)
		switch {
		case err != nil:
			return err
		case !t.May(by, tournament.ActDoor):
			return tournament.ErrNotAllowed
		}
		of, err := guestsIn(tx, t)
		if err != nil {
			return err
		}
		if _, is := of[e.Player]; !is {
			return store.ErrNotFound
		}
		return tx.SetGuestCode(e.Player, club.NewCode(rand.IntN))
	})
}

// GuestsIn are those who play in a tournament with an unclaimed account made at its door
// or another door of its club. The codes of other guests are none of its staff's
// business.
func (a *Office) GuestsIn(ctx context.Context, t *tournament.Tournament) (map[player.ID]club.Guest, error) {
	return store.Get(ctx, a.Store, func(tx *store.Tx) (map[player.ID]club.Guest, error) { return guestsIn(tx, t) })
}

func guestsIn(tx *store.Tx, t *tournament.Tournament) (map[player.ID]club.Guest, error) {
	var ids []player.ID
	for _, e := range t.Entries {
		if e.Player != "" && !e.Bot {
			ids = append(ids, e.Player)
		}
	}
	guests, err := tx.GuestsAt(ids...)
	of := map[player.ID]club.Guest{}
	for _, g := range guests {
		isOurs := g.Tournament == string(t.ID) || t.ClubID != "" && g.Club == t.ClubID
		if g.HasSlip && isOurs {
			of[g.Player] = g
		}
	}
	return of, err
}
