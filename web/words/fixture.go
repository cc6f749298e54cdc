package words

import (
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/fixture"
)

// Duel is a fixture as somebody looks at it: Me is the viewer's side, zero for everybody else.
type Duel[S comparable] struct {
	fixture.Fixture[S]
	Me      S
	IsStill bool           // nothing goes on, such as on vacation
	Name    func(S) string // of a side
	Other   string         // name of the other side
	Their   *time.Location // zone of the other side
	Act     string         // address below which its forms are
}

// FixtureOf returns what the page of a fixture shows of it.
func FixtureOf[S comparable](p lang.Printer, d Duel[S], now time.Time) templates.Fixture {
	var nobody S
	isMine := d.Me != nobody
	view := templates.Fixture{Act: d.Act, Text: d.Text, MayPropose: isMine && d.IsArranging() && !d.IsStill,
		MayDispute: isMine && d.Status == fixture.Claimed && d.Winner != d.Me}
	their := lang.Printer{Lang: p.Lang, Zone: d.Their, Now: p.Now}
	inBoth := func(t time.Time) (mine, theirs string) {
		mine, theirs = p.On(t), their.On(t)
		if isMine && mine != theirs {
			return mine, p.T("ladder.their-time", "Player", d.Other, "Zone", their.Zone.String(), "Time", theirs)
		}
		return mine, ""
	}
	if !d.At.IsZero() && (d.Status == fixture.Scheduled || d.Status == fixture.Playing) {
		view.At, view.AtOther = inBoth(d.At)
	}
	if view.MayPropose {
		view.MinTime, view.MaxTime = civil.Pick(now, p.Zone), civil.Pick(d.PlayBy, p.Zone)
		today := civil.Of(now, p.Zone).Truncate(24 * time.Hour)
		if evening, _ := civil.Resolve(today.Add(43*time.Hour), p.Zone); evening.Before(d.PlayBy) { // 19:00 tomorrow
			view.Evening = civil.Pick(evening, p.Zone)
		}
		view.TimeHint = p.T("ladder.time-hint", "Zone", p.Zone.String(), "Until", p.When(d.PlayBy))
	}
	for _, t := range d.Times {
		if t.At.Before(now) {
			continue
		}
		line := templates.FixtureTime{By: p.T("ladder.proposed-by", "Player", d.Name(t.By)), Value: t.At.UTC().Format(time.RFC3339)}
		line.At, line.Other = inBoth(t.At)
		line.MayAgree = view.MayPropose && t.By != d.Me
		view.Times = append(view.Times, line)
		view.MayAgree = view.MayAgree || line.MayAgree
	}
	if view.MayPropose && len(view.Times) > 0 && !view.MayAgree {
		view.Awaits = p.T("ladder.awaits", "Player", d.Other)
	}
	return view
}
