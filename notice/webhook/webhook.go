// Package webhook tells programs of others what happens in an event or on a ladder, by the convention of Standard Webhooks. It does not
// decide who is told. A message says what happened and where the rest can be asked for, and nothing that is not public.
package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/outward"
	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/league"
)

// Sender sends the messages of one site.
type Sender struct {
	store  *store.Store
	base   string // address of the site
	client *http.Client
	chats  Chats
	now    func() time.Time
	log    *slog.Logger
}

// Chats is how chats are told.
type Chats struct {
	Bot *telegram.Bot
	// Words says what happened in words, as everybody may read it.
	Words func(context.Context, notice.HookMessage, lang.Lang) (notice.News, error)
}

// New returns a sender for the site at base, which calls programs and Discord by the client.
func New(s *store.Store, base string, client *http.Client, chats Chats, now func() time.Time, log *slog.Logger) *Sender {
	return &Sender{store: s, base: strings.TrimSuffix(base, "/"), client: client, chats: chats, now: now, log: log}
}

const (
	batch = 20
	lease = time.Minute         // of a message that is being sent
	kept  = 30 * 24 * time.Hour // what is settled
)

// Deliver sends the messages that are due. Every node may call it at any pace.
func (s *Sender) Deliver(ctx context.Context) error {
	now := s.now()
	isDue, err := store.Get(ctx, s.store, func(tx *store.Tx) (bool, error) { return tx.IsHookDue(now) })
	if err != nil || !isDue {
		return err
	}
	var due []notice.HookMessage
	err = s.store.Write(ctx, func(tx *store.Tx) (err error) {
		due, err = tx.TakeHookMessages(now, now.Add(lease), batch)
		return err
	})
	if errors.Is(err, store.ErrConflict) {
		return nil // another node took them
	}
	if err != nil {
		return err
	}
	errs := make([]error, len(due))
	var all sync.WaitGroup
	for i, m := range due {
		all.Go(func() { errs[i] = s.deliver(ctx, m) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// Forget deletes what was settled long ago.
func (s *Sender) Forget(ctx context.Context) error {
	return s.store.Write(ctx, func(tx *store.Tx) error { return tx.ForgetHookMessages(s.now().Add(-kept)) })
}

func (s *Sender) deliver(ctx context.Context, m notice.HookMessage) error {
	var h notice.Hook
	var about Data
	isPublic := false
	err := s.store.Read(ctx, func(tx *store.Tx) (err error) {
		if h, err = tx.Hook(m.Hook); err != nil {
			return err
		}
		about, isPublic, err = s.dataOf(tx, m)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil // dropped meanwhile
	}
	if err != nil {
		return err
	}
	m.Sent, m.Due, m.Status, m.Trouble = s.now(), time.Time{}, 0, ""
	if !isPublic {
		m.Trouble = "not public"
	} else if h.Lang != "" {
		if told, err := s.tell(ctx, h, &m); err != nil {
			return err
		} else if !told {
			return s.store.Write(ctx, func(tx *store.Tx) error { return tx.DropHookMessage(m) })
		}
	} else if err := s.send(ctx, h, &m, about); err != nil {
		return err
	}
	wait := m.Due // as long as a chat asks
	m.Due = time.Time{}
	isOver := false
	switch pause, again := notice.HookAgain(m.Tries); {
	case m.IsTaken() || m.Trouble == "not public":
	case m.Status == http.StatusGone, h.Lang != "" && (m.Status == http.StatusForbidden || m.Status == http.StatusNotFound):
		// they want no more
		isOver = true
	case again:
		m.Due = m.Sent.Add(pause)
		if m.Due.Before(wait) {
			m.Due = wait
		}
	default:
		isOver = true
	}
	return s.store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		if isOver {
			now, err := tx.Hook(h.ID)
			if err == nil {
				now.Stopped = m.Sent
				err = tx.SaveHook(now)
			}
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			s.log.Warn("webhook given up", "hook", h.ID, "topic", string(h.Topic), "status", m.Status)
		}
		return tx.HookTold(m)
	})
}

type (
	// Message is what is sent.
	Message struct {
		Type      string    `json:"type"` // tournament.ACT, ladder.KIND, or trial
		Timestamp time.Time `json:"timestamp"`
		Data      Data      `json:"data"`
	}
	// Data says what happened in which event or on which ladder, and where to ask for the rest.
	Data struct {
		Tournament string `json:"tournament,omitempty"`
		Ladder     string `json:"ladder,omitempty"`
		League     string `json:"league,omitempty"`
		Name       string `json:"name,omitempty"`
		Club       string `json:"club,omitempty"`
		Status     string `json:"status,omitempty"` // when it was sent
		Rounds     int    `json:"rounds,omitempty"` // opened until then
		Seq        int64  `json:"seq,omitempty"`    // in the log of the event or ladder
		Act        string `json:"act,omitempty"`
		Page       string `json:"page,omitempty"`
		API        string `json:"api,omitempty"`
	}
)

// dataOf returns what is said of what a message is about, and whether everybody may know of it.
func (s *Sender) dataOf(tx *store.Tx, m notice.HookMessage) (d Data, isPublic bool, err error) {
	kind, id := m.Topic.Parts()
	switch kind {
	case notice.OfTournament:
		t, err := tx.Tournament(tournament.ID(id))
		if err != nil || !t.MaySee(player.Viewer{}) {
			return d, false, err
		}
		d = Data{Tournament: id, Name: t.Name, Club: string(t.ClubID), Status: t.Status.String(), Rounds: len(t.Rounds)}
	case notice.OfLadder:
		l, err := tx.Ladder(ladder.ID(id))
		if err != nil {
			return d, false, err
		}
		d = Data{Ladder: id, Name: l.Settings.Name, Club: string(l.Settings.Club)}
	case notice.OfLeague:
		l, err := tx.League(league.ID(id))
		if err != nil {
			return d, false, err
		}
		d = Data{League: id, Name: l.Settings.Name, Club: string(l.Club), Status: string(l.Now().State)}
	default: // a trial
		d = Data{Club: id}
	}
	at := "/" + kind + "s/" + url.PathEscape(id)
	d.Page, d.API = s.base+at, s.base+"/api/v1"+at
	return d, true, nil
}

// bodyOf returns the message that says what happened.
func bodyOf(m notice.HookMessage, about Data) ([]byte, error) {
	if m.Seq > 0 {
		about.Seq, about.Act = m.Seq, m.Act
	}
	return json.Marshal(Message{Type: m.Type(), Timestamp: m.At.UTC(), Data: about})
}

// send posts a message and notes the answer in it.
func (s *Sender) send(ctx context.Context, h notice.Hook, m *notice.HookMessage, about Data) error {
	body, err := bodyOf(*m, about)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("webhook: %w", err)
	}
	r.Header.Set("webhook-id", m.ID())
	r.Header.Set("webhook-timestamp", strconv.FormatInt(m.Sent.Unix(), 10))
	r.Header.Set("webhook-signature", h.Signatures(m.ID(), m.Sent, body))
	_, _ = s.call(r, m)
	return nil
}

// call sends a request and notes its answer in the message.
func (s *Sender) call(r *http.Request, m *notice.HookMessage) (http.Header, error) {
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Chpok")
	answer, err := s.client.Do(r)
	if err != nil {
		m.Trouble = troubleOf(err)
		return nil, err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 4096)) // lets the connection be reused
	answer.Body.Close()
	m.Status = answer.StatusCode
	return answer.Header, nil
}

// troubleOf says in a word why there was no answer; never what stands at an address.
func troubleOf(err error) string {
	var at *url.Error
	switch {
	case outward.IsInside(err):
		return "inside"
	case errors.As(err, &at) && at.Timeout():
		return "timeout"
	}
	return "unreachable"
}
