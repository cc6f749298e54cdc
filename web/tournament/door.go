package tournament

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/venue"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s doors) doorRoutes() []page.Route {
	return []page.Route{
		page.Get("/t/", s.typedDoor, page.Anyone),
		page.Get("/t/:code", s.door, page.Anyone),
		page.Post("/t/:code", s.comeIn, page.Anyone),
		page.Get("/kiosk/:token", s.door, page.Anyone),
		page.Post("/kiosk/:token", s.comeIn, page.Anyone),
		page.Get("/k/:secret", s.slip, page.Anyone),
		page.Post("/k", s.useSlip, page.Anyone),
		page.Post("/k/:secret", s.useSlip, page.Anyone),
		page.Get("/tournaments/:id/door", s.doorDesk, page.SignedIn),
		page.Post("/tournaments/:id/door", s.openDoor, page.SignedIn),
		page.Post("/tournaments/:id/door/close", s.closeDoor, page.SignedIn),
		page.Post("/tournaments/:id/door/kiosk", s.newKiosk, page.SignedIn),
		page.Get("/tournaments/:id/poster", s.poster, page.SignedIn),
		page.Get("/tournaments/:id/slips", s.slips, page.SignedIn),
		page.Post("/tournaments/:id/entries/:entry/slip", s.newSlip, page.SignedIn),
	}
}

var errSlip = refusal.NotFound("door.error.slip", "web: no such slip")

// A whole hall comes in at a door from one address within minutes, with lookups while names are typed; codes of
// slips are typed by hand.
var (
	limitDoor = page.LimitClass{Name: "door", Rate: rate.Every(2 * time.Second), Burst: 120}
	limitName = page.LimitClass{Name: "door names", Rate: rate.Every(2 * time.Second), Burst: 240}
	limitSlip = page.LimitClass{Name: "slip", Rate: rate.Every(6 * time.Second), Burst: 40}
)

// The kiosk shows the code of an account to the browser that has just made it, until it takes the next name. Whoever
// comes back to an account is greeted without: staff have their slip.
const (
	slipCookie = "slip"
	slipShown  = time.Minute
)

func doorURL(code string) string { return "/t/" + strings.ToUpper(code) }
func slipURL(code string) string { return "/k/" + code }

// bare returns an address as it is written where people type it.
func bare(address string) string {
	return strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://")
}

func kioskURL(d venue.Door) string { return "/kiosk/" + d.Kiosk }

// doorAsked returns the door of the address with its tournament, and whether it is the kiosk that many share.
func (s doors) doorAsked(c echo.Context) (d venue.Door, t *tournament.Tournament, kiosk bool, err error) {
	kiosk = c.Param("token") != ""
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		var err error
		if kiosk {
			d, err = tx.DoorByKiosk(c.Param("token"))
		} else {
			d, err = tx.DoorByCode(c.Param("code"))
		}
		if errors.Is(err, store.ErrNotFound) {
			return venue.ErrNoDoor
		}
		if err == nil {
			t, err = tx.Tournament(d.Tournament)
		}
		return err
	})
	if err == nil {
		s.InZone(c, t.Zone)
	}
	return d, t, kiosk, err
}

// isLookUp reports whether the request looks up a name that is still being typed.
func isLookUp(c echo.Context) bool { return c.Request().Header.Get("Accept") == words.FragmentType }

// countDoor counts requests at a door against its limit. Showing the kiosk is unlimited.
func (s doors) countDoor(c echo.Context) error {
	kiosk := c.Param("token") != ""
	switch {
	case !kiosk && isLookUp(c):
		return s.Count(c, limitName, "ip "+page.Network(c))
	case !kiosk:
		return s.Count(c, limitDoor, "ip "+page.Network(c))
	case c.Request().Method == http.MethodPost:
		return s.Count(c, limitDoor, "kiosk "+page.Network(c))
	}
	return nil
}

func (s doors) door(c echo.Context) error {
	if err := s.countDoor(c); err != nil {
		return err
	}
	return s.showDoor(c, "", nil)
}

