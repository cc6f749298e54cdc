// Package push sends notices to players' browsers, at once and encrypted; no other
// package knows Web Push (RFC 8030, 8291, 8292). It does not decide who is told what, and
// never calls addresses inside the site's own network.
package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/outward"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// Pusher sends the push messages of one site.
type Pusher struct {
	store  *store.Store
	base   string // address of the site
	now    func() time.Time
	log    *slog.Logger
	client *http.Client
}

// New returns a pusher for the site at base, which is sent to push services. Without a
// client it uses one that connects to public addresses only.
func New(s *store.Store, base string, client *http.Client, now func() time.Time, log *slog.Logger) *Pusher {
	if client == nil {
		client = outward.Client(patience, false)
	}
	return &Pusher{store: s, base: strings.TrimSuffix(base, "/"), client: client, now: now, log: log}
}

// Keys returns the VAPID keys of the site (RFC 8292): created once, shared by all nodes.
func Keys(tx *store.Tx) (public, private string, err error) {
	private, public, err = webpush.GenerateVAPIDKeys()
	if err != nil {
		return "", "", fmt.Errorf("push: %w", err)
	}
	both, err := tx.FirstSetting("push-keys", public+" "+private)
	public, private, _ = strings.Cut(both, " ")
	return public, private, err
}

// subscriber returns the contact for push services: the site, if it has a public address.
func (p *Pusher) subscriber() string {
	if strings.HasPrefix(p.base, "https://") {
		return p.base
	}
	return "nobody@chpok.invalid"
}

// batch is how many notices Deliver takes at most.
const batch = 50

// Deliver pushes what is due. Every node may call it at any pace.
func (p *Pusher) Deliver(ctx context.Context) error {
	isDue, err := store.Get(ctx, p.store, func(tx *store.Tx) (bool, error) { return tx.IsPushDue(p.now()) })
	if err != nil || !isDue {
		return err
	}
	var due []store.Push
	var public, private string
	err = p.store.Write(ctx, func(tx *store.Tx) (err error) {
		if public, private, err = Keys(tx); err != nil {
			return err
		}
		due, err = tx.TakePushes(p.now(), batch)
		return err
	})
	if errors.Is(err, store.ErrConflict) {
		return nil // another node took them
	}
	if err != nil {
		return err
	}
	o := webpush.Options{HTTPClient: p.client, Subscriber: p.subscriber(), VAPIDPublicKey: public, VAPIDPrivateKey: private}
	errs, slots := make([]error, len(due)), make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for i, one := range due {
		all.Go(func() { errs[i] = p.deliver(ctx, one, o, slots) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// Limits of a call and of calls at once: anybody may enter a service that never answers,
// and others must not wait for it.
const (
	patience = 5 * time.Second
	atOnce   = 32
)

// answer is the outcome of a push to one browser.
type answer uint8

const (
	taken answer = iota
	later        // the service is unreachable or busy
	gone         // unsubscribed, or rejected by the service
)

// deliver pushes one notice to every browser of its player. It is retried only if no
// browser got it, so that nobody who has read it is called again.
func (p *Pusher) deliver(ctx context.Context, one store.Push, o webpush.Options, slots chan struct{}) error {
	o.Urgency, o.TTL = webpush.UrgencyHigh, int(notice.PushLife/time.Second)
	if !one.Until.IsZero() {
		o.TTL = max(0, min(o.TTL, int(one.Until.Sub(p.now())/time.Second)))
	}
	answers, errs := make([]answer, len(one.Devices)), make([]error, len(one.Devices))
	var all sync.WaitGroup
	for i, d := range one.Devices {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if answers[i], errs[i] = p.send(ctx, one.Told, d, o); answers[i] == gone {
				errs[i] = p.store.Write(ctx, func(tx *store.Tx) error { return tx.DropPushDevice("", d.Endpoint) })
			}
		})
	}
	all.Wait()
	err := errors.Join(errs...)
	if err != nil || slices.Contains(answers, taken) || !slices.Contains(answers, later) || one.Tries >= notice.PushTries {
		return err
	}
	at := p.now().Add(notice.PushWait << (2 * (one.Tries - 1)))
	return p.store.Write(ctx, func(tx *store.Tx) error { return tx.PushAgain(one.ID, at) })
}

// send pushes one notice to one browser. The endpoint is not logged: whoever knows it can
// have it forgotten.
func (p *Pusher) send(ctx context.Context, t store.Told, d store.PushDevice, o webpush.Options) (answer, error) {
	text, err := json.Marshal(letter(t, d))
	if err != nil {
		return later, err
	}
	s := &webpush.Subscription{Endpoint: d.Endpoint, Keys: webpush.Keys{P256dh: d.Key, Auth: d.Auth}}
	said, err := webpush.SendNotificationWithContext(ctx, text, s, &o)
	if err != nil {
		var at *url.Error
		if errors.As(err, &at) {
			err = at.Err
		}
		p.log.Warn("push not sent", "player", t.To, "err", err)
		return later, nil
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(said.Body, 4096)) // lets the connection be reused
	said.Body.Close()
	switch {
	case said.StatusCode < 300:
		return taken, nil
	case said.StatusCode == http.StatusTooManyRequests || said.StatusCode >= 500:
		return later, nil
	}
	p.log.Info("push device dropped", "player", t.To, "status", said.StatusCode)
	return gone, nil
}

// Letter is the message to a browser, as sw.js reads it.
type Letter struct {
	Title string `json:"title"`
	Body  string `json:"body,omitempty"`
	URL   string `json:"url"`
	Tag   string `json:"tag"` // a later one with the same tag replaces it
}

func letter(t store.Told, d store.PushDevice) Letter {
	p := lang.To(civil.Zone(d.Zone), d.Lang)
	out := Letter{Title: t.Text(p.T), URL: t.URL, Tag: t.ID}
	if !t.When.IsZero() {
		out.Body = p.Of(civil.Zone(t.Zone)).Moment(t.When)
	}
	return out
}
