package words

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/outlook"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/tiebreak"
)

var byeKinds = map[string]tournament.Outcome{
	"": tournament.ZeroBye, "zero": tournament.ZeroBye, "half": tournament.HalfBye, "full": tournament.FullBye, "none": tournament.NoRecord,
}

// ByeKind reads a kind of bye; empty is an absence.
func ByeKind(word string) (tournament.Outcome, bool) {
	kind, known := byeKinds[word]
	return kind, known
}

// MaxRoster is the most bytes that a list of players may have.
const MaxRoster = 256 << 10

// RosterName returns what a line of a list calls its player.
func RosterName(l entries.Planned) string {
	switch {
	case l.Candidate.Name != "":
		return l.Candidate.Name
	case l.Handle != "":
		return string(l.Handle)
	}
	return l.Text
}

// KnownText tells one of several people of a name from the others.
func KnownText(p lang.Printer, k entries.Known) string {
	text := p.T("entry.known.never")
	if k.Last.Name != "" {
		text = p.T("entry.known.last", "Event", p.Event(k.Last.Name), "Date", p.Day(k.Last.At))
	}
	if k.Rating > 0 {
		text = p.T("entry.known.rating", "Rating", k.Rating) + " · " + text
	}
	return text
}

// WatchBoards is how many running matches the page of a round shows in small.
const WatchBoards = 12

// ReasonsText says why a board was paired as it was; names are by number.
func ReasonsText(p lang.Printer, reasons []swiss.Reason, names map[int]string) string {
	var texts []string
	for _, reason := range reasons {
		texts = append(texts, p.T(reason.Key, "Player", names[reason.Player], "Other", names[reason.Other],
			"Score", ScoreText(p, reason.Score), "OtherScore", ScoreText(p, reason.OtherScore), "Round", reason.Round))
	}
	return strings.Join(texts, " ")
}

// OpenText says what a round waits for: matches in play here, and results that staff enter.
func OpenText(p lang.Printer, r tournament.Round) string {
	played, entered := 0, 0
	for _, b := range r.Pairings {
		switch {
		case !b.Result.IsPending():
		case b.Match != "":
			played++
		default:
			entered++
		}
	}
	var parts []string
	if n := len(tournament.Rounds{r}.Awaited()); n > 0 {
		parts = append(parts, p.N("teams.awaited", n))
	}
	if played > 0 {
		parts = append(parts, p.N("tournament.boards-open", played))
	}
	if entered > 0 {
		parts = append(parts, p.N("tournament.boards-entered", entered))
	}
	return strings.Join(parts, " · ")
}

// houseKey is the text key for the name of a house bot; empty for all other entries.
func houseKey(e tournament.Entry) string {
	if bot, ok := house.Named(player.Handle(e.Name)); ok && e.Bot {
		return bot.NameKey()
	}
	return ""
}

// EntryName returns the name of an entry; house bots are named in the reader's language.
func EntryName(p lang.Printer, e tournament.Entry) string {
	if key := houseKey(e); key != "" {
		return p.T(key)
	}
	return e.Name
}

// EntryRefOf returns an entry as tables refer to it.
func EntryRefOf(t *tournament.Tournament, e tournament.Entry) templates.EntryRef {
	return templates.EntryRef{
		House: houseKey(e),
		Name:  e.Name, URL: EntryURL(t.ID, e.ID), Rating: NumberText(e.Rating), Number: NumberText(e.Number), Bot: e.Bot,
		Guest: e.IsGuest() && !t.IsTeam(e),
	}
}

// StandingRef is EntryRefOf where it is said who is out.
func StandingRef(t *tournament.Tournament, e tournament.Entry) templates.EntryRef {
	ref := EntryRefOf(t, e)
	ref.Out, ref.Team = OutKey(e), t.Battle.NameOf(e.Camp)
	return ref
}

// StandingName is the name of an entry in standings without a place for more: with how it is out, if it is.
func StandingName(p lang.Printer, e tournament.Entry) string {
	name := EntryName(p, e)
	if out := OutKey(e); out != "" {
		name += " (" + p.T(out) + ")"
	}
	return name
}

// OutKey is the key of how an entry is out; empty: it is in.
func OutKey(e tournament.Entry) string {
	if e.Status != tournament.Withdrawn {
		return ""
	}
	return "tournament." + e.State()
}