// typedDoor leads to the door with a typed code.
func (s doors) typedDoor(c echo.Context) error {
	if code := venue.DoorKey(words.Shorten(c.QueryParam("code"), 20)); code != "" {
		return s.Redirect(c, doorURL(url.PathEscape(code)), "")
	}
	return s.missDoor(c, http.StatusOK, "")
}

// missDoor asks to type a code again that belongs to no door.
func (s doors) missDoor(c echo.Context, status int, problem string) error {
	p := s.Printer(c)
	sh := s.Shell(c, p.T("door.code"))
	sh.Feed, sh.NoIndex, sh.Styles = "", true, []string{"event.css", "door.css"}
	return s.Render(c, status, tournamentview.DoorMissPage(sh, strings.ToUpper(words.Shorten(c.Param("code"), 20)), problem))
}

// showDoor shows the page on which people come in; refused is why name was not accepted.
func (s doors) showDoor(c echo.Context, name string, refused error) error {
	d, t, kiosk, err := s.doorAsked(c)
	if errors.Is(err, venue.ErrNoDoor) && !kiosk && !isLookUp(c) {
		status, why := page.RefusalStatus(s.Printer(c), err)
		return s.missDoor(c, status, why)
	}
	if err != nil {
		return err
	}
	p, v := s.Printer(c), page.Viewer(c)
	view := tournamentview.DoorView{
		Name: p.Event(t.Name), Club: t.Club, Action: doorURL(d.Code), Typed: name, IsKiosk: kiosk, Page: words.TournamentURL(t.ID),
		IsOver:   t.Status.IsOver(),
		Greeting: c.QueryParam("in"),
		Camps:    words.CampChoices(p, t.Settings, words.AtoiOr(c.FormValue("camp"), 0)),
	}
	if kiosk {
		view.Action, view.Code = kioskURL(d), s.Address(c, doorURL(d.Code))
	}
	if at, known := t.RoundAt(1); known {
		view.When = p.On(at)
	}
	if e, entered := t.EntryOf(v.ID); entered && !kiosk && e.Status != tournament.Withdrawn {
		return s.Redirect(c, words.TournamentURL(t.ID), "")
	}
	if v.HasAccount() && !kiosk {
		view.Me = string(v.Handle)
	}
	for _, e := range t.Entries {
		if e.Status == tournament.Active {
			view.Here = append(view.Here, words.EntryName(p, e))
		}
	}
	slices.Reverse(view.Here)
	view.Count = p.N("player.count", len(view.Here))
	typed := name
	if typed == "" {
		typed = words.Shorten(c.QueryParam("q"), 60)
	}
	if view.Known, err = s.doorNames(c, t, typed, kiosk); err != nil {
		return err
	}
	status, why := page.RefusalStatus(p, refused)
	view.Problem, view.IsAlike = why, errors.Is(refused, entries.ErrAlike)
	if isLookUp(c) {
		return s.Render(c, http.StatusOK, tournamentview.DoorNames(view))
	}
	if kiosk && view.Greeting != "" {
		if err := s.greet(c, t, &view); err != nil {
			return err
		}
	} else if kiosk && page.Cookie(c, slipCookie) != "" {
		s.SetCookie(c, slipCookie, "", -time.Second, true)
	}
	return s.renderDoor(c, status, t, view)
}

func (s doors) renderDoor(c echo.Context, status int, t *tournament.Tournament, view tournamentview.DoorView) error {
	sh := s.Shell(c, s.Printer(c).Event(t.Name))
	sh.Feed, sh.NoIndex, sh.Compact = "", true, view.IsKiosk
	if view.IsKiosk {
		sh.Viewer = templates.ShellViewer{} // many use it, so it does not show who opened it
	} else {
		p, drawn := s.Printer(c), "/picture.png"
		if t.MaySee(player.Viewer{}) {
			drawn = words.TournamentURL(t.ID) + drawn
		}
		sh.Card = s.LinkCard(c, p, templates.Card{Title: p.Event(t.Name), Text: strings.Join(words.TournamentLines(p, t), " · "),
			URL: c.Request().URL.Path, Picture: drawn})
	}
	sh.Styles, sh.Scripts = []string{"event.css", "door.css"}, []string{"door.js"}
	c.Response().Header().Set("Referrer-Policy", "no-referrer")
	return s.Render(c, status, tournamentview.DoorPage(sh, view))
}

