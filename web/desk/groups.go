package desk

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/stage"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// seenField is the field of a form with the groups and the versions of them that it shows.
const seenField = "seen"

// stepGroups starts all groups of an event, or drafts, publishes or opens their next rounds.
func (s control) stepGroups(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	values, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	shown := map[tournament.ID]int64{}
	for _, text := range values[seenField] {
		group, version, _ := strings.Cut(text, ":")
		if shown[tournament.ID(group)], err = strconv.ParseInt(version, 10, 64); err != nil {
			return page.ErrBadRequest
		}
	}
	err = s.Arbiter.Rounds.StepGroups(c.Request().Context(), page.Viewer(c), id, tournament.Act(c.FormValue("act")), shown)
	if page.IsRefusal(err) || errors.Is(err, kernel.ErrOvertaken) { // the desk has the groups as they are now
		return s.showControl(c, controlForm{"groups", err})
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, ControlURL(id), "")
}

// groupOf returns the group whose desk is that of the event before it, as a form there says; nil: it has its own.
func (s control) groupOf(c echo.Context) (*tournament.Tournament, error) {
	back := c.FormValue("desk")
	if back == "" {
		return nil, nil
	}
	t, err := s.Arbiter.Tournament(c.Request().Context(), tournament.ID(c.Param("id")))
	if err != nil {
		return nil, err
	}
	if t.Origin == nil || !t.Origin.Part || string(t.Origin.Of[0].ID) != back {
		return nil, page.ErrBadRequest
	}
	return t, nil
}

// deskURL returns the desk of the form that was sent, after something was done to a board.
func (s control) deskURL(c echo.Context, what string, round, board int) (string, error) {
	group, err := s.groupOf(c)
	if err != nil {
		return "", err
	}
	id := tournament.ID(c.Param("id"))
	at := ControlURL(id)
	if group != nil {
		at = ControlURL(group.Origin.Of[0].ID)
	}
	if what == "" {
		return at, nil
	}
	at = words.WithQuery(at, what, words.Itoa(round)+"-"+words.Itoa(board))
	if group != nil {
		at += "&group=" + string(id)
	}
	return at, nil
}

