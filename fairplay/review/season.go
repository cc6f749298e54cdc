package review

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
)

// CountFloor is the smallest number that is published. Smaller ones, even zero, are shown
// as "fewer", so that no number points at a person.
const CountFloor = 5

// Month is a month in UTC, such as 2026-11.
type Month string

// MonthOf returns the month of t.
func MonthOf(t time.Time) Month { return Month(t.UTC().Format("2006-01")) }

// Bounds returns the first moments of the month and of the next.
func (m Month) Bounds() (from, to time.Time) {
	from, _ = time.Parse("2006-01", string(m))
	return from, from.AddDate(0, 1, 0)
}

// Season is a quarter of a year, in UTC.
type Season struct{ Year, Quarter int }

// SeasonOf returns the season of a month.
func SeasonOf(m Month) Season {
	from, _ := m.Bounds()
	return Season{from.Year(), (int(from.Month())-1)/3 + 1}
}

// String returns a name such as 2026-Q4.
func (s Season) String() string { return fmt.Sprintf("%d-Q%d", s.Year, s.Quarter) }

// ParseSeason reads what String writes.
func ParseSeason(text string) (s Season, ok bool) {
	if n, err := fmt.Sscanf(text, "%4d-Q%1d", &s.Year, &s.Quarter); n != 2 || err != nil || s.String() != text || s.Quarter < 1 || s.Quarter > 4 {
		return Season{}, false
	}
	return s, true
}

// SeasonAt returns the season of a moment.
func SeasonAt(t time.Time) Season { return SeasonOf(MonthOf(t)) }

// IsOver reports whether the season is over at now.
func (s Season) IsOver(now time.Time) bool {
	return !now.Before(time.Date(s.Year, time.Month(3*s.Quarter+1), 1, 0, 0, 0, 0, time.UTC))
}

// Counts counts what happened in a month or a season by name, such as
// "demanded.verified", "decided.talk", or "days.14" for the days from opening to
// decision.
type Counts map[string]int

// Add adds more to c.
func (c Counts) Add(more Counts) {
	for name, n := range more {
		c[name] += n
	}
}

// Lowerings lists the reasons (Reason.Key) for achieving less than was demanded that are
// counted by name; the rest is "other".
var Lowerings = []string{
	"no-check-in", "no-telemetry", "mid-check-missed", string(fairplay.SecondSession),
	string(fairplay.UnsignedMove), string(fairplay.TokenMove), "not-attested", "no-text", "waived",
	"no-steward", string(fairplay.StewardPartly), string(fairplay.StewardNot), "bot", "other",
}

// CountLowered counts each reason why a match achieved less, once.
func (c Counts) CountLowered(a fairplay.Achievement) {
	seen := map[string]bool{}
	for _, r := range a.Reasons {
		key := r.Key
		if !slices.Contains(Lowerings, key) {
			key = "other"
		}
		if r.Caps > 0 && !seen[key] {
			seen[key] = true
			c["lowered."+key]++
		}
	}
}

// CountReviews counts the steps of reviews with from <= time < to: openings by cause,
// decisions and the days they took, appeals and overturnings.
func CountReviews(list []Review, from, to time.Time) Counts {
	c := Counts{}
	in := func(t time.Time) bool { return !t.Before(from) && t.Before(to) }
	for _, r := range list {
		for _, s := range r.Steps {
			if !in(s.At) {
				continue
			}
			switch s.Kind {
			case StepOpen:
				c["opened."+s.Word]++
			case StepDecide:
				c["decided."+s.Word]++
				c["days."+strconv.Itoa(int(s.At.Sub(r.OpenedAt)/(24*time.Hour)))]++
			case StepAppeal:
				c["appeals.appealed"]++
			case StepOverturn:
				c["appeals.overturned"]++
			}
		}
	}
	return c
}

// JudgeCounts lists what is counted about judges: decisions they made or confirmed, those
// among them that an appeal overturned, reviews they opened that found nothing, and
// reviews that ended while they had only looked.
var JudgeCounts = []string{"decided", "overturned", "opened-for-nothing", "looked-only"}

// CountJudges counts JudgeCounts by person for from <= time < to; looks are those at the
// dossier of each review, by its id.
func CountJudges(list []Review, looks map[string][]Access, from, to time.Time) map[player.ID]Counts {
	out := map[player.ID]Counts{}
	add := func(id player.ID, name string) {
		if id == "" {
			return
		}
		if out[id] == nil {
			out[id] = Counts{}
		}
		out[id][name]++
	}
	in := func(t time.Time) bool { return !t.Before(from) && t.Before(to) }
	for _, r := range list {
		if in(r.DecidedAt) {
			add(r.Decided.By, "decided")
			add(r.Second, "decided")
		}
		if !in(r.ClosedAt) {
			continue
		}
		if r.Overturned {
			add(r.Decided.By, "overturned")
			add(r.Second, "overturned")
		}
		if !r.IsUpheld() && !r.Overturned {
			add(r.Steps[0].By, "opened-for-nothing")
		}
		seen := map[player.ID]bool{}
		for _, l := range looks[r.ID] {
			if !seen[l.By] && !l.At.Before(r.OpenedAt) && !l.At.After(r.ClosedAt) && !r.IsInvolved(l.By) {
				seen[l.By] = true
				add(l.By, "looked-only")
			}
		}
	}
	return out
}

// Number is one published number.
type Number struct {
	Name string
	N    int
	Few  bool // fewer than CountFloor; N is meaningless
}

// Group is a group of numbers. It has no sum, which would give away a withheld number.
type Group struct {
	Name  string
	Lines []Number
}

// SeasonNumbers is what is published about a season.
type SeasonNumbers struct {
	Season
	Over   bool
	Groups []Group // reviews only after its end: growing numbers would give away the day
}

// NumbersOf returns the numbers of a season from its counts.
func NumbersOf(s Season, c Counts, now time.Time) SeasonNumbers {
	out := SeasonNumbers{Season: s, Over: s.IsOver(now)}
	group := func(name string, lines ...string) {
		g := Group{Name: name}
		for _, line := range lines {
			g.Lines = append(g.Lines, published(line, c[name+"."+line]))
		}
		out.Groups = append(out.Groups, g)
	}
	var levels []string
	for _, l := range fairplay.Levels {
		levels = append(levels, l.String())
	}
	group("demanded", levels...)
	group("achieved", levels...)
	group("check-in", "passkey", "code", "waived")
	group("lowered", Lowerings...)
	if !out.Over {
		return out
	}
	group("opened", words(Openings)...)
	group("decided", words(Decisions)...)
	group("appeals", "appealed", "overturned")
	median, enough := medianDays(c)
	out.Groups = append(out.Groups, Group{"days", []Number{{Name: "median", N: median, Few: !enough}}})
	return out
}

func words[W ~string](list []W) (out []string) {
	for _, w := range list {
		out = append(out, string(w))
	}
	return out
}

func published(name string, n int) Number {
	if n < CountFloor {
		return Number{Name: name, Few: true}
	}
	return Number{Name: name, N: n}
}

// medianDays returns the median of days to a decision, the lower of the middle two; false
// for fewer than CountFloor decisions.
func medianDays(c Counts) (median int, enough bool) {
	var days []int
	for name, n := range c {
		if text, ok := strings.CutPrefix(name, "days."); ok {
			d, _ := strconv.Atoi(text)
			days = append(days, slices.Repeat([]int{d}, n)...)
		}
	}
	if len(days) < CountFloor {
		return 0, false
	}
	slices.Sort(days)
	return days[(len(days)-1)/2], true
}