// ByeText names a bye in the pairings of a tournament.
func ByeText(p lang.Printer, t *tournament.Tournament, kind tournament.Outcome) string {
	word := "zero"
	switch kind {
	case tournament.PairingBye:
		word = "pairing"
	case tournament.HalfBye:
		word = "half"
	case tournament.FullBye:
		word = "full"
	}
	switch {
	case t.Format.MeetsAll():
		return p.T("tournament.bye.rest")
	case t.Format.PairsByScore() && t.Format.HasOwnOrder(): // where a bye is not worth points
		return p.T(t.Format.String() + ".bye." + word)
	}
	return p.T("tournament.bye." + word)
}

var errDuration = errors.New("web: a duration is minutes, or minutes:seconds")

// ReadDuration reads "5", "1:30" (minutes and seconds) and "0:45".
func ReadDuration(text string) (time.Duration, error) {
	minutes, seconds, both := strings.Cut(strings.TrimSpace(text), ":")
	m, err := strconv.Atoi(minutes)
	if err != nil || m < 0 || m > 1_000_000 {
		return 0, errDuration
	}
	if !both {
		return time.Duration(m) * time.Minute, nil
	}
	n, err := strconv.Atoi(seconds)
	if err != nil || n < 0 || n > 59 || len(seconds) != 2 {
		return 0, errDuration
	}
	return time.Duration(m)*time.Minute + time.Duration(n)*time.Second, nil
}

// WriteDuration writes what ReadDuration reads.
func WriteDuration(d time.Duration) string {
	text := Itoa(int(d / time.Minute))
	if rest := int(d % time.Minute / time.Second); rest > 0 {
		text += ":" + Itoa(rest/10) + Itoa(rest%10)
	}
	return text
}

// StaffAct is the row of an act in the table of duties.
func StaffAct(p lang.Printer, a tournament.Act) templates.StaffAct {
	row := templates.StaffAct{Text: p.T("staff.act." + string(a))}
	for _, d := range tournament.Duties {
		row.May = append(row.May, tournament.Allows(d, a))
	}
	return row
}

// DutyChoices offers all duties.
func DutyChoices(p lang.Printer, chosen tournament.Duty) []templates.Choice {
	var list []templates.Choice
	for _, d := range tournament.Duties {
		list = append(list, templates.Choice{Value: d.String(), Text: p.T("staff.duty." + d.String()), Chosen: d == chosen})
	}
	return list
}

// InvitationOf returns the viewer's open invitation to the staff; nil if there is none.
func InvitationOf(p lang.Printer, v player.Viewer, t *tournament.Tournament) *templates.Invitation {
	for _, m := range t.Staff {
		if v.Is(m.Player) && m.Invited {
			return &templates.Invitation{Text: p.T("staff.invitation", "Duty", p.T("staff.duty."+m.Duty.String())), URL: TournamentURL(t.ID)}
		}
	}
	return nil
}

// Deed is something that a viewer does to a tournament.
type Deed func(ctx context.Context, by player.Viewer, id tournament.ID) error

// audience names the viewers for whom a page of a tournament is the same.
type audience string

const (
	NobodyElse audience = ""       // the viewer alone
	everybody  audience = "public" // each browser marks its own player's line
)

// AudienceOf returns with whom a viewer shares a part of a tournament's pages. Staff see more and share with nobody.
func AudienceOf(t *tournament.Tournament, v player.Viewer, part string) audience {
	isStaff := t.DutyOf(v) != 0 || slices.ContainsFunc(t.Staff, func(m tournament.Member) bool { return v.Is(m.Player) })
	_, _, isRound := RoundOfPart(part)
	switch {
	case !t.MaySee(player.Viewer{}) || isStaff || IsTimed(part):
		return NobodyElse
	case !v.IsSignedIn():
		return everybody
	case !isRound && part != "standings" && part != "crosstable" && part != "wallchart":
		return NobodyElse
	}
	return everybody
}

// IsTimed reports whether a part of a tournament's pages also changes as time passes. Only staff see these.
func IsTimed(part string) bool {
	return part == "boards" || part == "calls" || part == "desk" || part == "dry-run"
}

// RoundPart names the part that shows a round, or of teams one of its matches; 0: all of them.
func RoundPart(round, match int) string {
	if match == 0 {
		return "round-" + Itoa(round)
	}
	return "round-" + Itoa(round) + "." + Itoa(match)
}

// RoundOfPart reads what RoundPart writes.
func RoundOfPart(part string) (round, match int, ok bool) {
	text, ok := strings.CutPrefix(part, "round-")
	text, of, isMatch := strings.Cut(text, ".")
	round, err := strconv.Atoi(text)
	if isMatch && err == nil {
		match, err = strconv.Atoi(of)
	}
	return round, match, ok && err == nil && round > 0 && (match > 0) == isMatch
}

