package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/fairplay/screening"
)

// evidenceCmd tries what screening says about people whose help is known, because they are made.
type evidenceCmd struct {
	Seed      uint64 `default:"1" help:"Seed of the people and their choices."`
	Reference int    `default:"20000" help:"People beyond doubt by whom a band is calibrated."`
	Honest    int    `default:"20000" help:"Other honest people, who are looked at."`
	Helped    int    `default:"1000" help:"People with each kind of help."`
	Events    int    `default:"600" help:"Events of 60 with three helped people, and as many without."`
	Past      int    `default:"1000" help:"People in each cell of the table by their own past, everybody of whom has a measure of their own."`
	Clubs     int    `default:"10" help:"Clubs of 600 honest people who play ten seasons."`
	Keep      string `help:"File in which finished cells are kept, so that a stopped run goes on." placeholder:"FILE"`
}

// choicesLooked are the numbers of choices at which people are looked at.
var choicesLooked = []int{20, 40, 80, 160}

// mostLooked is the last of choicesLooked; matchChoices is how many of a match's choices count.
const (
	mostLooked   = 160
	matchChoices = 40
)

// cell is the p of people of a band with one kind of help, by choicesLooked.
type cell [][]float64

// rate returns which part of the people is at or below p.
func (c cell) rate(at int, p float64) float64 {
	n := 0
	for _, x := range c[at] {
		if x <= p {
			n++
		}
	}
	return float64(n) / float64(len(c[at]))
}

// evidence is one run.
type evidence struct {
	*evidenceCmd
	std   cli.IO
	world *screening.World
	model screening.Model
	cells map[string]cell // by band and help
	years []season        // of each club: its seasons together
}

// club are the people whose figures are marks: most of a site.
var club = screening.Bands[1]

// season is how many people of a club a machine would have had a concern about, though all of them were honest.
type season struct{ InEvents, Concerns int }

func (e *evidence) seed(what string) [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%d %s", e.Seed, what))
}

// mostPositions is how many positions the world has.
const mostPositions = 4000

// Run prints how often honest and helped people are noticed, and fails if that is less than what docs/evidence.md promises.
func (c *evidenceCmd) Run(ctx context.Context, std cli.IO) error {
	began := time.Now()
	e := &evidence{evidenceCmd: c, std: std, cells: map[string]cell{}}
	if err := e.restore(); err != nil {
		return err
	}
	e.world = screening.NewWorld(mostPositions, e.seed("world"))
	if e.model == (screening.Model{}) {
		if err := e.learn(); err != nil {
			return err
		}
	}
	steps := []func() error{func() error { return e.band(ctx, club.Name, club, 0) }}
	for _, b := range screening.Bands {
		steps = append(steps, func() error { return e.band(ctx, b.Name, b, 0) })
	}
	steps = append(steps, func() error { return e.seasons(ctx) }, func() error { return e.band(ctx, "club, own past", club, screening.OwnPast) })
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	missed := e.print()
	fmt.Fprintf(std.Err, "%d s\n", int(time.Since(began).Seconds()))
	if len(missed) > 0 {
		return cli.Fail(1, "below the mark:\n%s", strings.Join(missed, "\n"))
	}
	return nil
}

// restore reads the cells of an earlier run with the same flags.
func (e *evidence) restore() error {
	if e.Keep == "" {
		return nil
	}
	text, err := os.ReadFile(e.Keep)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	kept := struct {
		Of    string
		Model screening.Model
		Cells map[string]cell
		Years []season
	}{}
	if err := json.Unmarshal(text, &kept); err != nil {
		return fmt.Errorf("%s: %w", e.Keep, err)
	}
	if kept.Of != e.of() {
		return cli.Fail(2, "%s is of another run: %s", e.Keep, kept.Of)
	}
	e.model, e.cells, e.years = kept.Model, kept.Cells, kept.Years
	return nil
}

// of tells runs apart.
func (e *evidence) of() string {
	return fmt.Sprintf("seed %d, %d reference, %d honest, %d helped, %d with a past", e.Seed, e.Reference, e.Honest, e.Helped, e.Past)
}

// keep adds a cell, and writes all.
func (e *evidence) keep(name string, c cell) error {
	e.cells[name] = c
	fmt.Fprintf(e.std.Err, "%s: %d people\n", name, len(c[0]))
	return e.save()
}

