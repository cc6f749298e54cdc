package words

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/seats"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/call"
	"chpok.org/chpok/tournament/outlook"
)

// DeskPace is how often the boards desk checks who is there.
const DeskPace = 5 * time.Second

// PeopleOf returns everybody who appears in calls and messages.
func PeopleOf(calls []call.Call, messages []call.Message) []player.ID {
	var ids []player.ID
	for _, c := range calls {
		ids = append(ids, c.Caller, c.TakenBy, c.ResolvedBy)
	}
	for _, m := range messages {
		ids = append(ids, m.By)
	}
	return ids
}

// BoardPoints says with how many points on the board a match ended.
func BoardPoints(p lang.Printer, points [2]int) string {
	return p.T("match.board-points", "First", p.Int(points[0]), "Second", p.Int(points[1]))
}

// CallLine renders a call for a viewer with the capacity o.
func CallLine(p lang.Printer, c call.Call, accounts map[player.ID]player.Player, o assurance.Capacity, me player.Viewer,
	now time.Time) templates.CallLine {
	l := templates.CallLine{
		ID: string(c.ID), Action: MatchURL(c.Match) + "/calls/" + string(c.ID), Who: o.NameOf(accounts[c.Caller]),
		WhoURL: PlayerURL(accounts[c.Caller].Handle),
		Text:   c.Text, When: p.Clock(c.At), Stamp: p.Stamp(c.At), Stopped: c.Stopped, IsOpen: c.IsOpen(),
		WhereURL: MatchURL(c.Match), Where: p.T("calls.where", "Round", c.Round, "Board", c.Board),
		State: "waiting", StateText: p.T("calls.state.waiting"),
	}
	switch {
	case !c.IsOpen():
		l.State, l.StateText = "settled", p.T("calls.state.settled", "Name", string(accounts[c.ResolvedBy].Handle))
		return l
	case c.TakenBy != "":
		l.State, l.StateText = "taken", p.T("calls.state.taken", "Name", string(accounts[c.TakenBy].Handle))
	default:
		l.Age = p.T("calls.age", "Duration", p.Duration(now.Sub(c.At).Truncate(time.Minute)))
	}
	l.MayTake = o.MayJudge && c.TakenBy == ""
	l.MayWithdraw = me.Is(c.Caller)
	if o.MayJudge {
		l.Answer = &templates.Field{Name: "answer-" + string(c.ID), Label: p.T("calls.answer"), Max: call.MaxMessage, Autocomplete: "off"}
	}
	return l
}

// Key is the key of a text that stands inside another.
type Key string

// Refused begins the keys of the texts of what a match refuses.
const Refused = "match.refused."

// errJudged refuses a command that a match does not accept, errStale one on an old sight of it.
var (
	errJudged = refusal.Invalid("match.refused.other", "match: not accepted")
	errStale  = refusal.Conflict("match.refused.stale", "match: the match has moved on")
)

// RefusalOf says why a match refused a command.
func RefusalOf(r *match.Refusal) *refusal.Error {
	of := errJudged
	if r.Code == match.Stale {
		of = errStale
	}
	var args []any
	if r.Bound != "" {
		args = []any{"Bound", Key("match.bound." + r.Bound), "Allowed", r.Allowed, "Nearest", r.Nearest}
	}
	e, _ := errors.AsType[*refusal.Error](refusal.Told(of, r.Code, r.Text(), args...))
	key := Refused + r.Code
	if r.Nearest != "" {
		key += "-nearest"
	}
	if english := (lang.Printer{Lang: lang.English}); english.Has(key) {
		e.Code = key
	}
	return e
}

// Told is the text of a refusal.
func Told(p lang.Printer, e *refusal.Error) string {
	args := slices.Clone(e.Args)
	for i, arg := range args {
		switch v := arg.(type) {
		case Key:
			args[i] = p.T(string(v))
		case time.Time:
			args[i] = p.When(v)
		case time.Duration:
			args[i] = p.Duration(v)
		case fairplay.Assurance:
			args[i] = p.T("fairplay.level." + v.String())
		case int:
			args[i] = p.Int(v)
		}
	}
	return p.T(e.Code, args...)
}

// FaultsText says what is wrong with a position or its features.
func FaultsText(p lang.Printer, problems []board.Problem) string {
	texts := make([]string, len(problems))
	for i, x := range problems {
		args := slices.Clone(x.Args)
		for i, value := range args {
			switch value := value.(type) {
			case board.Color:
				args[i] = p.T("fairplay.analyse.fault." + value.String())
			case rune:
				args[i] = string(value)
			}
		}
		texts[i] = p.T("fairplay.analyse.fault."+x.Code, args...)
	}
	return strings.Join(texts, " ")
}

// RatingText renders a rating with its fraction; "?" marks a provisional one.
func RatingText(p lang.Printer, r store.Rating) string {
	text := r.Rating.String()
	if r.Provisional {
		text += "?"
	}
	return text
}

