package tournament

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) bracket(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	if !t.Format.HasBracket() || t.Status < tournament.Running {
		return store.ErrNotFound
	}
	sh := s.TournamentShell(c, t, s.Printer(c).T("tournament.tab.bracket"), "bracket")
	sh.Wide, sh.Styles, sh.Scripts = true, append(sh.Styles, "bracket.css"), append(sh.Scripts, "bracket.js")
	return s.Render(c, http.StatusOK, tournamentview.BracketPage(sh, s.bracketView(c, t)))
}

func (s pages) bracketView(c echo.Context, t *tournament.Tournament) tournamentview.BracketView {
	p := s.Printer(c)
	view := tournamentview.BracketView{Head: s.TournamentHead(c, t, "/bracket"), Switch: tableSwitch(p, t, "/bracket"),
		Tie: words.TieText(p, t.Tie), File: words.TournamentURL(t.ID) + "/bracket.svg"}
	switch {
	case t.Origin != nil:
		view.Seeds = templates.Link{Text: p.T("stage.origin"), URL: words.TournamentURL(t.ID) + "/origin"}
	case isDrawn(t):
		view.Seeds = drawLink(p, t)
	}
	if t.Losers.IsDouble() {
		view.Final = p.T("bracket.rule." + string(t.Losers))
	}
	if !t.Format.HasBracket() {
		return view
	}
	view.Body = bracketBody(p, t, ownNumber(t, page.Viewer(c)))
	return view
}

// ownNumber returns the number of a viewer's entry, or of the team that they play for or are a captain of; 0: none.
func ownNumber(t *tournament.Tournament, v player.Viewer) int {
	isMine := words.IsMine(t, v)
	for _, e := range t.Sides() {
		if isMine(e) {
			return e.Number
		}
	}
	return 0
}

// bracketBody renders a bracket for the player with the number mine; 0 for everybody else.
func bracketBody(p lang.Printer, t *tournament.Tournament, mine int) tournamentview.BracketBody {
	return newBracketLines(p, t, mine).body()
}

func newBracketLines(p lang.Printer, t *tournament.Tournament, mine int) bracketLines {
	lines := bracketLines{p: p, t: t, b: t.Bracket(len(t.Rounds)), entries: map[int]tournament.Entry{}, latest: map[int]string{}, mine: mine}
	for _, e := range t.Entries {
		if e.Number > 0 {
			lines.entries[e.Number] = e
		}
	}
	for _, r := range t.Rounds {
		for i, b := range r.Sides() {
			at := words.RoundURL(t.ID, r.Number)
			switch {
			case t.HasTeams():
				at = words.TeamMatchURL(t.ID, r.Number, i+1)
			case b.Match != "":
				at = words.MatchURL(b.Match)
			}
			lines.latest[b.Contest] = at
		}
	}
	return lines
}

// bracketLines renders a bracket.
type bracketLines struct {
	p       lang.Printer
	t       *tournament.Tournament
	b       contest.Bracket
	entries map[int]tournament.Entry // by number
	latest  map[int]string           // the address of its latest match, by contest
	mine    int                      // the viewer's number; 0: they do not play
}

func (l bracketLines) body() (body tournamentview.BracketBody) {
	trees := map[string]int{}
	columns := map[string]int{}
	var third *tournamentview.BracketBox
	for _, s := range l.b.States {
		if s.Part == contest.Reset && !l.hasReset() {
			continue
		}
		box := l.box(s)
		if s.IsThird() {
			third = &box
			continue
		}
		title, level := words.PartText(l.p, l.t, s.Contest), words.LevelText(l.p, l.t, s.Contest)
		if s.Part == contest.GrandFinal || s.Part == contest.Reset { // drawn at the end of the upper bracket
			title, level = body.Trees[0].Title, title
		}
		if _, there := trees[title]; !there {
			trees[title] = len(body.Trees)
			body.Trees = append(body.Trees, tournamentview.BracketTree{Title: title, Label: cmp.Or(title, l.p.T("tournament.tab.bracket"))})
		}
		tree := &body.Trees[trees[title]]
		if _, there := columns[title+level]; !there {
			columns[title+level] = len(tree.Rounds)
			tree.Rounds = append(tree.Rounds, tournamentview.BracketRound{Title: level,
				ID: "stage-" + words.Itoa(trees[title]+1) + "-" + words.Itoa(len(tree.Rounds)+1)})
		}
		r := &tree.Rounds[columns[title+level]]
		r.Boxes = append(r.Boxes, box)
		r.IsNow = r.IsNow || s.Status == contest.Due || s.Status == contest.Playing
	}
	if len(body.Trees) == 0 { // imported without numbers
		return body
	}
	body.Trees[0].Third, body.Trees[0].IsReseeded = third, l.t.Losers == contest.Reseed
	body.Trees = slices.DeleteFunc(body.Trees, tournamentview.BracketTree.IsEmpty)
	for i := range body.Trees {
		layOut(&body.Trees[i])
	}
	body.Paper = paperFor(body.Trees)
	return body
}