// FragmentType is the Accept header by which page scripts ask for a piece of a page.
const FragmentType = "text/html-fragment"

// ProblemsOf returns what is wrong with settings; nil for any other error.
func ProblemsOf(err error) []tournament.Problem {
	if errors.Is(err, setting.ErrSettings) {
		return refusal.FaultsOf(err)
	}
	return nil
}

// MostProblems is how many faults of an imported file a page shows.
const MostProblems = 30

// ByeKindText names a bye that a player can ask for.
func ByeKindText(p lang.Printer, kind tournament.Outcome) string {
	switch kind {
	case tournament.HalfBye:
		return p.T("entry.bye.half")
	case tournament.FullBye:
		return p.T("entry.bye.full")
	}
	return p.T("entry.bye.zero")
}

// ResolversText says who can remove a blocker.
func ResolversText(p lang.Printer, s tournament.Settings, b outlook.Blocker) string {
	var who []string
	switch {
	case s.HasTeams() && (b.What == outlook.BlockLineUps || b.What == outlook.BlockAbsent):
		who = append(who, p.T("schedule.who.captains"))
	case b.Players:
		who = append(who, p.T("schedule.who.players"))
	}
	for _, d := range b.Resolvers() {
		who = append(who, p.T("schedule.who."+d.String()))
	}
	return p.T("schedule.who", "Who", strings.Join(who, ", "))
}

// CheckInTitle names what players check in to: the event or a round.
func CheckInTitle(p lang.Printer, t *tournament.Tournament, round int) string {
	if t.CheckIn.Scope == tournament.ForEvent {
		return p.T("schedule.check-ins.event")
	}
	return p.T("schedule.check-ins", "Round", round)
}

// WindowText says when a check-in opens and closes.
func WindowText(p lang.Printer, w tournament.Window) string {
	if w.Closes.IsZero() {
		return p.T("schedule.window.open", "From", p.When(w.Opens))
	}
	return p.T("schedule.window", "From", p.When(w.Opens), "To", p.When(w.Closes))
}

// SeesBoards reports whether the viewer sees how the boards stand now. With a delayed feed only staff do.
func SeesBoards(v player.Viewer, t *tournament.Tournament) bool {
	return t.Policy.Feed.IsZero() || t.May(v, tournament.ActDesk)
}

// ValueText renders the value of a tie-break.
func ValueText(p lang.Printer, v tiebreak.Value) string {
	if !v.Defined {
		return "–"
	}
	switch {
	case v.Hundredths%100 == 0:
		return p.Int(int(v.Hundredths / 100))
	case v.Hundredths%10 == 0:
		return p.Decimal(v.Float(), 1)
	}
	return p.Decimal(v.Float(), 2)
}

// FormatText names the format with the number of matches and rounds.
func FormatText(p lang.Printer, t *tournament.Tournament) string {
	text := FormatName(p, t.Settings)
	switch {
	case t.Legs == 4:
		text += ", " + p.T("bracket.four-legs")
	case t.Double && t.Format.HasBracket():
		text += ", " + p.T("bracket.two-legs")
	}
	switch {
	case !t.Format.InRounds():
		text += ", " + p.Length(t.Window)
	case t.Settings.Rounds > 0:
		text += ", " + p.N("tournament.rounds-count", t.Settings.Rounds)
	}
	switch {
	case t.HasTeams():
		text += ", " + p.T("teams.of", "N", t.Teams.Boards)
	case t.IsBattle():
		text += ", " + p.N("battle.of", len(t.Battle.Teams))
	}
	return text
}

// FormatName names a format.
func FormatName(p lang.Printer, s tournament.Settings) string {
	return p.T("tournament.format." + FormatKind(s))
}

// FormatKind returns the last part of the keys of texts about a format, or about a kind of it that
// has texts of its own.
func FormatKind(s tournament.Settings) string {
	switch {
	case s.Double && s.Format.MeetsAll():
		return "double"
	case s.Groups > 0:
		return "groups"
	case s.Losers.IsDouble():
		return "double-elimination"
	}
	return s.Format.String()
}

// OrderFact says what orders equal scores: tie-breaks, in a knock-out how level contests are decided, in an arena how
// points are made.
func OrderFact(p lang.Printer, s tournament.Settings) templates.TournamentFact {
	switch {
	case s.Format.HasBracket():
		return Fact(p.T("bracket.tie"), TieText(p, s.Tie))
	case s.Format.HasOwnOrder():
		return Fact(p.T("arena.points.name"), p.T(s.Format.String()+".points"))
	}
	return Fact(p.T("tournament.tiebreaks"), cmp.Or(TiebreakNames(p, s.Tiebreaks), "–"))
}

