// Package push brings to a player's browsers, at once and encrypted, what they are told: it is the only package that
// knows web push (RFC 8030, 8291, 8292). It refuses to decide who is told what, and to knock at doors inside of the
// network that the site stands in.
package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// Pusher pushes for one site.
type Pusher struct {
	store  *store.Store
	base   string // how visitors reach the site
	now    func() time.Time
	log    *slog.Logger
	client *http.Client
}

// New is a pusher; base is the address of the site, which push services may want to know. No client: one that reaches
// addresses of the open net only.
func New(s *store.Store, base string, client *http.Client, now func() time.Time, log *slog.Logger) *Pusher {
	if client == nil {
		client = outward()
	}
	return &Pusher{store: s, base: strings.TrimSuffix(base, "/"), client: client, now: now, log: log}
}

// outward is a client for addresses that anybody may have named.
func outward() *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if ip := at.Addr().Unmap(); err != nil || !ip.IsGlobalUnicast() || ip.IsPrivate() {
			return errors.New("push: an address inside of the network")
		}
		return nil
	}}
	return &http.Client{
		Timeout:       10 * time.Second,
		Transport:     &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Keys are those by which push services know the site: made once, the same on every node.
func Keys(tx *store.Tx) (public, private string, err error) {
	private, public, err = webpush.GenerateVAPIDKeys()
	if err != nil {
		return "", "", fmt.Errorf("push: %w", err)
	}
	both, err := tx.FirstSetting("push-keys", public+" "+private)
	public, private, _ = strings.Cut(both, " ")
	return public, private, err
}

// subscriber is whom a push service may turn to: the site, where it has an address on the open net.
func (p *Pusher) subscriber() string {
	if strings.HasPrefix(p.base, "https://") {
		return p.base
	}
	return "nobody@chpok.invalid"
}

// batch is how much one round of the job takes at most.
const batch = 50

// Deliver pushes what is due. Every node may call it at any pace.
func (p *Pusher) Deliver(ctx context.Context) error {
	var due bool
	err := p.store.Read(ctx, func(tx *store.Tx) (err error) {
		due, err = tx.IsPushDue(p.now())
		return err
	})
	if err != nil || !due {
		return err
	}
	var taken []store.Push
	var public, private string
	err = p.store.Write(ctx, func(tx *store.Tx) (err error) {
		if public, private, err = Keys(tx); err != nil {
			return err
		}
		taken, err = tx.TakePushes(p.now(), batch)
		return err
	})
	if errors.Is(err, store.ErrConflict) {
		return nil // another node has them
	}
	if err != nil {
		return err
	}
	for _, one := range taken {
		if err := p.deliver(ctx, one, webpush.Options{HTTPClient: p.client, Subscriber: p.subscriber(), VAPIDPublicKey: public,
			VAPIDPrivateKey: private}); err != nil {
			return err
		}
	}
	return nil
}

// deliver pushes one notice to every browser of its player.
func (p *Pusher) deliver(ctx context.Context, one store.Push, o webpush.Options) error {
	o.Urgency, o.TTL = webpush.UrgencyHigh, int(notice.PushLife/time.Second)
	if !one.Until.IsZero() {
		o.TTL = min(o.TTL, int(one.Until.Sub(p.now())/time.Second))
	}
	again := false
	for _, d := range one.Devices {
		text, err := json.Marshal(letter(one.Told, d))
		if err != nil {
			return err
		}
		s := &webpush.Subscription{Endpoint: d.Endpoint, Keys: webpush.Keys{P256dh: d.Key, Auth: d.Auth}}
		answer, err := webpush.SendNotificationWithContext(ctx, text, s, &o)
		if err != nil {
			p.log.Warn("push not sent", "player", one.To, "err", err)
			again = true
			continue
		}
		_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 4096)) // so that the connection serves again
		answer.Body.Close()
		switch {
		case answer.StatusCode < 300:
		case answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode >= 500:
			again = true
		default: // it has unsubscribed, or its service does not take us
			p.log.Info("push device dropped", "player", one.To, "status", answer.StatusCode)
			if err := p.store.Write(ctx, func(tx *store.Tx) error { return tx.DropPushDevice("", d.Endpoint) }); err != nil {
				return err
			}
		}
	}
	if !again || one.Tries >= notice.PushTries {
		return nil
	}
	at := p.now().Add(notice.PushWait << (2 * (one.Tries - 1)))
	return p.store.Write(ctx, func(tx *store.Tx) error { return tx.PushAgain(one.ID, at) })
}

// Letter is what a browser gets, as sw.js reads it.
type Letter struct {
	Title string `json:"title"`
	Body  string `json:"body,omitempty"`
	URL   string `json:"url"`
	Tag   string `json:"tag"` // a later one of the same tag takes its place
}

func letter(t store.Told, d store.PushDevice) Letter {
	p := lang.Printer{Lang: lang.Ukrainian, Zone: time.UTC}
	if l, ok := lang.Parse(d.Lang); ok {
		p.Lang = l
	}
	if z, err := time.LoadLocation(d.Zone); err == nil && d.Zone != "" {
		p.Zone = z
	}
	out := Letter{Title: t.Text(p.T), URL: t.URL, Tag: t.ID}
	if !t.When.IsZero() {
		out.Body = p.Moment(t.When)
	}
	return out
}