// Lengths in a bracket's picture besides those of a box.
const (
	boxGap     = 10
	remarkRoom = 12 // below the boxes of a tree with remarks
	columnGap  = 28
	columnStep = tournamentview.BoxWidth + columnGap
	roundsHead = 30
)

// layOut places the boxes of a tree and joins them. They are spread evenly in each column, so that the box
// of a winner stands between the two it comes from.
func layOut(t *tournamentview.BracketTree) {
	most, boxRoom := 1, tournamentview.BoxHeight+boxGap
	for _, r := range t.Rounds {
		most = max(most, len(r.Boxes))
		if slices.ContainsFunc(r.Boxes, func(x tournamentview.BracketBox) bool { return x.Note != "" }) {
			boxRoom = tournamentview.BoxHeight + boxGap + remarkRoom
		}
	}
	head := roundsHead
	if t.IsRound() {
		head = 2
	}
	t.Width, t.Height, t.Lines = columnStep*len(t.Rounds)-columnGap+2, head+most*boxRoom, nil
	for c := range t.Rounds {
		r := &t.Rounds[c]
		r.X = 1 + c*columnStep
		n := len(r.Boxes)
		for i := range r.Boxes {
			x := &r.Boxes[i]
			x.X, x.Y = r.X, head+most*boxRoom*(2*i+1)/(2*n)-boxRoom/2
			if c > 0 && !x.IsEmpty && !t.IsReseeded {
				t.Lines = append(t.Lines, linesTo(*x, i, n, t.Rounds[c-1].Boxes)...)
			}
		}
	}
	if last := t.Rounds[len(t.Rounds)-1].Boxes; t.Third != nil {
		third := *t.Third
		third.X, third.Y = last[0].X, last[0].Y+boxRoom+roundsHead
		t.Third, t.Height = &third, max(t.Height, third.Y+boxRoom)
	}
}

// papers are sheets in millimeters, the smaller ones first, each in landscape and portrait.
var papers = []struct {
	name          string
	width, height float64
}{
	{"a4l", 297, 210}, {"a4p", 210, 297}, {"a3l", 420, 297}, {"a3p", 297, 420}, {"a2l", 594, 420}, {"a2p", 420, 594},
	{"a1l", 841, 594}, {"a1p", 594, 841}, {"a0l", 1189, 841}, {"a0p", 841, 1189},
}

// What a sheet holds besides a bracket, and the smallest scale that is still legible.
const (
	paperEdge, paperHead = 10, 35 // mm
	unitsPerMM           = 96 / 25.4
	titleRoom            = 56
	leastPrint           = 0.5
)

// paperFor returns the smallest sheet on which all trees are legible, and the scale, as classes of the style sheet.
func paperFor(trees []tournamentview.BracketTree) string {
	width, height := 1, 0
	for _, t := range trees {
		width, height = max(width, t.Width), height+t.Height
		if t.Title != "" {
			height += titleRoom
		}
	}
	best, most := "", 0.0
	for i, p := range papers {
		if i%2 == 0 && most >= leastPrint {
			break
		}
		size := unitsPerMM * min((p.width-2*paperEdge)/float64(width), (p.height-2*paperEdge-paperHead)/float64(height))
		if size > most {
			best, most = p.name, size
		}
	}
	return fmt.Sprintf("%s at-%d", best, min(int(20*most), 20)*5)
}

