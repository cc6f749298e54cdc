package account

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/notice/calendar"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/league"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s notices) calendarRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/calendar.ics", s.tournamentCalendar, page.Anyone),
		page.Get("/tournaments/:id/entries/:entry/calendar.ics", s.entryCalendar, page.Anyone),
		page.Get("/leagues/:id/calendar.ics", s.leagueCalendar, page.Anyone),
		page.Get("/calendar/:secret", s.playerCalendar, page.Anyone),
		page.Post("/settings/calendar", s.makeCalendarLink, page.SignedIn),
		page.Post("/settings/calendar/drop", s.dropCalendarLink, page.SignedIn),
	}
}

func (s notices) sendCalendar(c echo.Context, name string, events []calendar.Event) error {
	c.Response().Header().Set(echo.HeaderContentDisposition, `inline; filename="`+page.FileName(name, "calendar.ics")+`"`)
	return c.Blob(http.StatusOK, calendar.ContentType, []byte(calendar.Write(name, events, s.Now())))
}

func (s notices) tournamentCalendar(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	p, base := s.Printer(c), s.Address(c, "")
	return s.sendCalendar(c, p.Event(t.Name), append(roundEvents(p, t, base, nil), fixtureEvents(p, t, 0, base)...))
}

// entryCalendar sends the rounds and agreed times of a team, or of a player: also of a guest, who has no calendar of their own.
func (s notices) entryCalendar(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	_, id, err := page.EntryOfPath(c)
	if err != nil {
		return err
	}
	e, err := t.Entry(id)
	if err != nil || !t.MaySeeEntry(page.Viewer(c), e) {
		return store.ErrNotFound
	}
	p := s.Printer(c)
	return s.sendCalendar(c, words.EntryName(p, e)+" · "+p.Event(t.Name), entryEvents(p, t, e, s.Address(c, "")))
}

// roundEvents returns the rounds of a tournament that have or had a known time, each as own makes it; nil: as it is for everybody.
func roundEvents(p lang.Printer, t *tournament.Tournament, base string, own func(n int, e *calendar.Event)) []calendar.Event {
	var out []calendar.Event
	for n := 1; n <= tournament.MaxRounds; n++ {
		e := calendar.Event{
			UID: fmt.Sprintf("%s-round-%d@chpok", t.ID, n), Sequence: t.Version, Length: t.WorstRound(), URL: base + words.TournamentURL(t.ID),
			Summary: p.T("place.round-of", "Tournament", t.Name, "Round", n),
			About:   p.T("tournament.round-length", "Length", words.LengthText(p, t.UsualRound(), t.WorstRound())),
		}
		if !t.Format.InRounds() { // one event for the whole window
			e.Summary, e.Length = p.Event(t.Name), t.Window+t.Timetable.Extra
			e.About = p.T("arena.window") + ": " + p.Length(t.Window)
		}
		if t.Pace == tournament.Correspondence {
			if n > 1 {
				break // all rounds are one
			}
			e.Summary, e.About = p.Event(t.Name), p.T("tournament.correspondence", "Move", p.Length(t.BidTime), "All", p.Length(t.Window))
		}
		if t.Pace == tournament.Arranged { // in which everybody finds a time of their own
			e.Length, e.About = t.Window, p.T("fixture.how")
		}
		at, known := t.RoundAt(n)
		switch {
		case n <= len(t.Rounds):
			e.Start = t.Rounds[n-1].OpenedAt
			if end, over := roundEnd(t, n); over && t.Format.InRounds() && t.Pace != tournament.Arranged {
				e.Length = min(e.Length, end.Sub(e.Start))
			}
		case known:
			e.Start = at
		case n <= len(t.Times) && t.Status.IsOver():
			e.Start, e.State = t.Times[n-1], calendar.Cancelled
		case n <= len(t.Times):
			e.Start, e.State = t.Times[n-1], calendar.Tentative
		default:
			continue
		}
		if own != nil {
			own(n, &e)
		}
		out = append(out, e)
	}
	return out
}

