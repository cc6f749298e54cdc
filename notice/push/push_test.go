package push_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/push"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// service is a push service with one browser behind it, which decrypts what comes as RFC 8291 has it.
type service struct {
	t          *testing.T
	url        string
	key        *ecdh.PrivateKey
	auth       []byte
	status     int // of its answers
	heardFirst func()
	meet       chan struct{} // not nil: it answers when somebody closes this, or nobody waits any more

	mu    sync.Mutex
	heard []push.Letter
	heads []http.Header
}

func newService(t *testing.T) *service {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s := &service{t: t, key: key, auth: make([]byte, 16), status: http.StatusCreated}
	rand.Read(s.auth)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL + "/send/1"
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	if s.meet != nil {
		select {
		case <-s.meet:
		case <-r.Context().Done():
			s.t.Error("nobody was asked while this one did not answer")
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heads = append(s.heads, r.Header)
	if s.status < 300 {
		var l push.Letter
		if err := json.Unmarshal(s.open(body), &l); err != nil {
			s.t.Error(err)
		}
		s.heard = append(s.heard, l)
	}
	if s.heardFirst != nil {
		s.heardFirst()
	}
	w.WriteHeader(s.status)
}

// open decrypts a body of one record: salt (16), record size (4), length of the key (1), the sender's key, the rest.
func (s *service) open(body []byte) []byte {
	salt, size := body[:16], int(body[20])
	sender, record := body[21:21+size], body[21+size:]
	if binary.BigEndian.Uint32(body[16:20]) < uint32(len(record)) {
		s.t.Error("a record longer than it says")
	}
	public, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		s.t.Fatal(err)
	}
	shared, err := s.key.ECDH(public)
	if err != nil {
		s.t.Fatal(err)
	}
	derive := func(secret, salt []byte, info string, n int) []byte {
		out, err := hkdf.Key(sha256.New, secret, salt, info, n)
		if err != nil {
			s.t.Fatal(err)
		}
		return out
	}
	ikm := derive(shared, s.auth, "WebPush: info\x00"+string(s.key.PublicKey().Bytes())+string(sender), 32)
	block, err := aes.NewCipher(derive(ikm, salt, "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		s.t.Fatal(err)
	}
	sealed, err := cipher.NewGCM(block)
	if err != nil {
		s.t.Fatal(err)
	}
	plain, err := sealed.Open(nil, derive(ikm, salt, "Content-Encoding: nonce\x00", 12), record, nil)
	if err != nil {
		s.t.Fatalf("not for this browser: %v", err)
	}
	return plain[:slices.Index(plain, 2)] // the delimiter of the last record; padding follows
}

func (s *service) device() store.PushDevice {
	b64 := base64.RawURLEncoding.EncodeToString
	return store.PushDevice{Device: notice.Device{Endpoint: s.url, Key: b64(s.key.PublicKey().Bytes()), Auth: b64(s.auth)}, Lang: "en",
		Zone: "Europe/Kyiv"}
}

// desk is a store with Olena, signed in in one browser.
type desk struct {
	t     *testing.T
	store *store.Store
	now   time.Time
	push  *push.Pusher
}

func newDesk(t *testing.T, s *store.Store) *desk {
	t.Helper()
	d := &desk{t: t, store: s, now: time.Date(2026, 11, 23, 18, 0, 0, 0, time.UTC)}
	d.push = push.New(s, "", http.DefaultClient, func() time.Time { return d.now }, slog.New(slog.DiscardHandler))
	storetest.Players(t, s, "olena")
	return d
}

func (d *desk) write(f func(*store.Tx) error) {
	d.t.Helper()
	if err := d.store.Write(d.t.Context(), f); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) signIn(device store.PushDevice) (session string) {
	d.t.Helper()
	d.write(func(tx *store.Tx) error {
		session = store.NewID()
		if err := tx.AddSession(store.NewSecret(), player.Session{ID: session, Player: "olena", Created: d.now, Used: d.now}); err != nil {
			return err
		}
		return tx.AddPushDevice("olena", session, device, d.now)
	})
	return session
}

func (d *desk) tell(n notice.Notice) {
	d.t.Helper()
	n.To = "olena"
	d.write(func(tx *store.Tx) error { return tx.AddNotices([]notice.Notice{n}, d.now) })
}

func (d *desk) deliver() {
	d.t.Helper()
	if err := d.push.Deliver(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
}

func paired(round string, at time.Time) notice.Notice {
	return notice.Notice{
		Kind: notice.RoundPaired, Key: "cup/" + round, URL: "/tournaments/cup", When: at,
		Args: map[string]string{"Tournament": "Cup", "Round": round, "Opponent": "taras"},
	}
}

func TestABrowserIsPushedWhatCallsItsPlayerAndNobodyElseCanReadIt(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		d, browser := newDesk(t, s), newService(t)
		d.tell(paired("1", time.Time{})) // before there is a browser
		d.signIn(browser.device())
		d.tell(paired("2", d.now.Add(time.Hour)))
		d.tell(notice.Notice{Kind: notice.Entered, Key: "cup", URL: "/tournaments/cup",
			Args: map[string]string{"Tournament": "Cup"}}) // calls nobody
		d.deliver()
		d.deliver() // once is enough
		if len(browser.heard) != 1 {
			t.Fatalf("heard %+v", browser.heard)
		}
		if got := browser.heard[0]; !strings.Contains(got.Title, "Cup") || !strings.Contains(got.Title, "taras") ||
			got.URL != "/tournaments/cup" ||
			!strings.Contains(got.Body, "21:00") || got.Tag == "" { // 19:00 UTC in Kyiv
			t.Errorf("heard %+v", got)
		}
		head := browser.heads[0]
		if !strings.HasPrefix(head.Get("Authorization"), "vapid t=") || head.Get("Content-Encoding") != "aes128gcm" ||
			head.Get("Urgency") != "high" || head.Get("TTL") != "21600" {
			t.Errorf("with %v", head)
		}
	})
}

func TestTheSiteKeepsItsKeys(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		d := newDesk(t, s)
		var first, again [2]string
		for _, keys := range []*[2]string{&first, &again} {
			d.write(func(tx *store.Tx) (err error) {
				keys[0], keys[1], err = push.Keys(tx)
				return err
			})
		}
		if first != again || len(first[0]) != 87 || len(first[1]) != 43 { // 65 and 32 bytes in Base64
			t.Errorf("%v, then %v", first, again)
		}
	})
}