// linesTo joins box i of n with the boxes of the previous column that lead to it.
func linesTo(x tournamentview.BracketBox, i, n int, before []tournamentview.BracketBox) (lines []tournamentview.BracketLine) {
	half := tournamentview.SideRow
	for _, from := range before[i*len(before)/n : (i+1)*len(before)/n] {
		if !from.IsEmpty {
			lines = append(lines, tournamentview.BracketLine{IsGone: from.IsOver(), Path: fmt.Sprintf("M%d %dH%dV%dH%d",
				from.X+tournamentview.BoxWidth, from.Y+half, x.X-columnGap/2, x.Y+half, x.X)})
		}
	}
	return lines
}

// bracketFile sends a bracket as an SVG file.
func (s pages) bracketFile(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	if !t.Format.HasBracket() || t.Status < tournament.Running {
		return store.ErrNotFound
	}
	v := tournamentview.BracketPicture{Name: s.Printer(c).Event(t.Name), Lead: t.Club, Width: 480, Height: 92}
	for _, tree := range bracketBody(s.Printer(c), t, 0).Trees {
		if tree.Title != "" {
			v.Height += 36
		}
		v.Tops = append(v.Tops, v.Height)
		v.Trees, v.Width, v.Height = append(v.Trees, tree), max(v.Width, tree.Width+48), v.Height+tree.Height+24
	}
	var file bytes.Buffer
	if err := tournamentview.BracketFile(v).Render(lang.With(c.Request().Context(), s.Printer(c)), &file); err != nil {
		return err
	}
	return c.Blob(http.StatusOK, "image/svg+xml", file.Bytes())
}

// box renders a contest.
func (l bracketLines) box(s contest.State) tournamentview.BracketBox {
	box := tournamentview.BracketBox{IsWaiting: s.Status == contest.Waiting || s.Status == contest.Due, IsLive: s.Status == contest.Playing,
		IsLast: s.Status == contest.Over && l.isLast(s)}
	met := len(s.Legs) > 0
	shown := met && s.By != contest.ByForfeit && (s.Status == contest.Over || s.Score != [2]int{} || s.Other != [2]int{})
	for k, number := range s.Sides {
		side := tournamentview.BracketSide{Won: s.Status == contest.Over && number != 0 && s.Winner == number,
			Lost: s.Status == contest.Over && number != 0 && s.Winner != number, IsMe: number != 0 && number == l.mine}
		switch e := l.entries[number]; {
		case number != 0:
			side.Seed, side.Name = words.Itoa(number), words.EntryName(l.p, e)
			box.IsMine = box.IsMine || side.IsMe
			if shown {
				side.Score = l.scoreOf(s, k)
			}
		case s.Known[k]:
			side.Name, side.Unknown, box.IsBye = l.p.T("bracket.nobody"), true, true
		default:
			side.Name, side.Unknown = l.awaited(s.Slots[k]), true
		}
		box.Sides[k] = side
	}
	box.Note, box.IsEmpty = l.note(s), s.By == contest.ByNobody && s.Sides == [2]int{}
	box.Label = l.told(box)
	if box.IsLive && !s.Tie {
		box.Note = "" // its color says it
	}
	for k := range box.Sides {
		switch side := &box.Sides[k]; {
		case !side.Unknown:
		case side.Name == l.p.T("bracket.unknown"):
			side.Name = ""
		default:
			side.Name = player.Excerpt(side.Name, awaitedRoom)
		}
	}
	box.IsBye = box.IsBye && box.Sides[0].Unknown != box.Sides[1].Unknown
	if met {
		box.URL = l.latest[s.At]
	}
	return box
}

// scoreOf renders what a side of a contest has: of a single match of teams the boards that they won.
func (l bracketLines) scoreOf(s contest.State, side int) string {
	tenths := 5 * s.Score[side]
	switch {
	case l.t.HasTeams() && l.t.Teams.ByGames:
		tenths = s.Score[side]
	case l.t.HasTeams() && len(s.Legs) == 1:
		tenths = s.Other[side]
	}
	return words.ScoreText(l.p, tournament.Score(tenths))
}

// awaitedRoom is how many characters are shown of the names of those who may come.
const awaitedRoom = 33

// isLast reports whether the winner of a contest wins the event.
func (l bracketLines) isLast(s contest.State) bool {
	if l.t.Losers.IsDouble() {
		return s.Part == contest.Reset || s.Part == contest.GrandFinal && !l.hasReset()
	}
	return s.Part == contest.Main && !s.IsThird() && s.Level == l.t.Levels(s.Contest)
}

