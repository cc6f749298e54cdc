package load

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// growth compares a site with years of matches and one that is almost new: two servers
// side by side, asked in turns, so that other load on the machine hits both alike.
type growth struct {
	*load
	sites [2]*grown
}

// grown is one of them.
type grown struct {
	load  *load
	ops   string
	board *quickBoard
	one   player.Handle // one of the players
}

// The size of the new site.
const (
	newPlayers = 400
	newMatches = 1000
)

// How many requests of each kind are measured: as many as there is time for, after a few
// that warm up.
const (
	mostAsks = 60
	oneAsk   = 200 * time.Millisecond
	warmsUp  = 5
)

// grow creates both databases and prints the comparison.
func (l *load) grow(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "chpok-growth-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	g := growth{load: l}
	bases := [2]string{cmp.Or(l.command.Beside, "sqlite:"+filepath.Join(dir, "new.db")), l.command.Database}
	for i, size := range [2][2]int{{newPlayers, newMatches}, {l.command.Players, l.command.Grow}} {
		command := l.command
		command.Database, command.Boards = bases[i], 2
		one := &load{command: command, std: l.std}
		defer one.stop()
		begun := time.Now()
		if g.sites[i], err = one.grown(ctx, size[0], size[1]); err != nil {
			return err
		}
		fmt.Fprintf(l.std.Out, "%d players, %d matches: made within %.0f s\n", size[0], size[1], time.Since(begun).Seconds())
	}
	return g.compare(ctx)
}

// grown creates a past and starts a server on it.
func (l *load) grown(ctx context.Context, players, matches int) (*grown, error) {
	s, err := store.Open(ctx, l.command.Database, store.Options{Fast: true})
	if err != nil {
		return nil, err
	}
	past, err := pastOf(players, matches)
	if err == nil {
		err = s.Grow(ctx, past)
	}
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	if err := l.people(ctx); err != nil {
		return nil, err
	}
	boards, err := l.openBoards(ctx, 1)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l.opsAddr = listener.Addr().String()
	if listener.Close() != nil {
		return nil, err
	}
	return &grown{load: l, ops: "http://" + l.opsAddr, board: boards[0], one: past.Players[0].Handle}, l.start(ctx)
}

// pastOf is one short match, many times over: bids, four moves of each, a resignation.
func pastOf(players, matches int) (store.Growth, error) {
	now := time.Now()
	g := store.Growth{Matches: matches, From: now.AddDate(-3, 0, 0), To: now.AddDate(0, 0, -1), Seed: 1, Policy: fairplay.Policy{}.OrOpen()}
	for i := range players {
		handle := player.Handle(fmt.Sprintf("%s%05d", []string{"anna", "borys", "chayka", "dmytro"}[i%4], i))
		g.Players = append(g.Players, player.Player{ID: player.ID(store.NewID()), Handle: handle, Role: player.Plain, Created: g.From})
	}
	options := match.DefaultOptions()
	options.Envelope.Chips = 1
	commands := quickBids(bidding.TimeControl{Minutes: 5, Increment: 3})
	for ply := range 8 {
		commands = append(commands, knightMove(ply))
	}
	commands = append(commands, match.Resign{Seat: match.Second})
	var s match.State
	at := g.From
	events := match.Open(options, match.Seed{1})
	for i := 0; ; i++ {
		for _, e := range events {
			recorded := match.Recorded{Seq: s.Seq() + 1, At: at, Event: e}
			s = s.Apply(recorded)
			g.Log = append(g.Log, recorded)
		}
		if i == len(commands) {
			break
		}
		at = at.Add(3 * time.Second)
		var err error
		if events, err = match.Decide(s, commands[i], at); err != nil {
			return g, err
		}
	}
	g.Head = store.Head{Seq: s.Seq(), Status: s.Status(), Result: s.Result(), OpenedAt: s.OpenedAt(), LastAt: s.LastAt(), Level: fairplay.Open}
	return g, nil
}

// compare asks both sites in turns.
func (g growth) compare(ctx context.Context) error {
	fmt.Fprintf(g.std.Out, "\n| %d matches of %d players, beside %d of %d | new, ms | grown, ms | times |\n|---|---|---|---|\n",
		g.command.Grow, g.command.Players, newMatches, newPlayers)
	type ask struct {
		name string
		do   func(*grown) error
	}
	asks := []ask{{"a move", func(x *grown) error { return x.load.shuffle(ctx, x.board, time.Now()) }}}
	for name, path := range map[string]string{
		"home": "/", "all matches": "/matches", "the match page": "/matches/:match",
		"a player's page, as many matches on either": "/players/:equal", "a player's page, 5 matches or 30 shown": "/players/:one",
		"the rating list": "/ratings", "the rating list, page 3": "/ratings?page=3", "a search": "/search?q=anna00",
	} {
		asks = append(asks, ask{name, func(x *grown) error {
			return x.page(ctx, strings.NewReplacer(":one", string(x.one), ":equal", x.board.handles[0], ":match", string(x.board.id)).Replace(path))
		}})
	}
	slices.SortFunc(asks[1:], func(a, b ask) int { return strings.Compare(a.name, b.name) })
	for _, a := range asks {
		var took [2]part
		for i := range warmsUp + max(1, min(mostAsks, int(g.command.Part/oneAsk))) {
			for k, x := range g.sites {
				begun := time.Now()
				if err := a.do(x); err != nil {
					return fmt.Errorf("%s: %w", a.name, err)
				}
				if i >= warmsUp {
					took[k].took = append(took[k].took, time.Since(begun))
				}
			}
		}
		g.print(a.name, took[0].at(0.5), took[1].at(0.5))
	}
	return g.jobs(ctx)
}

func (g growth) print(name string, before, after float64) {
	fmt.Fprintf(g.std.Out, "| %s | %.2f | %.2f | %.2f |\n", name, before, after, after/before)
}

// page asks for a page that nobody was given before.
func (x *grown) page(ctx context.Context, path string) error {
	joint := "?"
	if strings.Contains(path, "?") {
		joint = "&"
	}
	x.load.fresh++
	from := fmt.Sprintf("10.0.%d.%d", x.load.fresh>>8&255, x.load.fresh&255) // the site allows 30 requests a second per address
	answer, err := get(ctx, x.load.at()+path+joint+"fresh="+strconv.Itoa(x.load.fresh), "X-Forwarded-For", from)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// jobs compares the average time of each background job.
func (g growth) jobs(ctx context.Context) error {
	select {
	case <-time.After(g.command.Part):
	case <-ctx.Done():
		return ctx.Err()
	}
	var turns [2]map[string]float64
	for i, x := range g.sites {
		var err error
		if turns[i], err = x.turns(ctx); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(turns[0])) {
		g.print("job: "+name, turns[0][name], turns[1][name])
	}
	return nil
}

// turns returns the average milliseconds of a run of each job.
func (x *grown) turns(ctx context.Context) (map[string]float64, error) {
	answer, err := get(ctx, x.ops+"/metrics")
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	sums, counts := map[string]float64{}, map[string]float64{}
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		for kind, into := range map[string]map[string]float64{"sum": sums, "count": counts} {
			rest, ok := strings.CutPrefix(lines.Text(), "chpok_job_duration_seconds_"+kind+`{job="`)
			name, value, isOne := strings.Cut(rest, `"} `)
			if n, err := strconv.ParseFloat(value, 64); ok && isOne && err == nil {
				into[name] = n
			}
		}
	}
	for name, n := range counts {
		sums[name] *= 1000 / n
	}
	return sums, nil
}