// doorNames lists the people a typed name may mean. Until the form is sent, devices other than the kiosk get
// accounts only for a full name, since beginnings of names would reveal the members of the club.
func (s doors) doorNames(c echo.Context, t *tournament.Tournament, typed string, kiosk bool) (list []tournamentview.DoorName, err error) {
	if len([]rune(typed)) < 3 {
		return nil, nil
	}
	known, err := s.Arbiter.Entries.KnownAtDoor(c.Request().Context(), t, typed)
	p := s.Printer(c)
	for _, k := range known {
		if !kiosk && k.Claimed && !k.Here && c.Request().Method == http.MethodGet &&
			!club.NearNames(typed, k.Name) {
			continue
		}
		n := tournamentview.DoorName{Name: k.Name}
		switch {
		case k.Here:
			n.Note = p.T("door.known.here")
		case kiosk:
			n.Handle, n.Note = string(k.Handle), p.T("door.known.back")
			if k.Last.Name != "" {
				n.Note += " · " + words.KnownText(p, k)
			}
		case k.Claimed:
			n.SignIn, n.Note = "/sign-in?return="+c.Request().URL.Path, p.T("door.known.account", "Handle", k.Handle)
		default:
			n.Note = p.T("door.known.slip")
		}
		list = append(list, n)
	}
	return list, err
}

// comeIn enters the person who types a name, or the signed-in account. A personal device is signed in; the kiosk
// shows a code for one.
func (s doors) comeIn(c echo.Context) error {
	if err := s.countDoor(c); err != nil {
		return err
	}
	d, t, kiosk, err := s.doorAsked(c)
	if err != nil {
		return err
	}
	ctx, v := c.Request().Context(), page.Viewer(c)
	name := strings.TrimSpace(words.Shorten(c.FormValue("name"), 300))
	if v.HasAccount() && !kiosk {
		_, err := s.Arbiter.Entries.Register(ctx, v, t.ID, entries.Application{Code: t.Settings.Entry.Code,
			Camp: words.AtoiOr(c.FormValue("camp"), 0)})
		if errors.Is(err, tournament.ErrEntered) {
			err = s.Arbiter.Entries.ComeBack(ctx, v, t.ID)
		}
		again := func(c echo.Context, refused error) error { return s.showDoor(c, "", refused) }
		return s.Answer(c, err, again, words.TournamentURL(t.ID), "flash.tournament-entered")
	}
	in := entries.Newcomer{Name: name, Sure: c.FormValue("sure") != "", Camp: words.AtoiOr(c.FormValue("camp"), 0)}
	if kiosk {
		in.Known = words.Shorten(c.FormValue("known"), 40)
	}
	g, err := s.Arbiter.Entries.ComeIn(ctx, d, in)
	if page.IsRefusal(err) {
		return s.showDoor(c, name, err)
	}
	if err != nil {
		return err
	}
	if kiosk {
		if t, err = s.Arbiter.Tournament(ctx, t.ID); err != nil {
			return err
		}
		receipt, life := "", -time.Second
		if in.Known == "" {
			receipt, life = g.Code, slipShown
		}
		s.SetCookie(c, slipCookie, receipt, life, true)
		e, _ := t.EntryOf(g.Player)
		return s.Redirect(c, words.WithQuery(kioskURL(d), "in", words.Itoa(int(e.ID))), "")
	}
	if err := s.signInGuest(c, g); err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(t.ID), "flash.door-in")
}

func (s doors) signInGuest(c echo.Context, g club.Guest) error {
	_, p, err := s.Arbiter.Entries.GuestByCode(c.Request().Context(), g.Code)
	if err != nil {
		return err
	}
	return s.StartSession(c, p)
}

