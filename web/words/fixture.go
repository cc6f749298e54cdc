package words

import (
	"slices"
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
	IsStill bool               // nothing goes on, such as on vacation
	Name    func(S) string     // of a side
	Other   string             // name of the other side
	Days    [2]fixture.DaysOff // of the viewer and of the other side; their zones are those in which times are shown
	Act     string             // address below which its forms are
}

// FixtureOf returns what the page of a fixture shows of it.
func FixtureOf[S comparable](p lang.Printer, d Duel[S], now time.Time) templates.Fixture {
	var nobody S
	isMine := d.Me != nobody
	view := templates.Fixture{Act: d.Act, Text: d.Text, MayPropose: isMine && d.IsArranging() && !d.IsStill,
		MayDispute: isMine && d.Status == fixture.Claimed && d.Winner != d.Me}
	their := lang.Printer{Lang: p.Lang, Zone: d.Days[1].Zone, Now: p.Now}
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
		mine := fixture.DaysOff{Zone: p.Zone, Days: d.Days[0].Days} // days as the viewer reads them
		if from := tomorrow(now, p.Zone); from.Before(d.PlayBy) {
			if evening := fixture.Meet(from, d.PlayBy, mine, d.Days[1]); evening.Before(d.PlayBy) && !evening.IsZero() {
				view.Evening = civil.Pick(evening, p.Zone)
			}
		}
		fixtureDays(p, d, now, &view)
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

// tomorrow returns when the next day begins by the clocks of a zone.
func tomorrow(now time.Time, zone *time.Location) time.Time {
	at, _ := civil.Resolve(civil.Of(now, zone).Truncate(24*time.Hour).Add(24*time.Hour), zone)
	return at
}

// mostFixtureDays is how many days to come are shown to who looks for one.
const mostFixtureDays = 21

// fixtureDays adds the days on which the two can play, if either has crossed out any.
func fixtureDays[S comparable](p lang.Printer, d Duel[S], now time.Time, view *templates.Fixture) {
	isSaid := false
	for at := range fixture.Evenings(now, d.PlayBy, p.Zone) {
		if len(view.Days) == mostFixtureDays {
			break
		}
		day := templates.FixtureDay{Text: p.WeekDay(at), Mine: slices.Contains(d.Days[0].Days, at.In(p.Zone).Format(time.DateOnly)), Theirs: d.Days[1].Has(at)}
		isSaid = isSaid || day.Mine || day.Theirs
		view.Days = append(view.Days, day)
	}
	if !isSaid {
		view.Days = nil
	}
	view.NoDay = isSaid && !slices.ContainsFunc(view.Days, func(x templates.FixtureDay) bool { return !x.Mine && !x.Theirs })
	view.Other = d.Other
}