func TestWhatAServiceRefusesIsTriedAgainOrItsBrowserForgotten(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		d, busy, gone := newDesk(t, s), newService(t), newService(t)
		d.signIn(busy.device())
		d.signIn(gone.device())
		busy.status, gone.status = http.StatusServiceUnavailable, http.StatusGone
		d.tell(paired("1", time.Time{}))
		d.deliver()
		d.deliver() // too early to try again
		if len(busy.heads) != 1 || len(gone.heads) != 1 {
			t.Fatalf("asked %d and %d times", len(busy.heads), len(gone.heads))
		}
		d.now, busy.status = d.now.Add(notice.PushWait), http.StatusCreated
		d.deliver()
		if len(busy.heard) != 1 || len(gone.heads) != 1 {
			t.Errorf("then %d heard; who is gone was asked %d times", len(busy.heard), len(gone.heads))
		}
	})
}

// TestABrowserThatIsNoMoreIsForgotten: it has unsubscribed, its permission was taken back, or it has subscribed by keys
// that the site has no more.
func TestABrowserThatIsNoMoreIsForgotten(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotFound, http.StatusGone, http.StatusForbidden, http.StatusUnauthorized} {
		s := storetest.SQLite(t)
		d, browser := newDesk(t, s), newService(t)
		d.signIn(browser.device())
		browser.status = status
		for _, round := range []string{"1", "2"} {
			d.tell(paired(round, time.Time{}))
			d.deliver()
			d.now = d.now.Add(time.Hour)
		}
		if len(browser.heads) != 1 {
			t.Errorf("a service that answers %d is asked %d times", status, len(browser.heads))
		}
	}
}

// TestWhoDoesNotAnswerHoldsNobodyUp: anybody may name a service that never answers.
func TestWhoDoesNotAnswerHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	s := storetest.SQLite(t)
	d, slow, quick := newDesk(t, s), newService(t), newService(t)
	d.push = push.New(s, "", &http.Client{Timeout: 5 * time.Second}, func() time.Time { return d.now }, slog.New(slog.DiscardHandler))
	slow.meet = make(chan struct{})
	quick.heardFirst = sync.OnceFunc(func() { close(slow.meet) })
	d.signIn(slow.device())
	d.now = d.now.Add(time.Second)
	d.signIn(quick.device()) // asked later
	d.tell(paired("1", time.Time{}))
	d.deliver()
	if len(slow.heard) != 1 || len(quick.heard) != 1 {
		t.Errorf("heard %d and %d", len(slow.heard), len(quick.heard))
	}
}

// TestWhoHasItOnOneBrowserIsNotCalledAgain for the service of another that is busy.
func TestWhoHasItOnOneBrowserIsNotCalledAgain(t *testing.T) {
	t.Parallel()
	s := storetest.SQLite(t)
	d, busy, phone := newDesk(t, s), newService(t), newService(t)
	busy.status = http.StatusServiceUnavailable
	d.signIn(busy.device())
	d.signIn(phone.device())
	d.tell(paired("1", time.Time{}))
	for range notice.PushTries {
		d.deliver()
		d.now = d.now.Add(time.Hour)
	}
	if len(phone.heard) != 1 {
		t.Errorf("called %d times", len(phone.heard))
	}
}

func TestNothingIsPushedThatIsReadOrTooLateOrAfterSigningOut(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		d, browser := newDesk(t, s), newService(t)
		session := d.signIn(browser.device())
		read := paired("1", time.Time{})
		d.tell(read)
		d.write(func(tx *store.Tx) error { return tx.ReadNotices("olena", d.now, d.now) })
		late := paired("2", time.Time{})
		late.Until = d.now.Add(time.Minute)
		d.tell(late)
		d.now = d.now.Add(2 * time.Minute)
		d.deliver()
		d.tell(paired("3", time.Time{}))
		d.write(func(tx *store.Tx) error { return tx.DropSession("olena", session) })
		d.deliver()
		d.tell(paired("4", time.Time{}))
		d.deliver()
		if len(browser.heard) != 0 {
			t.Errorf("heard %+v", browser.heard)
		}
	})
}

func TestAServiceInsideOfTheNetworkIsNotAsked(t *testing.T) {
	t.Parallel()
	s := storetest.SQLite(t)
	d, inside := newDesk(t, s), newService(t)
	d.push = push.New(s, "https://chess.example", nil, func() time.Time { return d.now }, slog.New(slog.DiscardHandler))
	d.signIn(inside.device())
	d.tell(paired("1", time.Time{}))
	d.deliver()
	if len(inside.heads) != 0 {
		t.Error("anybody can have the site knock at its own doors")
	}
}