// MidFrame is the part of a match page about checks during the match.
type MidFrame struct {
	MayAsk bool            // this player may be asked to unlock their device
	Grace  int             // seconds for which the clock stands still
	Open   *seats.MidCheck // the check that waits for this player
	Done   string          // how their last check ended, while the match runs; empty: there was none
}

// KingPoints, RankPoints and TypePoints pick one source of a player's points.
func KingPoints(s match.Sources) int { return s.Kings }

func RankPoints(s match.Sources) int { return s.Ranks }

func TypePoints(s match.Sources) int { return s.Types }

// RuledID returns the anchor of the line that explains why a board's result differs from its match's.
func RuledID(round, board int) string { return "ruled-" + Itoa(round) + "-" + Itoa(board) }

// GroupText names a group of an event, from 0.
func GroupText(p lang.Printer, i int) string {
	return p.T("tournament.group", "Letter", GroupLetter(i))
}

// GroupLetter names a group of an event in short, from 0.
func GroupLetter(i int) string { return string(rune('A' + i)) }

// RuledIn returns the RuledID for an entry's board in a round; empty if the result is the match's own.
func RuledIn(t *tournament.Tournament, id tournament.EntryID, round int) string {
	if b, ruled := t.RuledBoard(id, round); ruled {
		return RuledID(round, b.Board)
	}
	return ""
}

// FirstRuled returns the first RuledID of an entry; empty if it has none.
func FirstRuled(t *tournament.Tournament, id tournament.EntryID) string {
	for n := range t.Rounds {
		if at := RuledIn(t, id, n+1); at != "" {
			return at
		}
	}
	return ""
}

// RuledRounds lists, for files, the rounds in which an entry's result differs from its match's.
func RuledRounds(t *tournament.Tournament, id tournament.EntryID) string {
	var rounds []string
	for n := range t.Rounds {
		if _, ruled := t.RuledBoard(id, n+1); ruled {
			rounds = append(rounds, Itoa(n+1))
		}
	}
	return strings.Join(rounds, " ")
}

// LeavingText tells what it does if an entry leaves now.
func LeavingText(p lang.Printer, t *tournament.Tournament, e tournament.Entry) string {
	if t.Status < tournament.Running || e.Number == 0 {
		return p.T("entry.leaving.before")
	}
	switch {
	case t.Format.HasBracket():
		return p.T("entry.leaving.knock-out")
	case t.LeavingAnnuls(e):
		return p.T("entry.leaving.annulled")
	case t.Leave == tournament.LeaveForfeits:
		return p.T("entry.leaving.forfeits")
	case t.Format.HasTable():
		return p.T("entry.leaving.table")
	}
	return p.T("entry.leaving.rounds")
}

// ReturningText tells players whether they can come back by themselves.
func ReturningText(p lang.Printer, t *tournament.Tournament) string {
	switch {
	case t.Status < tournament.Running && t.Settings.Entry.Approval:
		return p.T("entry.returning.approval")
	case t.Status < tournament.Running:
		return p.T("entry.returning.before")
	case t.Format.HasBracket():
		return p.T("entry.returning.bracket")
	case t.Format.HasTable():
		return p.T("entry.returning.table")
	}
	return p.T("entry.returning.self")
}

// InterestLine tells of an act of somebody on the staff that touched their own place.
func InterestLine(p lang.Printer, t *tournament.Tournament, n tournament.Interest) templates.RuledLine {
	e, _ := t.Entry(n.Entry)
	text := p.T("tournament.interest", "Name", EntryName(p, e), "Act", p.T("staff.act."+string(n.Act)), "When", p.When(n.At))
	if n.Was != n.Is {
		text += " " + p.T("tournament.interest.place", "Was", n.Was, "Is", n.Is)
	}
	return templates.RuledLine{ID: "act-" + strconv.FormatInt(n.Seq, 10), Text: text}
}

// ActsOf lists the lines of the log with such acts of an entry, for programs.
func ActsOf(t *tournament.Tournament, id tournament.EntryID) string {
	var lines []string
	for _, n := range t.Interests {
		if n.Entry == id {
			lines = append(lines, strconv.FormatInt(n.Seq, 10))
		}
	}
	return strings.Join(lines, " ")
}

// RuledLine says who gave a board its result, when and why, and what stood there before.
func RuledLine(p lang.Printer, t *tournament.Tournament, round int, b tournament.Pairing,
	names map[player.ID]string) templates.RuledLine {
	r := b.Result
	var parts []string
	switch who := names[r.By]; {
	case r.Was != tournament.Pending:
		parts = append(parts, p.T("tournament.ruled.rule"))
	case t.IsOwn(b):
		parts = append(parts, p.T("tournament.ruled.by", "Who", who+" ("+p.T("tournament.ruled.own")+")", "When", p.When(r.At)))
	case who == "":
		parts = append(parts, p.When(r.At))
	default:
		parts = append(parts, p.T("tournament.ruled.by", "Who", who, "When", p.When(r.At)))
	}
	if r.Why != "" {
		parts = append(parts, "“"+r.Why+"”")
	}
	if before, _ := ResultText(p, max(r.Stood, r.Was)); before != "" {
		parts = append(parts, p.T("tournament.ruled.before", "Result", before))
	}
	if rated, _ := ResultText(p, r.Rated); rated != "" {
		parts = append(parts, p.T("tournament.ruled.rated", "Result", rated))
	}
	first, _ := t.Entry(b.First) // a pairing's entries are in the tournament
	second, _ := t.Entry(b.Second)
	text, _ := ResultText(p, r.Kind)
	return templates.RuledLine{ID: RuledID(round, b.Board), Text: p.T("tournament.ruled.line",
		"Round", round, "Board", b.Board, "First", EntryName(p, first),
		"Second", EntryName(p, second), "Result", text, "Note", strings.Join(parts, "; "))}
}

