package fairplay

import (
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

// dossierViewer makes the page of all that is recorded about a player.
type dossierViewer struct {
	lang.Printer
	judges.Dossier
	me      player.Viewer
	own     bool
	now     time.Time
	filled  echo.Context // the request; its form was refused if trouble is not empty
	trouble string
}

func (v dossierViewer) url() string {
	return dossierURL(v.Dossier, v.own)
}

func dossierURL(d judges.Dossier, own bool) string {
	if own {
		return judges.DossierPath(d.Place, "me")
	}
	return judges.DossierPath(d.Place, d.Of.Handle)
}

func (v dossierViewer) view() fairplayview.DossierView {
	view := fairplayview.DossierView{Title: v.T("review.title", "Name", v.PlayerName()), Lead: v.T("review.lead"), Classes: v.classes(),
		Reports: v.reports()}
	if v.own {
		view.Title, view.Lead, view.Export = v.T("review.title-own"), v.T("review.lead-own"), apiURL(v.Dossier, true)("")
	}
	for _, r := range v.Pairs {
		view.Pairs = append(view.Pairs, v.T("review.pairs.line", "Name", v.name(r.Opponent), "Score", v.Decimal(float64(r.Halves)/2, 1),
			"Matches", v.Int(r.Matches),
			"Expected", v.Decimal(float64(r.Expected)/100, 1), "Surprise", v.signed(r.Z)))
	}
	for _, b := range v.Boards {
		view.Boards = append(view.Boards, v.board(b))
	}
	running := false
	for _, r := range v.Reviews {
		running = running || r.Status != review.StatusClosed
		if v.own && r.Status == review.StatusOpen {
			continue // they have not been told of it yet; the signals are above
		}
		view.Reviews = append(view.Reviews, v.review(r))
	}
	for _, l := range v.Accesses {
		view.Looks = append(view.Looks, fairplayview.ReviewStep{When: v.When(l.At), Stamp: v.Stamp(l.At), Who: v.name(l.By)})
	}
	if v.Keeps && !running {
		view.Open = v.url()
	}
	if v.HasMoves && v.ShowsMoves() {
		view.Moves = v.url() + "/moves"
	}
	return view
}

// signed returns a number with its sign and one decimal.
func (v dossierViewer) signed(z float64) string {
	if z < 0 {
		return v.Decimal(z, 1)
	}
	return "+" + v.Decimal(z, 1)
}

func (v dossierViewer) classes() []fairplayview.ClassLine {
	var out []fairplayview.ClassLine
	for _, w := range v.Evidence.Weigh() {
		key := strings.ToLower(string(w.Class))
		l := fairplayview.ClassLine{Name: v.T("review.class." + key), About: v.T("review.class-about." + key), Range: v.T("review.weight.none")}
		if w.High > 0 {
			l.Range = v.T("review.weight.range", "High", v.Decimal(float64(w.High)/100, 1), "Cap", v.Decimal(float64(w.Class.Cap())/100, 1))
		}
		for _, k := range w.Kinds {
			l.Kinds = append(l.Kinds, v.T("review.kind."+k)+" "+v.Int(v.Evidence[k])+"×")
		}
		out = append(out, l)
	}
	return out
}

func (v dossierViewer) board(b judges.BoardRecord) fairplayview.DossierBoard {
	other := v.Names[b.Head.Players[b.Seat.Other().Index()]]
	out := fairplayview.DossierBoard{Title: v.T("review.board", "Round", b.Round, "Board", b.Board, "Against", words.PlayerName(v.Printer, other)),
		URL: words.MatchURL(b.Head.ID)}
	if b.Round == 0 {
		out.Title = v.T("review.board-alone", "Date", v.Day(b.Head.OpenedAt), "Against", words.PlayerName(v.Printer, other))
	}
	add := func(text string) { out.Lines = append(out.Lines, text) }
	add(v.T("review.line.level", "Demanded", form.LevelText(v.Printer, b.Policy.OrOpen().Level), "Achieved",
		levelOrNone(v.Printer, b.Head.Achieved)))
	for _, f := range b.Facts {
		line := v.T("review.fact." + string(f.Kind))
		if f.Demand != "" {
			line += ": " + v.T("fairplay.demand."+string(f.Demand))
		}
		add(line + " · " + v.When(f.At))
	}
	for _, s := range b.Signals {
		add(v.T("review.kind."+string(s.Kind)) + " · " + v.When(s.At) + " · " + v.T("fairplay.signal-means."+string(s.Kind)))
	}
	for _, t := range words.TellCounts(v.Printer, b.Telemetry) {
		add(t)
	}
	if b.Broken {
		add(v.T("review.line.broken"))
	}
	if n := len(b.Quick); n > 0 {
		add(v.T("review.line.quick", "Count", v.Int(n)))
	}
	if n := len(b.Devices); n > 0 {
		add(v.T("review.line.devices", "Count", v.Int(n)))
	}
	for _, x := range b.Watch.Checks {
		add(v.T("review.line.check", "Name", string(v.Names[b.Watch.Steward].Handle), "Note", x.Note) + " · " + v.When(x.At))
	}
	return out
}

func levelOrNone(p lang.Printer, level fairplay.Assurance) string {
	if level == 0 {
		return p.T("review.line.unknown")
	}
	return form.LevelText(p, level)
}

// reports returns the reports about the player. The player sees only that there are some, and only arbiters see whose.
func (v dossierViewer) reports() []string {
	var out []string
	for _, r := range v.Reports {
		line := v.When(r.At)
		if v.Keeps {
			line += " · " + string(v.Names[r.By].Handle)
		}
		if !v.own {
			line += ": " + r.Text
		}
		out = append(out, line)
	}
	return out
}

func (v dossierViewer) review(r store.Review) fairplayview.ConcernView {
	view := fairplayview.ConcernView{Title: v.T("review.concern", "Date", v.Day(r.OpenedAt)),
		Status: v.T("review.status." + string(r.Status)), Unfolded: !v.Keeps}
	answerBy := "review.answer-by"
	if v.own {
		view.Status, answerBy = v.T("review.status-own."+string(r.Status)), "review.answer-by-own"
	}
	term := func(key string, at time.Time) {
		if !at.IsZero() {
			view.Terms = append(view.Terms, v.T(key, "Date", v.When(at)))
		}
	}
	if r.Status == review.StatusTold {
		term(answerBy, r.AnswerBy())
	}
	if r.Status == review.StatusDecided {
		term("review.appeal-by", r.AppealBy())
	}
	term("review.judge-by", r.JudgeBy())
	if by := r.JudgeBy(); !by.IsZero() && !v.now.Before(by) {
		view.Terms = append(view.Terms, v.T("review.overdue"))
	}
	if r.Decided != nil {
		view.Terms = append(view.Terms, v.T("review.decided", "What", v.T("review.decision."+string(r.Decided.Decision))))
	}
	term("review.excluded", r.Excluded)
	if r.Overturned {
		view.Terms = append(view.Terms, v.T("review.overturned"))
	}
	for _, e := range r.Explained {
		view.Explained = append(view.Explained, v.T("review.explanation."+string(e)))
	}
	if r.Proposed != nil {
		view.Proposed = v.T("review.proposed", "What", v.T("review.decision."+string(r.Proposed.Decision)), "Name", v.name(r.Proposed.By), "Why",
			r.Proposed.Why)
	}
	for _, s := range r.Steps {
		step := fairplayview.ReviewStep{When: v.When(s.At), Stamp: v.Stamp(s.At), Who: v.name(s.By), What: v.T("review.step." + s.Kind),
			Text: s.Text}
		switch s.Kind {
		case review.StepPropose, review.StepDecide, review.StepReject:
			step.What += ": " + v.T("review.decision."+s.Word)
		case review.StepOpen:
			step.What += ": " + v.T("review.opened-by."+s.Word)
		}
		view.Steps = append(view.Steps, step)
	}
	view.Forms = v.forms(r)
	return view
}

func (v dossierViewer) name(id player.ID) string {
	if id == "" {
		return v.T("review.site")
	}
	return words.PlayerName(v.Printer, v.Names[id])
}

// forms returns what the viewer may do in a review now.
func (v dossierViewer) forms(r store.Review) []fairplayview.ReviewForm {
	var out []fairplayview.ReviewForm
	add := func(do string, change func(*fairplayview.ReviewForm)) {
		f := fairplayview.ReviewForm{Action: v.url(), Review: r.ID, Steps: words.Itoa(len(r.Steps)), Do: do, Title: v.T("review.do." + do), Button: v.T("review.do." + do),
			Lead: v.T("review.do-lead." + do)}
		f.Text, f.Unfolded = &templates.Field{Label: v.T("review.words")}, !v.Keeps
		if v.trouble != "" && v.filled.FormValue("do") == do && v.filled.FormValue("review") == r.ID {
			f.Trouble, f.Text.Value = v.trouble, words.Shorten(v.filled.FormValue("text"), 4000)
		}
		if change != nil {
			change(&f)
		}
		out = append(out, f)
	}
	if v.own {
		if r.Status == review.StatusTold && r.Answer == "" {
			add(review.StepAnswer, nil)
		}
		if r.Status == review.StatusDecided && v.now.Before(r.AppealBy()) {
			add(review.StepAppeal, nil)
		}
		return out
	}
	if !v.Keeps || r.Status == review.StatusClosed {
		return out
	}
	if r.Status == review.StatusOpen {
		add(review.StepTell, nil)
	}
	if r.Status == review.StatusOpen || r.Status == review.StatusTold {
		add(review.StepExplain, func(f *fairplayview.ReviewForm) {
			f.Text = nil
			for _, e := range review.Explanations {
				f.Checks = append(f.Checks, templates.Choice{Value: string(e), Text: v.T("review.explanation." + string(e)),
					Chosen: slices.Contains(r.Explained, e)})
			}
		})
		if r.Proposed == nil {
			add(review.StepPropose, v.decisionForm)
		} else {
			if r.Proposed.By != v.me.ID {
				add("confirm", func(f *fairplayview.ReviewForm) {
					f.Text, f.Danger = nil, true
					if r.Proposed.Decision == review.DecideAnnul {
						f.Lead += " " + v.annulling()
					}
				})
			}
			add(review.StepReject, nil)
		}
	}
	if r.MayJudge(v.As(v.me.ID), v.me.MayOperate()) == nil {
		add(review.StepUphold, nil)
		add(review.StepOverturn, nil)
	}
	add(review.StepNote, nil)
	return out
}

// value returns a field of a refused form; empty for other forms.
func (v dossierViewer) value(f fairplayview.ReviewForm, key string) string {
	if f.Trouble == "" {
		return ""
	}
	return words.Shorten(v.filled.FormValue(key), 40)
}

// annulling tells what the tournament's settings make of annulled results.
func (v dossierViewer) annulling() string {
	return v.T("review.annulling", "Policy", v.T("desk.leaving."+v.Tournament.Expulsion.String()))
}

func (v dossierViewer) decisionForm(f *fairplayview.ReviewForm) {
	if v.Tournament != nil {
		f.Lead += " " + v.annulling()
	}
	for _, d := range review.DecisionsIn(v.Place) {
		text := v.T("review.decision." + string(d))
		if d.NeedsTwo() {
			text += " " + v.T("review.two")
		}
		f.Radios = append(f.Radios, templates.Choice{Value: string(d), Text: text, Chosen: v.value(*f, "decision") == string(d)})
	}
	for _, g := range review.Grounds {
		f.Grounds = append(f.Grounds, templates.Choice{Value: string(g), Text: v.T("review.ground." + string(g)),
			Chosen: v.value(*f, "ground") == string(g)})
	}
	f.Fields = []templates.Field{{Name: "days", Label: v.T("review.days"), Type: "number", Autocomplete: "off", Value: v.value(*f, "days")}}
}

// watchView returns one side of a board as its steward sees it.
func watchView(p lang.Printer, d assurance.Duty) fairplayview.WatchView {
	w := fairplayview.WatchView{
		Match: string(d.Head.ID), Seat: words.Itoa(int(d.Seat)), URL: words.MatchURL(d.Head.ID),
		State: p.T("review.steward.state." + watchState(d)),
		Title: p.T("review.steward.board", "Round", d.Round, "Board", d.Board, "Name", words.EntryName(p, d.Entry),
			"Against", words.EntryName(p, d.Against)),
	}
	for _, x := range d.Watch.Checks {
		w.Checks = append(w.Checks, fairplayview.ReviewStep{When: p.When(x.At), Stamp: p.Stamp(x.At), Text: x.Note})
	}
	deed := func(do string) {
		w.Deeds = append(w.Deeds, templates.Choice{Value: do, Text: p.T("review.steward.do." + do)})
	}
	over := d.Head.Status == match.Over
	switch {
	case d.IsDone():
	case d.Watch.Accepted.IsZero():
		deed("accept")
	case d.Watch.Opened.IsZero() && !over:
		deed("open")
	case !over && d.Watch.Absent.IsZero():
		deed("absent")
	case !over:
		deed("present")
	}
	w.MayNote = !d.Watch.Opened.IsZero() && !d.IsDone()
	if over && !d.IsDone() {
		verdicts := []fairplay.FactKind{fairplay.StewardSigned, fairplay.StewardPartly, fairplay.StewardNot}
		if d.Watch.Opened.IsZero() {
			verdicts = verdicts[2:]
		}
		for _, k := range verdicts {
			w.Verdicts = append(w.Verdicts, templates.Choice{Value: string(k), Text: p.T("review.fact." + string(k))})
		}
	}
	return w
}

func watchState(d assurance.Duty) string {
	switch w := d.Watch; {
	case d.IsDone():
		return string(w.Verdict)
	case d.Head.Status == match.Over:
		return "to-sign"
	case !w.Absent.IsZero():
		return "absent"
	case !w.Opened.IsZero():
		return "opened"
	case !w.Accepted.IsZero():
		return "accepted"
	}
	return "named"
}

// stewardLines returns the entries of an event with their stewards.
func (s pages) stewardLines(c echo.Context, p lang.Printer, t *tournament.Tournament,
	duties []assurance.Duty) ([]fairplayview.StewardLine, error) {
	var ids []player.ID
	for _, e := range t.Entries {
		if e.Steward != "" {
			ids = append(ids, e.Steward)
		}
	}
	who, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[player.ID]player.Player, error) {
		return tx.Players(ids...)
	})
	if err != nil {
		return nil, err
	}
	wanted, err := s.Arbiter.Assurance.ToWatch(c.Request().Context(), t.ID)
	if err != nil {
		return nil, err
	}
	var lines []fairplayview.StewardLine
	for _, e := range t.Entries {
		if e.Status != tournament.Active || e.Player == "" || e.Bot {
			continue
		}
		l := fairplayview.StewardLine{Entry: words.Itoa(int(e.ID)), Name: e.Name, Steward: string(who[e.Steward].Handle)}
		if i := slices.IndexFunc(duties, func(d assurance.Duty) bool { return d.Entry.ID == e.ID }); i >= 0 { // the latest round
			l.State = p.T("review.steward.state." + watchState(duties[i]))
		}
		if wanted[e.Player] {
			l.State = strings.TrimSpace(p.T("review.steward.state.wanted") + " " + l.State)
		}
		lines = append(lines, l)
	}
	return lines, nil
}
