package tournament

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	boardview "chpok.org/chpok/templates/board"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/venue"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func (s screens) screenRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/screens", s.screens, page.SignedIn),
		page.Post("/tournaments/:id/screens", s.saveScreen, page.SignedIn),
		page.Post("/tournaments/:id/screens/:screen", s.saveScreen, page.SignedIn),
		page.Post("/tournaments/:id/screens/:screen/drop", s.dropScreen, page.SignedIn),
		page.Get("/screens/:token", s.screen, page.Anyone),
		page.Get("/screens/:token/feed", s.screenFeed, page.Anyone),
	}
}

// screens shows staff the screens of a tournament.
func (s screens) screens(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActScreen)
	if err != nil {
		return err
	}
	return s.showScreens(c, t, venue.Screen{}, nil)
}

func (s screens) showScreens(c echo.Context, t *tournament.Tournament, typed venue.Screen, problems []tournament.Problem) error {
	list, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) ([]venue.Screen, error) { return tx.Screens(t.ID) })
	if err != nil {
		return err
	}
	p, at := s.Printer(c), words.TournamentURL(t.ID)+"/screens"
	view := tournamentview.ScreensView{Head: s.TournamentHead(c, t, "/screens")}
	for _, x := range list {
		form := x
		var faults []tournament.Problem
		if typed.ID == x.ID {
			form, faults = typed, problems
		}
		f := s.screenForm(p, form, faults)
		f.Action, f.Drop, f.Title = at+"/"+x.ID, at+"/"+x.ID+"/drop", x.Name
		if x.Token != "" {
			f.Link = s.Address(c, "/screens/"+x.Token)
		}
		view.Screens = append(view.Screens, f)
	}
	if len(list) < venue.MaxScreens {
		fresh := venue.Screen{
			Shows: venue.Pairings | venue.Names | venue.Standings | venue.Countdown | venue.Boards, Seconds: 15,
			Lang: string(p.Lang), Zone: p.Zone.String(),
		}
		if len(list) == 0 {
			fresh.Name = p.T("screen.hall")
		}
		var faults []tournament.Problem
		if len(problems) > 0 && typed.ID == "" {
			fresh, faults = typed, problems
		}
		f := s.screenForm(p, fresh, faults)
		f.Action = at
		view.New = &f
	}
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	sh := s.TournamentShell(c, t, p.T("screen.title"), "")
	sh.Feed = ""
	return s.Render(c, status, tournamentview.ScreensPage(sh, view))
}

func (s screens) screenForm(p lang.Printer, x venue.Screen, problems []tournament.Problem) tournamentview.ScreenForm {
	f := tournamentview.ScreenForm{
		ID:      x.ID,
		Name:    templates.Field{Name: "name" + x.ID, Label: p.T("screen.name"), Value: x.Name, Max: tournament.MaxNameLength, Required: true},
		Seconds: templates.Field{Name: "seconds" + x.ID, Label: p.T("screen.seconds"), Value: words.Itoa(x.Seconds), Type: "number"},
		Message: templates.Field{Name: "message" + x.ID, Label: p.T("screen.message"), Value: x.Message, Max: venue.MaxMessage},
		Zone:    templates.Field{Name: "zone" + x.ID, Label: p.T("screen.zone"), Value: x.Zone, Max: 40, IsZone: true},
	}
	for _, picture := range venue.Pictures {
		f.Shows = append(f.Shows, templates.Choice{Value: picture.String(), Text: p.T("screen.shows." + picture.String()),
			Chosen: x.Shows&picture != 0})
	}
	for _, l := range lang.All {
		f.Langs = append(f.Langs, templates.Choice{Value: string(l), Text: l.Name(), Chosen: string(l) == x.Lang})
	}
	for _, fault := range problems {
		text := p.T("screen.error." + fault.Field)
		switch fault.Field {
		case "name":
			f.Name.Error = text
		case "seconds":
			f.Seconds.Error = text
		case "message":
			f.Message.Error = text
		case "zone":
			f.Zone.Error = text
		default:
			f.ShowsError = text
		}
	}
	return f
}