// greet shows who has just come in at the kiosk, and, to the browser that made their account, the code for their device.
func (s doors) greet(c echo.Context, t *tournament.Tournament, view *tournamentview.DoorView) error {
	id, _ := strconv.Atoi(view.Greeting)
	at := slices.IndexFunc(t.Entries, func(e tournament.Entry) bool { return int(e.ID) == id })
	view.Greeting = ""
	if at < 0 {
		return nil
	}
	e, p := t.Entries[at], s.Printer(c)
	view.Greeting = p.T("door.greeting", "Name", e.Name)
	view.Number = p.T("door.greeting.status." + e.State())
	if t.IsBattle() {
		view.Number = p.T("teams.you-play-for", "Team", t.Battle.NameOf(e.Camp)) + " " + view.Number
	}
	receipt := page.Cookie(c, slipCookie)
	if receipt == "" {
		return nil
	}
	g, _, err := s.Arbiter.Entries.GuestByCode(c.Request().Context(), receipt)
	if errors.Is(err, store.ErrNotFound) || err == nil && g.Player != e.Player {
		return nil
	}
	if err != nil {
		return err
	}
	view.Slip = &tournamentview.Slip{Name: e.Name, Code: g.Code}
	view.Slip.QR, err = words.QrOf(s.Address(c, slipURL(g.Code)), p.T("door.slip.qr", "Name", e.Name))
	return err
}

// guestOfSlip returns the guest with a code. Tries are limited.
func (s doors) guestOfSlip(c echo.Context, code string) (club.Guest, player.Player, error) {
	if err := s.Count(c, limitSlip, "slip "+page.Network(c)); err != nil {
		return club.Guest{}, player.Player{}, err
	}
	g, p, err := s.Arbiter.Entries.GuestByCode(c.Request().Context(), words.Shorten(code, 40))
	if errors.Is(err, store.ErrNotFound) {
		err = errSlip
	}
	return g, p, err
}

// slip asks before it signs a device in, so that programs that open links do not use the code.
func (s doors) slip(c echo.Context) error {
	g, _, err := s.guestOfSlip(c, c.Param("secret"))
	if err != nil {
		return err
	}
	sh := s.Shell(c, g.Name)
	sh.Feed, sh.NoIndex, sh.Styles = "", true, []string{"event.css", "door.css"}
	c.Response().Header().Set("Referrer-Policy", "no-referrer")
	return s.Render(c, http.StatusOK, tournamentview.SlipPage(sh, tournamentview.Slip{Name: g.Name, Code: g.Code, Action: slipURL(g.Code)}))
}

func (s doors) useSlip(c echo.Context) error {
	code := c.Param("secret")
	if code == "" {
		code = c.FormValue("code")
	}
	g, p, err := s.guestOfSlip(c, code)
	if err != nil {
		return err
	}
	if err := s.StartSession(c, p); err != nil {
		return err
	}
	if from := c.FormValue("door"); from != "" {
		return s.Redirect(c, page.LocalPath(from), "")
	}
	return s.Redirect(c, words.TournamentURL(tournament.ID(g.Tournament)), "flash.door-in")
}

// doorDesk shows staff the door: its code, and the guests who came in.
func (s doors) doorDesk(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActDoor)
	if err != nil {
		return err
	}
	p := s.Printer(c)
	view := tournamentview.DoorDeskView{Head: s.TournamentHead(c, t, "/door"), URL: words.TournamentURL(t.ID),
		MayOpen: t.Settings.HasDoor() && !t.Status.IsOver()}
	if t.Status == tournament.Draft {
		view.Draft = p.T("door.draft")
	}
	d, err := s.doorOf(c, t.ID)
	if err != nil {
		return err
	}
	if d != nil {
		view.IsOpen, view.Code, view.Link = true, strings.ToUpper(d.Code), s.Address(c, doorURL(d.Code))
		if d.Kiosk != "" {
			view.Kiosk = kioskURL(*d)
		}
		if view.QR, err = words.QrOf(view.Link, p.T("door.qr", "Link", view.Link)); err != nil {
			return err
		}
	}
	guests, err := s.Arbiter.Entries.GuestsIn(c.Request().Context(), t)
	if err != nil {
		return err
	}
	for _, e := range t.Entries {
		if _, is := guests[e.Player]; is && e.Status == tournament.Active {
			view.Guests = append(view.Guests, templates.Link{Text: e.Name, URL: words.TournamentURL(t.ID) + "/slips#slip-" + words.Itoa(int(e.ID))})
		}
	}
	view.Count = p.N("player.count", len(t.Attendance().Present)+len(t.Attendance().Absent))
	sh := s.DeskShell(c, t, p.T("door.title"))
	sh.Styles = append(sh.Styles, "event.css", "door.css")
	return s.Render(c, http.StatusOK, tournamentview.DoorDeskPage(sh, view))
}