// hasReset reports whether a second grand final is played.
func (l bracketLines) hasReset() bool {
	return slices.ContainsFunc(l.b.States, func(s contest.State) bool {
		return s.Part == contest.Reset && s.By != contest.Needless && s.Status != contest.Waiting
	})
}

// told describes a box for screen readers: who meets, the score, who goes on.
func (l bracketLines) told(box tournamentview.BracketBox) string {
	var parts []string
	for _, side := range box.Sides {
		part := strings.TrimSpace(side.Seed + " " + side.Name + " " + side.Score)
		if side.Won {
			part += " (" + l.p.T("bracket.goes-on") + ")"
		}
		parts = append(parts, part)
	}
	if box.Note != "" {
		parts = append(parts, box.Note)
	}
	return strings.Join(parts, ", ")
}

// awaited says who may come to a side: two names, if they are known.
func (l bracketLines) awaited(slot contest.Slot) string {
	if slot.Kind == contest.Best {
		return l.p.T("bracket.unknown")
	}
	of := l.b.States[slot.Of]
	var names []string
	for _, number := range of.Sides {
		if number != 0 {
			names = append(names, l.entries[number].Name)
		}
	}
	switch {
	case len(names) == 2:
	case of.Part == contest.Lower && of.Level == l.t.Levels(of.Contest) && slot.Kind == contest.Winner:
		return l.p.T("bracket.lower-winner")
	default:
		return l.p.T("bracket.unknown")
	}
	either := l.p.T("bracket.either", "A", names[0], "B", names[1])
	if utf8.RuneCountInString(either) <= awaitedRoom {
		return either
	}
	return l.p.T("bracket.either", "A", initialed(names[0]), "B", initialed(names[1]))
}

// coming returns the next contest of an entry, and its side there; false if there is none, or if it depends on others.
func coming(b contest.Bracket, number int) (s contest.State, side int, ok bool) {
	for _, s := range b.States {
		if k := slices.Index(s.Sides[:], number); k >= 0 && s.Status != contest.Over {
			return s, k, true
		}
	}
	return s, 0, false
}

// nextOpponent says whom an entry of a knock-out meets next, or may meet; empty if it cannot be known.
func nextOpponent(p lang.Printer, t *tournament.Tournament, e tournament.Entry) string {
	if !t.Format.HasBracket() || t.Status != tournament.Running || len(t.Rounds) == 0 {
		return ""
	}
	side, _ := t.Entry(t.SideOf(e.ID))
	l := newBracketLines(p, t, side.Number)
	s, own, ok := coming(l.b, side.Number)
	if !ok {
		return ""
	}
	name, stage := "", words.MatchText(p, t, s)
	if other := s.Sides[1-own]; other != 0 {
		name = words.NameAt(p, t, other)
	} else if name = l.awaited(s.Slots[1-own]); name == p.T("bracket.unknown") {
		return stage
	}
	return p.T("schedule.ready.against", "Stage", stage, "Name", name)
}

// feedsOf returns a function that reports whether a board decides whom an entry of a knock-out meets next.
func feedsOf(t *tournament.Tournament, e tournament.Entry) func(round, board int) bool {
	side, _ := t.Entry(t.SideOf(e.ID))
	s, own, ok := coming(t.Bracket(len(t.Rounds)), side.Number)
	return func(round, board int) bool {
		slot := s.Slots[1-own]
		b, err := t.BoardAt(round, board)
		return ok && err == nil && slot.Kind > contest.Player && slot.Kind != contest.Best && t.ContestOf(round, b) == slot.Of
	}
}

// initialed shortens the first word of a name to its initial: M. Savchenko.
func initialed(name string) string {
	first, rest, isLong := strings.Cut(name, " ")
	if !isLong {
		return name
	}
	r, _ := utf8.DecodeRuneInString(first)
	return string(r) + ". " + rest
}

// note is a remark on a contest besides its score.
func (l bracketLines) note(s contest.State) string {
	switch {
	case s.Status == contest.Playing && s.Tie:
		return l.p.T("bracket.tie-break")
	case s.Status == contest.Playing:
		return l.p.T("bracket.playing")
	case s.Status == contest.Due && s.Sealed:
		return l.p.T("bracket.sealed")
	case s.Status == contest.Due && s.Tie:
		return l.p.T("bracket.level")
	case s.Status == contest.Over && s.By > contest.ByScore && s.Sides != [2]int{}:
		return l.p.T("bracket.by." + s.By.String())
	}
	return ""
}