func (s screens) saveScreen(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActScreen)
	if err != nil {
		return err
	}
	id := c.Param("screen")
	language, known := lang.Parse(c.FormValue("lang" + id))
	if !known {
		language = s.Printer(c).Lang
	}
	x := venue.Screen{
		ID: id, Tournament: t.ID, Name: strings.TrimSpace(c.FormValue("name" + id)), Message: strings.TrimSpace(c.FormValue("message" + id)),
		Lang: string(language), Zone: strings.TrimSpace(c.FormValue("zone" + id)),
	}
	x.Seconds, _ = strconv.Atoi(c.FormValue("seconds" + id)) // an invalid number is 0, which is refused
	form, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	x.Shows = picturesOf(form["shows"+id])
	_, err = s.Arbiter.Events.SaveScreen(c.Request().Context(), page.Viewer(c), x)
	if problems := words.ProblemsOf(err); problems != nil {
		return s.showScreens(c, t, x, problems)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(t.ID)+"/screens", "flash.saved")
}

// picturesOf returns the set of pictures with these names.
func picturesOf(names []string) (set venue.Picture) {
	for _, picture := range venue.Pictures {
		if slices.Contains(names, picture.String()) {
			set |= picture
		}
	}
	return set
}

func (s screens) dropScreen(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if err := s.Arbiter.Events.DropScreen(c.Request().Context(), page.Viewer(c), id, c.Param("screen")); err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id)+"/screens", "flash.saved")
}

// shown returns a screen and its tournament.
func (s screens) shown(ctx context.Context, token string) (x venue.Screen, t *tournament.Tournament, err error) {
	err = s.Store.Read(ctx, func(tx *store.Tx) error {
		if x, err = tx.Screen(token); err != nil {
			return err
		}
		t, err = tx.Tournament(x.Tournament)
		return err
	})
	return x, t, err
}