// StatusText says how far a tournament is: its round while it plays rounds, otherwise its status.
func StatusText(p lang.Printer, t *tournament.Tournament) string {
	n := len(t.Rounds)
	switch {
	case t.Origin.IsAwaited():
		return p.T("home.status.groups")
	case n == 0 || t.Status.IsOver() || max(n, t.Settings.Rounds) == 1:
		return p.T("home.status." + t.Status.String())
	case t.Pace.IsAtOnce() && len(t.Rounds.Open()) > 1:
		return p.T("home.status." + t.Status.String())
	case t.Format.HasBracket() && !t.Losers.IsDouble():
		return RoundTitle(p, t, n)
	}
	return p.T("home.round-of", "Round", n, "Rounds", max(n, t.Settings.Rounds))
}

// BoardLabel returns the number of a board, after its round's where several rounds are open at once.
func BoardLabel(t *tournament.Tournament, round, board int) string {
	if t.Pace.IsAtOnce() {
		return Itoa(round) + "." + Itoa(board)
	}
	return BoardInRound(t, round, board)
}

// BoardInRound returns the number of a board, of teams that in their match after that of the match.
func BoardInRound(t *tournament.Tournament, round, board int) string {
	if t.HasTeams() && round >= 1 && round <= len(t.Rounds) {
		if n, at := t.Rounds[round-1].InMatch(board); n > 0 {
			return Itoa(n) + "." + Itoa(at)
		}
	}
	return Itoa(board)
}

// RoundsTitle names the round in play, or says that several are.
func RoundsTitle(p lang.Printer, t *tournament.Tournament, open []tournament.Round) string {
	if len(open) == 1 {
		return RoundTitle(p, t, open[0].Number)
	}
	return p.T("tournament.in-play")
}

// RoundTitle names a round; in a knock-out by the stages played in it.
func RoundTitle(p lang.Printer, t *tournament.Tournament, n int) string {
	text := p.T("tournament.round-n", "Round", n)
	if !t.Format.InRounds() {
		return p.T("arena.tab")
	}
	if !t.Format.HasBracket() {
		return text
	}
	var stages []string
	isTie := true
	due := t.ContestsIn(n)
	for _, s := range due {
		isTie = isTie && s.Tie
		if s.Part != contest.Places && s.Part != contest.Consolation || due[0].Part != contest.Main {
			stages = append(stages, StageText(p, t, s.Contest))
		}
	}
	if len(stages) == 0 {
		return text
	}
	text = strings.Join(slices.Compact(stages), " · ")
	if isTie {
		text += ", " + p.T("bracket.tie-break")
	}
	return text
}

// NameOf returns the name of an entry; empty: there is none.
func NameOf(p lang.Printer, t *tournament.Tournament, id tournament.EntryID) string {
	e, err := t.Entry(id)
	if err != nil {
		return ""
	}
	return EntryName(p, e)
}

// NameAt returns the name of the entry with a number.
func NameAt(p lang.Printer, t *tournament.Tournament, number int) string {
	for _, e := range t.Entries {
		if e.Number == number {
			return EntryName(p, e)
		}
	}
	return ""
}

// MatchText names the stage of a contest's next match, and says if that is a tie-break.
func MatchText(p lang.Printer, t *tournament.Tournament, s contest.State) string {
	text := StageText(p, t, s.Contest)
	if s.Tie {
		text += ", " + p.T("bracket.tie-break")
	}
	return text
}

// StageText names the part and the level of a contest, or its level alone where the bracket is one tree.
func StageText(p lang.Printer, t *tournament.Tournament, c contest.Contest) string {
	part, level := PartText(p, t, c), LevelText(p, t, c)
	switch {
	case part == "", c.Part == contest.Lower && t.Levels(c) > c.Level:
		return level
	case c.Part == contest.GrandFinal || c.Part == contest.Reset || c.IsThird():
		return part
	}
	return part + ": " + level
}

// PartText names the tree of a contest; empty for the main tree, unless who loses there goes on in another.
func PartText(p lang.Printer, t *tournament.Tournament, c contest.Contest) string {
	switch {
	case c.Part == contest.Main && !t.Losers.IsDouble():
		return ""
	case c.IsThird():
		return p.T("bracket.third")
	case c.Part == contest.Places:
		return p.T("bracket.part.places", "From", c.Places[0], "To", c.Places[1])
	}
	return p.T("bracket.part." + c.Part.String())
}