// roundEnd returns when a round that is over made way: to the next, or to the end of the event.
func roundEnd(t *tournament.Tournament, n int) (end time.Time, over bool) {
	if n < len(t.Rounds) && !t.Pace.IsAtOnce() {
		return t.Rounds[n].OpenedAt, true
	}
	return t.EndedAt, !t.EndedAt.IsZero()
}

// leagueCalendar sends the start of the current season, the rounds of its divisions and the times that players have agreed on.
func (s notices) leagueCalendar(c echo.Context) error {
	p, base := s.Printer(c), s.Address(c, "")
	var l *league.League
	var events []calendar.Event
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if l, err = tx.League(league.ID(c.Param("id"))); err != nil {
			return err
		}
		x := l.Now()
		events = []calendar.Event{{UID: fmt.Sprintf("%s-season-%d@chpok", l.ID, x.Number), Sequence: l.Version, Start: x.Starts,
			Summary: l.Settings.Name + ": " + p.T("league.season", "N", x.Number), URL: base + words.LeagueURL(l.ID)}}
		for _, d := range x.Divisions {
			t, err := tx.Tournament(d.Tournament)
			if err != nil {
				return err
			}
			events = append(append(events, roundEvents(p, t, base, nil)...), fixtureEvents(p, t, 0, base)...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.sendCalendar(c, l.Settings.Name, events)
}

// playerCalendar sends a player's appointments to their calendar program, which does not sign in: the link is the key.
func (s notices) playerCalendar(c echo.Context) error {
	secret, isCalendar := strings.CutSuffix(c.Param("secret"), ".ics")
	if !isCalendar {
		return store.ErrNotFound
	}
	var events []calendar.Event
	var of player.Player
	base := s.Address(c, "")
	p := s.Printer(c)
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if of, err = tx.CalendarOf(player.Secret(secret)); err != nil {
			return err
		}
		if l, ok := lang.Parse(of.Settings.Lang); ok {
			p.Lang = l
		}
		lines, _, err := tx.Tournaments(store.TournamentQuery{Player: of.ID, Limit: calendarTournaments})
		if err != nil {
			return err
		}
		for _, line := range lines {
			t, err := tx.Tournament(line.ID)
			if err != nil {
				return err
			}
			events = append(events, myRounds(p, t, of.ID, base)...)
		}
		appointments, err := ladderEvents(tx, p, of.ID, base)
		events = append(events, appointments...)
		return err
	})
	if err != nil {
		return err
	}
	c.Response().Header().Set("X-Robots-Tag", "noindex")
	return s.sendCalendar(c, p.T("place.calendar-of", "Handle", string(of.Handle)), events)
}

// calendarTournaments limits the tournaments of a player's calendar, the running ones first.
const calendarTournaments = 50

// myRounds returns the rounds of a player's tournament; a captain's are those of their team.
func myRounds(p lang.Printer, t *tournament.Tournament, of player.ID, base string) []calendar.Event {
	e, entered := t.EntryOf(of)
	if !entered {
		i := slices.IndexFunc(t.Entries, func(e tournament.Entry) bool { return slices.Contains(e.Heads(), of) })
		if i < 0 {
			return nil
		}
		e = t.Entries[i]
	}
	return entryEvents(p, t, e, base)
}

// entryEvents returns the rounds of an entry: of those that are paired against whom, and the match of its team; a round off and
// those after its withdrawal as cancelled.
func entryEvents(p lang.Printer, t *tournament.Tournament, e tournament.Entry, base string) []calendar.Event {
	side := cmp.Or(e.Team, e.ID)
	events := roundEvents(p, t, base, func(n int, x *calendar.Event) {
		switch {
		case n > len(t.Rounds):
			if e.Status == tournament.Withdrawn || t.IsOut(e) || slices.ContainsFunc(e.Byes, func(b tournament.AskedBye) bool { return b.Round == n }) {
				x.State = calendar.Cancelled
			}
		case t.Format.InRounds():
			met := t.Rounds[n-1].Sides()
			i := slices.IndexFunc(met, func(b tournament.Pairing) bool { return b.SeatOf(side).Valid() })
			if i < 0 {
				x.State = calendar.Cancelled
				return
			}
			other := words.NameOf(p, t, met[i].EntryAt(met[i].SeatOf(side).Other()))
			x.Summary = p.T("place.round-against", "Tournament", t.Name, "Round", n, "Opponent", other)
			if t.HasTeams() {
				x.URL = base + words.TeamMatchURL(t.ID, n, met[i].Board)
			}
		}
	})
	return append(events, fixtureEvents(p, t, e.ID, base)...)
}

