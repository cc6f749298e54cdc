package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"chpok.org/chpok/cmd/chpok-lab/load/asker"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// answerWithin is how long to wait for an answer.
const answerWithin = 30 * time.Second

// newPlayer creates an account with a token.
func newPlayer(tx *store.Tx, handle string, organizes bool) (id player.ID, token string, err error) {
	p := player.Player{ID: player.ID(store.NewID()), Handle: player.Handle(handle), Role: player.Plain, Created: time.Now()}
	if organizes {
		p.Role = player.Organizer
	}
	if err := tx.AddPlayer(p, ""); err != nil {
		return "", "", err
	}
	scopes, err := p.ParseScopes(nil)
	if err != nil {
		return "", "", err
	}
	secret, err := tx.AddToken(player.Token{Player: p.ID, Name: "load", Scopes: scopes, Created: p.Created})
	return p.ID, string(secret), err
}

// handle is a player of an answer, by handle.
type handle string

func (h *handle) UnmarshalJSON(raw []byte) error {
	var of struct{ Handle string }
	err := json.Unmarshal(raw, &of)
	*h = handle(of.Handle)
	return err
}

// ownBoard is a match being played, as it was seen last.
type ownBoard struct {
	id   string
	sent int

	First, Second handle
	Seq           int64
	Status        string
	State         struct {
		Phase  string
		Turn   *string
		Chips  map[string]int
		Stakes map[string][]int
		Legal  []string
	}
}

// get reads from the API as one account.
func (l *load) get(ctx context.Context, who, path string, out any) error {
	return l.ask(ctx, asker.Request{Method: http.MethodGet, Path: path, Token: l.tokens[who]}, out)
}

// post writes to the API as one account.
func (l *load) post(ctx context.Context, who, path string, in, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return l.ask(ctx, asker.Request{Method: http.MethodPost, Path: path, Token: l.tokens[who], Body: raw}, out)
}

// ask calls the API. If the site cannot reach its data it retries as told: nothing was
// changed.
func (l *load) ask(ctx context.Context, q asker.Request, out any) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	for {
		again, err := l.askOnce(ctx, q, out)
		if again == 0 {
			return err
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return err
		}
	}
}

// elsewhere is how soon to ask another node when one does not answer; zero: there is no
// other.
func (l *load) elsewhere() time.Duration {
	if l.command.Nodes <= 1 {
		return 0
	}
	return 10 * time.Millisecond
}

// askOnce returns after which time to retry; zero: it is answered.
func (l *load) askOnce(ctx context.Context, q asker.Request, out any) (again time.Duration, err error) {
	path := q.Path
	q.Base, q.Path = l.at(), "/api/v1"+path
	answer, err := l.asker.Ask(ctx, q)
	if err != nil {
		return l.elsewhere(), err
	}
	if answer.Status == http.StatusConflict && bytes.Contains(answer.Body, []byte(`"code":"stale"`)) {
		return 0, errStale
	}
	if answer.Status == http.StatusServiceUnavailable {
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // zero without one
		again = max(time.Duration(seconds)*time.Second, 100*time.Millisecond)
	}
	if answer.Status >= 300 {
		return again, fmt.Errorf("%s %s: %d: %.200s", q.Method, path, answer.Status, answer.Body)
	}
	if out == nil {
		return 0, nil
	}
	return 0, json.Unmarshal(answer.Body, out)
}

// round creates an event of one round; everybody enters and is ready.
func (l *load) round(ctx context.Context) error {
	host := l.handles[0]
	var made struct{ ID string }
	settings := map[string]any{
		"name": "Load", "format": "swiss", "rounds": 1, "pace": "auto", "lateness": "10m",
		"envelope": map[string]any{"chips": 3, "presets": []any{map[string]int{"minutes": 30, "increment": 30}}},
	}
	if err := l.post(ctx, host, "/tournaments", settings, &made); err != nil {
		return err
	}
	l.event = made.ID
	at := "/tournaments/" + made.ID
	for _, handle := range l.handles[1:] {
		if err := l.post(ctx, host, at+"/entries", map[string]any{"player": handle}, nil); err != nil {
			return err
		}
	}
	var view struct {
		Rounds []struct {
			Pairings []struct{ Match *string }
		}
	}
	if err := errors.Join(l.post(ctx, host, at+"/start", nil, nil), l.get(ctx, host, at, &view)); err != nil {
		return err
	}
	if len(view.Rounds) == 0 {
		return cli.Fail(1, "the event has no round")
	}
	l.boards = make(chan *ownBoard, 4*l.command.Boards)
	for _, pairing := range view.Rounds[0].Pairings {
		if pairing.Match == nil {
			continue
		}
		b := &ownBoard{id: *pairing.Match}
		if err := l.look(ctx, b); err != nil {
			return err
		}
		for _, who := range []string{string(b.First), string(b.Second)} {
			if err := l.send(ctx, b, who, map[string]any{"ready": true}); err != nil {
				return err
			}
			if err := l.look(ctx, b); err != nil {
				return err
			}
		}
		l.boards <- b
	}
	return nil
}

func (l *load) look(ctx context.Context, b *ownBoard) error {
	id, sent := b.id, b.sent
	*b = ownBoard{id: id, sent: sent}
	return l.get(ctx, l.handles[0], "/matches/"+b.id, b)
}

// errStale says that something else came first, such as time given back after an outage.
var errStale = errors.New("the match has moved on")

// send sends a command, and once more after looking again if the match has moved on.
func (l *load) send(ctx context.Context, b *ownBoard, who string, what map[string]any) error {
	b.sent++
	what["id"], what["seq"] = fmt.Sprintf("load-%d", b.sent), b.Seq
	err := l.post(ctx, who, "/matches/"+b.id+"/commands", what, nil)
	if !errors.Is(err, errStale) {
		return err
	}
	if err := l.look(ctx, b); err != nil {
		return err
	}
	what["seq"] = b.Seq
	return l.post(ctx, who, "/matches/"+b.id+"/commands", what, nil)
}

// move makes one legal bid or move.
func (l *load) move(ctx context.Context, b *ownBoard) error {
	if b.State.Turn == nil {
		return errors.New("nobody is to move")
	}
	who, me := string(b.First), 0
	if *b.State.Turn == "B" {
		who, me = string(b.Second), 1
	}
	if b.State.Phase != "bidding" {
		if len(b.State.Legal) == 0 {
			return errors.New("no legal move")
		}
		return l.send(ctx, b, who, map[string]any{"act": b.State.Legal[(7*b.sent)%len(b.State.Legal)]})
	}
	bid := map[string]any{"target": "white", "chips": 1}
	for _, target := range []string{"white", "time", "homeRow", "features"} {
		stakes := b.State.Stakes[target]
		if len(stakes) < 2 {
			continue
		}
		if gap := stakes[1-me] - stakes[me]; gap > 0 && gap <= b.State.Chips[*b.State.Turn] {
			bid = map[string]any{"target": target, "chips": gap}
			break
		}
	}
	return l.send(ctx, b, who, map[string]any{"bid": bid})
}

// next returns a board to the free ones, unless it is over.
func (l *load) next(ctx context.Context, b *ownBoard) {
	if err := l.look(ctx, b); err != nil || b.Status == "over" {
		return
	}
	l.boards <- b
}