// GroupsOf reads the groups that decide who plays in a tournament; none if it does not wait for any.
func GroupsOf(t *tournament.Tournament, read func(tournament.ID) (*tournament.Tournament, error)) (list []*tournament.Tournament, err error) {
	if t.Status.IsOver() || !t.Origin.IsAwaited() {
		return nil, nil
	}
	for _, o := range t.Origin.Of {
		x, err := read(o.ID)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// groupTally counts how far the groups of an event are.
type groupTally struct {
	due, able map[tournament.Act]int // groups by the step due in them; able: where the viewer can take it
	act       tournament.Act         // the first of rounds.GroupActs that is due; empty: none
	playing   int
	over      int
	round     int      // that all who play are at; 0: none, or different ones
	boards    []string // in play
}

func tallyOf(v player.Viewer, steps []rounds.GroupStep) groupTally {
	n := groupTally{due: map[tournament.Act]int{}, able: map[tournament.Act]int{}}
	at := map[int]bool{}
	for i, x := range steps {
		if x.Act != "" {
			n.due[x.Act]++
			if x.Refused == nil && x.Group.May(v, x.Act) {
				n.able[x.Act]++
			}
		}
		if x.Group.Status.IsOver() {
			n.over++
		}
		before := len(n.boards)
		for round, b := range x.Group.Rounds.Pending() {
			n.boards = append(n.boards, words.GroupLetter(i)+words.BoardLabel(x.Group, round, b.Board))
			at[round], n.round = true, round
		}
		if len(n.boards) > before {
			n.playing++
		}
	}
	if len(at) > 1 {
		n.round = 0
	}
	if at := slices.IndexFunc(rounds.GroupActs, func(a tournament.Act) bool { return n.due[a] > 0 }); at >= 0 {
		n.act = rounds.GroupActs[at]
	}
	return n
}

// momentOfGroups says how far the groups of an event are, and what can be done in all of them at once.
func momentOfGroups(p lang.Printer, v player.Viewer, t *tournament.Tournament, steps []rounds.GroupStep) (n deskview.NextStep) {
	at, all, tally := words.TournamentURL(t.ID), len(steps), tallyOf(v, steps)
	n.Look = templates.Link{Text: p.T("schedule.next.groups.look"), URL: at + "/origin"}
	of := func(key string, k int) string {
		return p.T(key, "K", p.Int(k), "N", p.Int(all), "Round", p.Int(tally.round))
	}
	switch due := tally.due[tally.act]; {
	case tally.over == all:
		n.Title, n.Text = p.N("schedule.next.groups.over", all), p.T("schedule.next.groups.take", "Each", p.Int(t.Origin.Each))
		if t.May(v, tournament.ActStage) {
			n.Action, n.Button = at+"/origin", p.T("stage.take")
		}
		return n
	case tally.act == tournament.ActStart && due == all:
		n.Title, n.Text = p.N("schedule.next.groups", all), p.T("schedule.next.groups.start-all")
	case tally.act != "":
		n.Title = of("schedule.next.groups.due."+string(tally.act), due)
	case tally.round > 0:
		n.Title = of("schedule.next.groups.round", tally.playing)
	default:
		n.Title = of("schedule.next.groups.play", tally.playing)
	}
	if len(tally.boards) > 0 {
		n.Text = strings.TrimSpace(n.Text + " " + p.T("schedule.next.groups.boards", "Boards", strings.Join(tally.boards, ", ")))
	}
	able := tally.able[tally.act]
	if able == 0 || tally.act == tournament.ActStart && able < tally.due[tally.act] { // all of them start, or none
		return n
	}
	n.Action, n.Button = at+"/groups/step", p.N("schedule.next.groups.do."+string(tally.act), able)
	n.Fields = []templates.HiddenField{{Name: "act", Value: string(tally.act)}}
	for _, x := range steps {
		n.Fields = append(n.Fields, templates.HiddenField{Name: seenField,
			Value: string(x.Group.ID) + ":" + strconv.FormatInt(x.Group.Version, 10)})
	}
	return n
}

// deskGroups renders the groups that decide who plays in a tournament, with their boards.
func (s control) deskGroups(c echo.Context, t *tournament.Tournament, steps []rounds.GroupStep) (list []deskview.DeskGroup, err error) {
	p := s.Printer(c)
	for i, x := range steps {
		g := deskview.DeskGroup{ID: string(x.Group.ID), Letter: words.GroupLetter(i), Link: templates.Link{Text: words.GroupText(p, i), URL: ControlURL(x.Group.ID)},
			State: words.StatusText(p, x.Group)}
		if x.Act == tournament.ActStart {
			n := x.Group.Active()
			g.State = words.SidesText(p, x.Group.Settings, n) + ", " + p.N("tournament.rounds-count", stage.GroupRounds(n, 1))
		}
		if x.Refused != nil {
			g.Problem = page.TextOf(p, x.Refused)
		}
		if !x.Group.Status.IsOver() && x.Group.May(page.Viewer(c), tournament.ActDesk) {
			if g.Round, err = s.deskRound(c, x.Group); err != nil {
				return nil, err
			}
		}
		if g.Round != nil {
			g.Round.Shown, g.Round.Desk = strconv.FormatInt(x.Group.Version, 10), string(t.ID)
			for k := range g.Round.Boards {
				g.Round.Boards[k].Board = g.Letter + g.Round.Boards[k].Board
			}
		}
		list = append(list, g)
	}
	return list, nil
}

// sharedPlaces names those who share the last place that goes on from a group; empty: nobody does.
func sharedPlaces(p lang.Printer, t *tournament.Tournament, groups, playOffs []*tournament.Tournament) (string, error) {
	var said []string
	for i, x := range groups {
		_, shared, err := tables.Order(x, playOffs, t.Origin.Each)
		if err != nil {
			return "", err
		}
		if len(shared) > 0 {
			said = append(said, words.GroupText(p, i)+" ("+strings.Join(namesOf(p, x, shared), ", ")+")")
		}
	}
	if len(said) == 0 {
		return "", nil
	}
	return p.T("schedule.next.groups.shared", "Groups", strings.Join(said, "; ")), nil
}

// nextOf renders the next step of a tournament, and the groups that decide who plays in it.
func (s control) nextOf(c echo.Context, t *tournament.Tournament) (b deskview.ControlBody, err error) {
	p, v, ctx := s.Printer(c), page.Viewer(c), c.Request().Context()
	groups, err := GroupsOf(t, func(id tournament.ID) (*tournament.Tournament, error) { return s.Arbiter.Tournament(ctx, id) })
	if err != nil {
		return b, err
	}
	steps, err := s.Arbiter.Rounds.JudgedGroupSteps(ctx, v, groups)
	if err != nil {
		return b, err
	}
	b.Next = MomentOf(p, v, t, steps)
	if len(groups) == 0 {
		return b, nil
	}
	if b.Groups, err = s.deskGroups(c, t, steps); err != nil || !tables.AreOver(groups) {
		return b, err
	}
	ids := make([]tournament.ID, len(groups))
	for i, x := range groups {
		ids[i] = x.ID
	}
	playOffs, err := s.Arbiter.Events.PlayOffs(ctx, ids...)
	if err != nil {
		return b, err
	}
	shared, err := sharedPlaces(p, t, groups, playOffs)
	if shared != "" {
		b.Next.Text += " " + shared
	}
	return b, err
}

// backToDesk goes back to the desk of the form that was sent.
func (s control) backToDesk(c echo.Context, what string, round, board int) error {
	at, err := s.deskURL(c, what, round, board)
	if err != nil {
		return err
	}
	return s.Redirect(c, at, "")
}