// doorOf returns a tournament's door; nil while it is closed.
func (s doors) doorOf(c echo.Context, id tournament.ID) (*venue.Door, error) {
	d, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (venue.Door, error) { return tx.Door(id) })
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return &d, err
}

func (s doors) openDoor(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if _, err := s.Arbiter.Entries.OpenDoor(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	return s.Redirect(c, words.DoorDeskURL(id), "")
}

func (s doors) closeDoor(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if err := s.Arbiter.Entries.CloseDoor(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	return s.Redirect(c, words.DoorDeskURL(id), "flash.saved")
}

func (s doors) newKiosk(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if err := s.Arbiter.Entries.NewKiosk(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	return s.Redirect(c, words.DoorDeskURL(id), "flash.saved")
}

// poster shows the sheet for the wall.
func (s doors) poster(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActDoor)
	if err != nil {
		return err
	}
	d, err := s.doorOf(c, t.ID)
	if err == nil && d == nil {
		err = venue.ErrNoDoor
	}
	if err != nil {
		return err
	}
	p, link := s.Printer(c), s.Address(c, doorURL(d.Code))
	view := tournamentview.PosterView{Name: p.Event(t.Name), Club: t.Club, Host: bare(s.Address(c, "/t/")), Code: strings.ToUpper(d.Code),
		Back: words.DoorDeskURL(t.ID)}
	if view.QR, err = words.QrOf(link, p.T("door.qr", "Link", link)); err != nil {
		return err
	}
	view.When = words.FormatText(p, t)
	if at, known := t.RoundAt(1); known {
		view.When = p.Moment(at) + " · " + view.When
	}
	sh := s.Shell(c, p.T("door.poster")+" · "+p.Event(t.Name))
	sh.Feed, sh.Styles = "", []string{"board.css", "door.css"}
	return s.Render(c, http.StatusOK, tournamentview.PosterPage(sh, view))
}

// slips shows the codes of the guests, to print and cut.
func (s doors) slips(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActDoor)
	if err != nil {
		return err
	}
	guests, err := s.Arbiter.Entries.GuestsIn(c.Request().Context(), t)
	if err != nil {
		return err
	}
	p := s.Printer(c)
	view := tournamentview.SlipsView{Name: p.Event(t.Name), Back: words.DoorDeskURL(t.ID), At: bare(s.Address(c, slipURL("")))}
	for _, e := range t.Entries {
		g, is := guests[e.Player]
		if !is || e.Status != tournament.Active {
			continue
		}
		slip := tournamentview.Slip{ID: words.Itoa(int(e.ID)), Name: e.Name, Code: g.Code, Action: words.EntryURL(t.ID, e.ID) + "/slip"}
		if g.Code != "" {
			if slip.QR, err = words.QrOf(s.Address(c, slipURL(g.Code)), p.T("door.slip.qr", "Name", e.Name)); err != nil {
				return err
			}
		}
		view.Slips = append(view.Slips, slip)
	}
	sh := s.Shell(c, p.T("door.slips")+" · "+p.Event(t.Name))
	sh.Feed, sh.Styles = "", []string{"door.css"}
	return s.Render(c, http.StatusOK, tournamentview.SlipsPage(sh, view))
}

func (s doors) newSlip(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if err := s.Arbiter.Entries.NewSlip(c.Request().Context(), page.Viewer(c), id, words.EntryIDOf(c.Param("entry"))); err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id)+"/slips#slip-"+c.Param("entry"), "flash.saved")
}