// fixtureEvents returns the matches of an entry whose times the players have agreed on; 0: of all.
func fixtureEvents(p lang.Printer, t *tournament.Tournament, of tournament.EntryID, base string) (out []calendar.Event) {
	for _, x := range t.FixturesOf(of) {
		if x.Fixture.At.IsZero() {
			continue
		}
		who := words.NameOf(p, t, x.First) + " – " + words.NameOf(p, t, x.Second)
		if of != 0 {
			who = words.NameOf(p, t, x.EntryAt(x.SeatOf(of).Other()))
		}
		out = append(out, calendar.Event{
			UID: fmt.Sprintf("%s-fixture-%d-%d@chpok", t.ID, x.Round, x.Board), Sequence: t.Version, Start: x.Fixture.At, Length: t.UsualRound(),
			Summary: p.T("place.ladder-match", "Ladder", p.Event(t.Name), "Opponent", who), URL: base + words.FixtureURL(t.ID, x.Round, x.Board),
		})
	}
	return out
}

// ladderEvents returns the appointments of a player's ladder challenges.
func ladderEvents(tx *store.Tx, p lang.Printer, of player.ID, base string) ([]calendar.Event, error) {
	duties, err := tx.LadderDuties(of, page.Size)
	if err != nil {
		return nil, err
	}
	var out []calendar.Event
	for _, d := range duties {
		if d.Challenge.At.IsZero() {
			continue
		}
		l, err := tx.Ladder(d.Ref.Ladder)
		if err != nil {
			return nil, err
		}
		other, err := tx.Player(d.Challenge.Opponent(of))
		if err != nil {
			return nil, err
		}
		e := calendar.Event{
			UID: fmt.Sprintf("%s-challenge-%d@chpok", d.Ref.Ladder, d.Ref.Number), Sequence: l.Seq, Start: d.Challenge.At,
			Length:  appointmentLength(l, d.Challenge),
			Summary: p.T("place.ladder-match", "Ladder", l.Settings.Name, "Opponent", string(other.Handle)),
			URL:     base + words.LadderURL(d.Ref.Ladder) + "/challenges/" + words.Itoa(int(d.Ref.Number)),
		}
		if d.Challenge.IsPaused() || d.Challenge.Status == fixture.Disputed {
			e.State = calendar.Tentative
		}
		out = append(out, e)
	}
	return out, nil
}

// makeCalendarLink shows the new link, which is shown only once.
func (s notices) makeCalendarLink(c echo.Context) error {
	link, err := s.newCalendarLink(c)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "no-store") // the page shows a secret
	return s.showNoticeSettings(c, noticeForm{calendar: link})
}

// newCalendarLink makes the viewer a link to their calendar; the one before ends.
func (s notices) newCalendarLink(c echo.Context) (link string, err error) {
	var secret player.Secret
	err = s.Store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		secret, err = tx.MakeCalendarLink(page.Viewer(c).ID, s.Now().Truncate(time.Millisecond))
		return err
	})
	return s.Address(c, "/calendar/"+string(secret)+".ics"), err
}

func (s notices) dropCalendarLink(c echo.Context) error {
	if err := s.endCalendarLink(c.Request().Context(), page.Viewer(c)); err != nil {
		return err
	}
	return s.Redirect(c, "/settings/notices", "flash.saved")
}

func (s notices) endCalendarLink(ctx context.Context, by player.Viewer) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.DropCalendarLink(by.ID) })
}

// appointmentLength returns how long an appointment lasts at most: only the board phase if they bid by correspondence.
func appointmentLength(l *ladder.Ladder, c ladder.Challenge) time.Duration {
	o := l.MatchOptions(c, c.At)
	if o.BidTime > 0 {
		return o.Envelope.WorstBoard(0) + l.Settings.Lateness
	}
	return o.Envelope.WorstCase(0) + l.Settings.Lateness
}