// save writes what is known so far.
func (e *evidence) save() error {
	if e.Keep == "" {
		return nil
	}
	text, err := json.Marshal(map[string]any{"Of": e.of(), "Model": e.model, "Cells": e.cells, "Years": e.years})
	if err != nil {
		return err
	}
	if err := os.WriteFile(e.Keep+".new", text, 0o644); err != nil {
		return err
	}
	return os.Rename(e.Keep+".new", e.Keep)
}

// learn fits the model to people as a club has them.
func (e *evidence) learn() (err error) {
	w := e.world.Meanwhile(e.seed("model"))
	var groups []screening.Group
	for _, b := range screening.Bands {
		g := screening.Group{Rating: b.Rating}
		for range 8 * b.Of100 {
			_, matches := w.Person(b, screening.Helps[0], 0, 0, 80)
			g.People = append(g.People, slices.Concat(matches...))
		}
		groups = append(groups, g)
	}
	e.model, err = screening.Fit(groups)
	return err
}

// band looks at the people of a band, by their rating or by so many matches of their own before, as a site does; and, beside club
// players, at people as good as experts who are rated like them.
func (e *evidence) band(ctx context.Context, name string, b screening.Band, past int) error {
	k, ready := screening.Calibration{}, false
	look := func(help string, who screening.Band, h screening.Help, n int) (err error) {
		if _, known := e.cells[name+"/"+help]; known {
			return nil
		}
		if !ready {
			if k, err = e.calibrate(name, b, past); err != nil {
				return err
			}
			ready = true
		}
		return e.look(ctx, name+"/"+help, k, who, h, b.Rating, past, n)
	}
	most := math.MaxInt
	if past > 0 {
		most = e.Past
	}
	helped := min(e.Helped, most)
	for i, h := range screening.Helps {
		n := helped
		if i == 0 {
			n = min(e.Honest, most)
		}
		if err := look(h.Name, b, h, n); err != nil {
			return err
		}
	}
	if b != club {
		return nil
	}
	if err := look("Riser", screening.Bands[len(screening.Bands)-1], screening.Helps[0], helped); err != nil || past == 0 {
		return err
	}
	for _, h := range screening.Helps[1:4] { // as before, so now
		h.AllAlong = true
		if err := look(h.Name+" all along", b, h, helped); err != nil {
			return err
		}
	}
	return nil
}