// LevelText names a level of a tree: final, semi-finals, round of 16. A lower bracket has two levels of each size, which
// are counted.
func LevelText(p lang.Printer, t *tournament.Tournament, c contest.Contest) string {
	left := t.Levels(c) - c.Level
	switch {
	case c.Part == contest.Places && left == 0:
		return p.T("bracket.place", "Place", c.Places[0])
	case c.Part == contest.Lower && left > 0:
		return p.T("bracket.lower-n", "N", c.Level)
	}
	switch left {
	case 0:
		return p.T("bracket.final")
	case 1:
		return p.T("bracket.semi-finals")
	case 2:
		return p.T("bracket.quarter-finals")
	}
	return p.T("bracket.stage." + Itoa(1<<left))
}

// TieText says how contests with equal scores are decided.
func TieText(p lang.Printer, steps []contest.Step) string {
	list := make([]string, len(steps))
	for i, s := range steps {
		list[i] = p.T("bracket.step." + string(s))
	}
	return strings.Join(list, p.T("bracket.then"))
}

// Fact returns a fact without a hint.
func Fact(name, value string) templates.TournamentFact {
	return templates.TournamentFact{Name: name, Value: value}
}

// NumberText renders a number; empty for 0.
func NumberText(n int) string {
	if n == 0 {
		return ""
	}
	return Itoa(n)
}

// TotalText renders a player's score; empty in a knock-out, where it does not rank.
func TotalText(p lang.Printer, t *tournament.Tournament, sc tournament.Score) string {
	if t.Format.HasBracket() {
		return ""
	}
	return PointsText(p, t, sc)
}

// PointsText renders points of a tournament: halves as decimals where thirds stand beside them, as in Keizer.
func PointsText(p lang.Printer, t *tournament.Tournament, sc tournament.Score) string {
	if t.Format == tournament.Keizer && sc%10 != 0 {
		return p.Decimal(float64(sc)/10, 1)
	}
	return ScoreText(p, sc)
}

// ScoreText renders a score: 2½, ½, 0; other point systems with a decimal.
func ScoreText(p lang.Printer, sc tournament.Score) string {
	switch {
	case sc%10 == 0:
		return p.Int(int(sc) / 10)
	case sc == 5:
		return "½"
	case sc%10 == 5 && sc > 0:
		return p.Int(int(sc)/10) + "½"
	}
	return p.Decimal(float64(sc)/10, 1)
}

// ResultText renders a result as in lists, and in words.
func ResultText(p lang.Printer, k tournament.ResultKind) (text, words string) {
	switch k {
	case tournament.FirstWins:
		return "1 : 0", p.T("tournament.result.first")
	case tournament.SecondWins:
		return "0 : 1", p.T("tournament.result.second")
	case tournament.Drawn:
		return "½ : ½", p.T("tournament.result.draw")
	case tournament.FirstByForfeit:
		return "+ : −", p.T("tournament.result.first-forfeit")
	case tournament.SecondByForfeit:
		return "− : +", p.T("tournament.result.second-forfeit")
	case tournament.DoubleForfeit:
		return "− : −", p.T("tournament.result.double-forfeit")
	}
	return "", ""
}

// Options returns the choices of a selection, their texts by prefix.
func Options(p lang.Printer, prefix, chosen string, words ...string) []templates.Choice {
	list := make([]templates.Choice, len(words))
	for i, w := range words {
		list[i] = templates.Choice{Value: w, Text: p.T(prefix + w), Chosen: w == chosen}
	}
	return list
}

// LostBy says which of the teams of a match, by their seats on board 1, a form or a program means.
var LostBy = map[string][2]bool{"first": {true, false}, "second": {false, true}, "both": {true, true}, "none": {}}

// AtoiOr reads a number, or returns otherwise.
func AtoiOr(text string, otherwise int) int {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
		return n
	}
	return otherwise
}

// SeatText names a seat of the bidding.
func SeatText(p lang.Printer, s match.Seat) string {
	switch s {
	case match.First:
		return p.T("tournament.seat.first")
	case match.Second:
		return p.T("tournament.seat.second")
	}
	return ""
}

// WithQuery returns a path with a query of one value.
func WithQuery(path, name, value string) string {
	return path + "?" + url.Values{name: {value}}.Encode()
}

// EntryIDOf reads the number of an entry; 0 if there is none.
func EntryIDOf(text string) tournament.EntryID {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return tournament.EntryID(n)
}