// RuledNote is RuledLine for files; empty if the result is the match's own.
func RuledNote(t *tournament.Tournament, b tournament.Pairing, names map[player.ID]string) string {
	if !t.IsRuled(b) {
		return ""
	}
	r := b.Result
	parts := []string{r.At.UTC().Format(time.RFC3339)}
	if who := names[r.By]; who != "" {
		parts = append([]string{"by " + who}, parts...)
	}
	if r.Why != "" {
		parts = append(parts, strconv.Quote(r.Why))
	}
	if before := max(r.Stood, r.Was); before != tournament.Pending {
		parts = append(parts, "before "+before.String())
	}
	if r.Rated != tournament.Pending {
		parts = append(parts, "rated "+r.Rated.String())
	}
	return strings.Join(parts, ", ")
}

// Declarations are the results that an arbiter can declare.
var Declarations = []struct {
	Word    string
	Outcome match.Outcome
	Forfeit bool
}{
	{"first", match.FirstWins, false}, {"second", match.SecondWins, false}, {"draw", match.Draw, false},
	{"first-forfeit", match.FirstWins, true}, {"second-forfeit", match.SecondWins, true}, {"both-lose", match.BothLose, true},
}

// RevisedTo returns the sequence number to which an event takes the match back.
func RevisedTo(e match.Event) (int64, bool) {
	switch e := e.(type) {
	case match.TakenBack:
		return e.To, true
	case match.Reopened:
		return e.To, true
	}
	return 0, false
}

// Device names a browser so that its owner recognizes it: "Firefox, Linux".
func Device(p lang.Printer, agent string) string {
	browser := firstOf(agent, "Edg/", "Edge", "OPR/", "Opera", "Firefox/", "Firefox", "Chrome/", "Chrome", "Safari/", "Safari")
	system := firstOf(agent, "Android", "Android", "iPhone", "iPhone", "iPad", "iPad", "Windows", "Windows", "Mac OS", "macOS", "Linux",
		"Linux")
	switch {
	case browser == "" && system == "":
		return p.T("settings.device-unknown")
	case browser == "" || system == "":
		return browser + system
	}
	return browser + ", " + system
}

// firstOf returns the name that follows the first mark found in text; pairs alternates marks and names.
func firstOf(text string, pairs ...string) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		if strings.Contains(text, pairs[i]) {
			return pairs[i+1]
		}
	}
	return ""
}

// Kinds lists the kinds of pieces in the usual order.
var Kinds = [...]board.Kind{board.King, board.Queen, board.Rook, board.Bishop, board.Knight, board.Dragon, board.Pawn}

// LengthText says how long something takes, the same way everywhere: usually 20 min, never more than 40 min; or just 30 d at
// most, where nobody knows what is usual.
func LengthText(p lang.Printer, usual, most time.Duration) string {
	if usual == most {
		return p.T("core.length.most", "Most", p.Length(most))
	}
	return p.T("core.length", "Usual", p.Length(usual), "Most", p.Length(most))
}

// MatchLength says how long a match takes, with the wait for its players.
func MatchLength(p lang.Printer, o match.Options) string {
	return LengthText(p, o.Usual(), o.Longest())
}

// EventLength says how long an event for so many takes: its days, if its rounds have more than one, else how long all rounds
// take, each until its last board ends.
func EventLength(p lang.Printer, s tournament.Settings, rounds, entries int) string {
	last := outlook.RoundOf(s, entries*max(s.Teams.Boards, 1)/2)
	switch s.Pace {
	case tournament.Correspondence:
		rounds = 1 // all at once
	case tournament.Arranged: // at times of their own within the windows of the rounds
		return p.Length(time.Duration(rounds) * s.Window)
	}
	breaks := time.Duration(rounds-1) * s.Break
	if n := len(s.Times); n > 0 && s.Pace == tournament.Times {
		if p.Date(s.Times[0]) != p.Date(s.Times[n-1]) {
			return p.Day(s.Times[0]) + " – " + p.Day(s.Times[n-1])
		}
		breaks = s.Times[n-1].Sub(s.Times[0])
		rounds = 1
	}
	return LengthText(p, (time.Duration(rounds)*last + breaks).Round(time.Minute), time.Duration(rounds)*s.WorstRound()+breaks)
}