// look keeps the p of people of a band who are rated so, by a calibration.
func (e *evidence) look(ctx context.Context, name string, k screening.Calibration, who screening.Band, h screening.Help, rating, past, n int) error {
	if _, known := e.cells[name]; known {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	w := e.world.Meanwhile(e.seed(name))
	critical := w.Critical(who)
	found := make(cell, len(choicesLooked))
	byRating := e.model.Baseline(rating)
	shared := e.model.Gauge(byRating)
	for range n {
		before, now := w.Person(who, h, critical, past*matchChoices, mostLooked)
		baseline, others := k.Against(rating, before)
		g := shared
		if baseline != byRating {
			g = e.model.Gauge(baseline)
		}
		choices := slices.Concat(now...)
		for i, moves := range choicesLooked {
			found[i] = append(found[i], others.Rarity(g.Measure(choices[:moves])).P)
		}
	}
	return e.keep(name, found)
}

// calibrate makes the reference of a band: people with so many matches before, which become their own past.
func (e *evidence) calibrate(name string, b screening.Band, past int) (screening.Calibration, error) {
	w := e.world.Meanwhile(e.seed("reference of " + name))
	n := e.Reference
	if past > 0 {
		n = min(n, 2*e.Past)
	}
	people := make([]screening.Person, n)
	for i := range people {
		before, now := w.Person(b, screening.Helps[0], 0, past*matchChoices, mostLooked)
		people[i] = screening.Person{Rating: b.Rating, Baseline: e.model.Baseline(b.Rating), Matches: slices.Concat(before, now)}
	}
	return e.model.Calibrate(people, choicesLooked, n, e.seed("draws of "+name))
}

// What the honest seasons are made of: every member of a club plays an event of four matches in each.
const (
	clubPeople   = 600
	eventPeople  = 60
	clubSeasons  = 10
	yearSeasons  = 4
	seasonChosen = 160
)

// seasons lets clubs of honest people play, and counts the concerns: by each event alone, and as a site has them, by the event
// and the last year. All are judged by one calibration of people of every strength, and each by the rating that they have.
func (e *evidence) seasons(ctx context.Context) error {
	w := e.world.Meanwhile(e.seed("reference of seasons"))
	people := make([]screening.Person, e.Reference)
	for i, m := range w.Members(e.Reference) {
		rating := m.Rating
		people[i] = screening.Person{Rating: rating, Baseline: e.model.Baseline(rating), Matches: [][]screening.Choice{w.Season(m, seasonChosen)}}
	}
	k, err := e.model.Calibrate(people, choicesLooked, e.Reference, e.seed("draws of seasons"))
	if err != nil {
		return err
	}
	for _, b := range screening.Bands {
		for i, h := range screening.Helps {
			n := e.Helped
			if i == 0 {
				n = e.Honest
			}
			if err := e.look(ctx, b.Name+", as a site/"+h.Name, k, b, h, b.Rating, 0, n); err != nil {
				return err
			}
		}
	}
	for n := len(e.years); n < e.Clubs; n++ {
		w := e.world.Meanwhile(e.seed(fmt.Sprint("club ", n)))
		members := w.Members(clubPeople)
		var found season
		var year []float64 // the p of the last four seasons
		for range clubSeasons {
			if err := ctx.Err(); err != nil {
				return err
			}
			var list []float64
			for _, m := range members {
				baseline, others := k.Against(m.Rating, nil)
				list = append(list, others.Rarity(e.model.Gauge(baseline).Measure(w.Season(m, seasonChosen))).P)
			}
			for from := 0; from < len(list); from += eventPeople {
				event := list[from : from+eventPeople]
				found.InEvents += count(screening.Concerns(event, nil))
				found.Concerns += count(screening.Concerns(event, year))
				year = append(year, event...)
				year = year[max(0, len(year)-yearSeasons*clubPeople):]
			}
		}
		e.years = append(e.years, found)
		fmt.Fprintf(e.std.Err, "club %d: %+v\n", n+1, found)
		if err := e.save(); err != nil {
			return err
		}
	}
	return nil
}

func count(list []bool) (n int) {
	for _, is := range list {
		if is {
			n++
		}
	}
	return n
}

// perThousand returns how many of so many people were counted, of a thousand, and the interval of 95 % (Wilson 1927).
func perThousand(counted, of int) (share, from, to float64) {
	const z = 1.96
	n, p := float64(of), float64(counted)/float64(of)
	middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := 1000 / (1 + z*z/n)
	return 1000 * p, scale * (middle - half), scale * (middle + half)
}

// botReplies are how long a strong bot takes for a reply, in the middle: near it, of a program that waits a little, and of one
// that waits like a quick person.
var botReplies = []time.Duration{100 * time.Millisecond, 300 * time.Millisecond, time.Second}

// timed returns how many of so many people are noticed by the times of their replies, in four matches of 40, if those are as a bot
// has them: about the same whatever the position, by a third more or less. Whose choices they are, times do not tell.
func (e *evidence) timed(reply time.Duration, people int) (noticed int) {
	lots := rand.New(rand.NewChaCha8(e.seed("replies of " + reply.String())))
	for range people {
		quick := []review.Reply(nil)
		for range 4 {
			at := time.Unix(0, 0)
			var log []match.Entry
			for range 40 {
				for _, seat := range match.Seats {
					took := 5 * time.Second
					if seat == match.First {
						took = time.Duration(float64(reply) * math.Exp(lots.NormFloat64()/3))
					}
					at = at.Add(took)
					log = append(log, match.Entry{Recorded: match.Recorded{At: at, Event: match.Played{Seat: seat}}})
				}
			}
			quick = append(quick, review.QuickReplies(log, match.First)...)
		}
		if review.Gather(nil, nil, quick, nil)[review.InstantReplies] > 0 {
			noticed++
		}
	}
	return noticed
}

// mark is a least or most share of noticed people.
type mark struct {
	cell     string
	moves    int
	p        float64
	from, to float64
}

// marks are what docs/evidence.md promises.
func marks() (list []mark) {
	for _, moves := range choicesLooked {
		list = append(list, mark{"club/honest", moves, 0.01, 0.006, 0.014}, mark{"club/honest", moves, 0.001, 0, 0.002},
			mark{"club/Riser", moves, 0.01, 0, 0.08})
	}
	for name, least := range map[string][4]float64{
		"A25": {0.06, 0.17, 0.37, 0.64}, "A50": {0.33, 0.61, 0.82, 0.92}, "A100": {0.93, 0.94, 0.94, 0.94}, "Hide": {0.46, 0.93, 0.94, 0.94},
	} {
		for i, moves := range choicesLooked {
			list = append(list, mark{"club/" + name, moves, 0.01, least[i], 1})
		}
	}
	for i, least := range []float64{0.13, 0.39, 0.62, 0.86} {
		list = append(list, mark{"club/A50", choicesLooked[i], 0.001, least, 1})
	}
	return list
}

// print writes the tables, and returns what is below the mark.
func (e *evidence) print() (missed []string) {
	out := e.std.Out
	fmt.Fprintf(out, "%s; shape %.2f, strongest %.4f, strength %.4f at 1400\n", e.of(), e.model.Shape, e.model.Strongest, e.model.Baseline(1400).Of())
	fmt.Fprintf(out, "%-24s", "noticed at .01/.001")
	for _, moves := range choicesLooked {
		fmt.Fprintf(out, "  %4d choices", moves)
	}
	fmt.Fprintln(out)
	var names []string
	for name := range e.cells {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(out, "%-24s", name)
		for i := range choicesLooked {
			fmt.Fprintf(out, "   %.3f/%.3f", e.cells[name].rate(i, 0.01), e.cells[name].rate(i, 0.001))
		}
		fmt.Fprintln(out)
	}
	for _, reply := range botReplies {
		fmt.Fprintf(out, "novice, replies as a bot's of %v: of 1000 in four matches %d are noticed by the times, and by the choices as novice/honest\n",
			reply, e.timed(reply, 1000))
	}
	missed = e.events()
	var all season
	for _, y := range e.years {
		all.InEvents, all.Concerns = all.InEvents+y.InEvents, all.Concerns+y.Concerns
	}
	for _, by := range []struct {
		name string
		n    int
	}{{"by the event alone", all.InEvents}, {"by the event and the year", all.Concerns}} {
		share, from, to := perThousand(by.n, max(1, len(e.years)*clubPeople))
		fmt.Fprintf(out, "%d honest people, %d seasons, concerns %s: %d, of 1000 people %.2f (%.2f to %.2f)\n",
			len(e.years)*clubPeople, clubSeasons, by.name, by.n, share, from, to)
	}
	for _, m := range marks() {
		if got := e.cells[m.cell].rate(slices.Index(choicesLooked, m.moves), m.p); got < m.from || got > m.to {
			missed = append(missed, fmt.Sprintf("%s, %d choices, at %g: %.4f, not %g to %g", m.cell, m.moves, m.p, got, m.from, m.to))
		}
	}
	slices.Sort(missed)
	return missed
}

// events holds events of 60 club players and prints how many of three helped ones get a concern, and which part of the
// concerns is unfounded.
func (e *evidence) events() (missed []string) {
	const most, players, q = 0.08, 60, 0.05
	lots := rand.New(rand.NewChaCha8(e.seed("events")))
	fmt.Fprintf(e.std.Out, "%-24s  %s\n", "events of 60, 3 helped", "concerns among the helped / unfounded part of the concerns")
	for _, help := range []string{"A25", "A50", "A100", "Hide", ""} {
		fmt.Fprintf(e.std.Out, "%-24s", strings.TrimSpace("club "+help))
		for i, moves := range choicesLooked {
			found, unfounded := 0.0, 0.0
			for range e.Events {
				list := make([]float64, players)
				helped := 0
				if help != "" {
					helped = 3
				}
				for k := range list {
					from := e.cells["club/honest"][i]
					if k < helped {
						from = e.cells["club/"+help][i]
					}
					list[k] = from[lots.IntN(len(from))]
				}
				right, wrong := 0.0, 0.0
				for k, p := range screening.Adjust(list, false) {
					switch {
					case p > q:
					case k < helped:
						right++
					default:
						wrong++
					}
				}
				found += right / 3
				unfounded += wrong / max(1, right+wrong)
			}
			found, unfounded = found/float64(e.Events), unfounded/float64(e.Events)
			fmt.Fprintf(e.std.Out, "   %.3f/%.3f", found, unfounded)
			if unfounded > most {
				missed = append(missed, fmt.Sprintf("events with %q, %d choices: %.3f of the concerns are unfounded, not at most %g", help, moves, unfounded, most))
			}
		}
		fmt.Fprintln(e.std.Out)
	}
	return missed
}