// screen shows the page for a projector, in the language and zone of the screen, not the viewer's.
func (s screens) screen(c echo.Context) error {
	x, t, err := s.shown(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	view, err := s.screenView(c.Request().Context(), x, t, s.Address(c, ""))
	if err != nil {
		return err
	}
	sh := templates.Shell{
		Title: s.screenPrinter(x, t).Event(t.Name), Lang: x.Lang, Static: s.Static, Zone: x.Zone,
		Styles:  []string{"tokens.css", "board.css", "live.css", "bracket.css", "screen.css"},
		Scripts: []string{"screen.js", "live.js"},
		Feed:    "/screens/" + x.Token + "/feed?last=" + url.QueryEscape(screenMark(t, s.Address(c, ""))), KeepFeed: true,
	}
	c.Response().Header().Set("X-Robots-Tag", "noindex")
	c.Response().Header().Set("Referrer-Policy", "no-referrer")
	return page.RenderAs(c, http.StatusOK, s.screenPrinter(x, t), tournamentview.ScreenPage(sh, view))
}

// screenPrinter writes the event's times, and beside them those of the room where they differ.
func (s screens) screenPrinter(x venue.Screen, t *tournament.Tournament) lang.Printer {
	l, _ := lang.Parse(x.Lang) // checked when it was saved
	return lang.Printer{Lang: l, Now: s.Now, Reader: s.Zone(x.Zone)}.At(s.Zone(t.Zone))
}

// screenMark identifies the state that a screen shows.
func screenMark(t *tournament.Tournament, base string) string {
	return strconv.FormatInt(t.Version, 10) + " " + base
}

// screenFeed updates a screen, which goes dark when its link ends.
func (s screens) screenFeed(c echo.Context) error {
	token := c.Param("token")
	opened, of, err := s.shown(c.Request().Context(), token)
	if err != nil {
		return err
	}
	base := s.Address(c, "")
	sheet := page.LivePage{Topics: []string{live.TournamentTopic(string(opened.Tournament)), live.AnyMatch}, Every: page.TVPace,
		Pause: feedPause}
	sheet.Look = func(ctx context.Context, _ []live.Nudge) (page.Snapshot, error) {
		x, t, err := s.shown(ctx, token)
		if errors.Is(err, store.ErrNotFound) {
			return page.Snapshot{ETag: "dark", Fragments: []page.Fragment{{ID: "screen",
				What: tournamentview.ScreenFragment(tournamentview.ScreenView{})}}}, nil
		}
		if err != nil {
			return page.Snapshot{}, err
		}
		if s.Config.Room != nil && s.Config.Room.State().Base != "" { // it may have moved
			base = s.Config.Room.State().Base
		}
		view, err := s.screenView(ctx, x, t, base)
		version := screenMark(t, base)
		g := page.Snapshot{ETag: version, Fragments: []page.Fragment{{ID: "screen", What: tournamentview.ScreenFragment(view), ETag: version}}}
		for _, picture := range view.Pictures {
			for _, b := range picture.Boards {
				g.Fragments = append(g.Fragments, page.Fragment{ID: b.ID, What: boardview.LiveCard(b), ETag: scene.LiveMark(b), Apart: true})
			}
		}
		return g, err
	}
	return s.Share(c, "screen "+token+" "+base, s.screenPrinter(opened, of), sheet)
}

// screenView renders what a screen shows now; base is the address of the site for people in the room.
func (s screens) screenView(ctx context.Context, x venue.Screen, t *tournament.Tournament,
	base string) (tournamentview.ScreenView, error) {
	p := s.screenPrinter(x, t)
	view := tournamentview.ScreenView{Name: p.Event(t.Name), Seconds: words.Itoa(x.Seconds), Zone: x.Zone, Rounds: roundsLine(t)}
	entrance, err := s.entrance(ctx, p, t, base)
	if err != nil {
		return view, err
	}
	n := len(t.Rounds)
	if x.Shows&venue.Message != 0 && x.Message != "" {
		view.Pictures = append(view.Pictures, tournamentview.ScreenPicture{ID: "message", Title: p.Event(t.Name),
			Words: page.Paragraphs(x.Message)})
	}
	if x.Shows&venue.Countdown != 0 {
		pic, err := s.countdown(ctx, p, t, entrance)
		if err != nil {
			return view, err
		}
		view.Pictures = append(view.Pictures, pic)
	}
	if x.Shows&venue.Boards != 0 && n > 0 {
		pictures, err := s.boardPictures(ctx, p, t)
		if err != nil {
			return view, err
		}
		view.Pictures = append(view.Pictures, pictures...)
	}
	inRounds := n > 0 && t.Format.InRounds() // whose pages call players to their boards
	if x.Shows&venue.Pairings != 0 && inRounds {
		view.Pictures = append(view.Pictures, pairingsPicture(p, t))
	}
	isAtBoards := func(r tournament.Round) bool { return len(r.Pairings) > 0 } // not while all line-ups are awaited
	if x.Shows&venue.Names != 0 && inRounds && slices.ContainsFunc(t.Rounds.Open(), isAtBoards) {
		view.Pictures = append(view.Pictures, namesPicture(p, t))
	}
	if x.Shows&venue.Standings != 0 && t.Format.HasBracket() && t.Status >= tournament.Running {
		view.Pictures = append(view.Pictures, bracketPictures(p, t)...)
	} else if x.Shows&venue.Standings != 0 && hasScores(t) {
		table, err := format.Standings(t, -1)
		if err != nil {
			return view, err
		}
		if t.IsBattle() {
			view.Pictures = append(view.Pictures, battlePicture(p, t))
		}
		view.Pictures = append(view.Pictures, standingsPicture(p, t, table))
	}
	if len(view.Pictures) == 0 { // what it shows is not there yet: the screen is on all the same
		pic, err := s.countdown(ctx, p, t, entrance)
		if err != nil {
			return view, err
		}
		view.Pictures = append(view.Pictures, pic)
	}
	if t.Status == tournament.Running {
		view.Door = entrance
	}
	return view, nil
}

// countdown renders what happens next: before the start the way in, then when the round ends or the next one
// starts.
func (s screens) countdown(ctx context.Context, p lang.Printer, t *tournament.Tournament,
	entrance *tournamentview.ScreenDoor) (tournamentview.ScreenPicture, error) {
	pic := countdownPicture(p, t)
	if t.Status < tournament.Running {
		pic.Door = entrance
		if entrance != nil {
			pic.Say, pic.Words = "", []string{p.T("door.walk-in")}
		}
		attendance := t.Attendance()
		if n := len(attendance.Present) + len(attendance.Absent); n > 0 {
			pic.Words = append(pic.Words, words.SidesText(p, t.Settings, n))
		}
		return pic, nil
	}
	if t.Status != tournament.Running || len(t.Rounds) == 0 || t.RoundIsOver() {
		return pic, nil
	}
	forecast, err := s.Arbiter.Events.Forecast(ctx, t)
	if end := forecast.RoundEnd; err == nil && !end.Latest.IsZero() {
		if pic.Until == "" { // one large figure: nobody could tell two apart
			pic.Say, pic.Clock = "", "~"+lang.Printer{Zone: p.Reader}.Clock(end.Likely) // as the clock of the room above it
		}
		pic.Words = append(pic.Words, p.T("screen.ends", "Time", p.Span(end.From, end.To), "Latest", p.When(end.Latest)))
	}
	return pic, err
}

// entrance returns where people come in; nil without a door.
func (s screens) entrance(ctx context.Context, p lang.Printer, t *tournament.Tournament, base string) (*tournamentview.ScreenDoor, error) {
	d, err := store.Get(ctx, s.Store, func(tx *store.Tx) (venue.Door, error) { return tx.Door(t.ID) })
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	link := base + doorURL(d.Code)
	code, err := words.QrOf(link, p.T("door.qr", "Link", link))
	_, short, _ := strings.Cut(link, "://")
	return &tournamentview.ScreenDoor{QR: code, Link: short}, err
}

// hasScores reports whether there is a result to rank by.
func hasScores(t *tournament.Tournament) bool {
	return len(t.Rounds) > 1 || len(t.Rounds) == 1 && slices.ContainsFunc(t.Rounds[0].Pairings,
		func(b tournament.Pairing) bool { return !b.Result.IsPending() })
}

// boardsOnScreen is how many boards every wall shows at a time.
const boardsOnScreen = 8

// latest returns the boards of an arena in play, the newest first, then as many of the last that are over as fill a
// picture: over an evening there are hundreds.
func latest(boards []tournament.Pairing) []tournament.Pairing {
	var open, over []tournament.Pairing
	for _, b := range slices.Backward(boards) {
		if b.Result.IsPending() {
			open = append(open, b)
		} else {
			over = append(over, b)
		}
	}
	return append(open, over[:min(len(over), max(0, boardsOnScreen-len(open)))]...)
}

// boardPictures renders the boards in play as watchers see them, a picture for each round.
func (s screens) boardPictures(ctx context.Context, p lang.Printer,
	t *tournament.Tournament) (list []tournamentview.ScreenPicture, err error) {
	for _, r := range t.Rounds.Open() {
		boards := slices.DeleteFunc(slices.Clone(r.Pairings), func(b tournament.Pairing) bool { return b.Match == "" })
		if !t.Format.InRounds() {
			boards = latest(boards)
		}
		cards, err := s.Cards(ctx, p, t, r.Number, boards, nil, "board-")
		if err != nil {
			return nil, err
		}
		if len(cards) > 0 {
			list = append(list, tournamentview.ScreenPicture{ID: "boards-" + words.Itoa(len(list)+1),
				Title: words.RoundTitle(p, t, r.Number), Boards: cards})
		}
	}
	return list, nil
}
