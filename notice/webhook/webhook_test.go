package webhook_test

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/outward"
	"chpok.org/chpok/notice/webhook"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/league"
	"chpok.org/chpok/tournament/ledger"
)

// told is what a program was sent.
type told struct {
	id, signature string
	webhook.Message
}

// hall is an event of a club with somebody else's program, which answers as the test says.
type hall struct {
	*testing.T
	store  *store.Store
	now    time.Time
	event  *tournament.Tournament
	server *httptest.Server

	mu     sync.Mutex
	answer int
	got    []told
}

func open(t *testing.T, s *store.Store) *hall {
	t.Helper()
	h := &hall{T: t, store: s, now: time.Date(2026, 11, 28, 18, 0, 0, 0, time.UTC), answer: http.StatusNoContent}
	h.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got := told{id: r.Header.Get("webhook-id"), signature: r.Header.Get("webhook-signature")}
		if err := json.Unmarshal(body, &got.Message); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.got = append(h.got, got)
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(h.answer)
	}))
	t.Cleanup(h.server.Close)
	storetest.Players(t, s, "olena")
	h.write(func(tx *store.Tx) error { return tx.AddClub(club.New("dragon", "Dragon", "", "olena", h.now)) })
	settings := tournament.DefaultSettings(tournament.Swiss)
	settings.Name, settings.ClubID = "Friday", "dragon"
	var err error
	if h.event, err = tournament.New("t1", "olena", settings, h.now); err != nil {
		t.Fatal(err)
	}
	h.write(func(tx *store.Tx) error {
		return tx.AddTournament(h.event, ledger.Deed{At: h.now, By: "olena", Act: tournament.ActCreate})
	})
	return h
}

func (h *hall) write(do func(*store.Tx) error) {
	h.Helper()
	if err := h.store.Write(h.Context(), do); err != nil {
		h.Fatal(err)
	}
}

// hook lets the program be told of a topic.
func (h *hall) hook(id string, of notice.Topic) {
	h.Helper()
	h.write(func(tx *store.Tx) error {
		return tx.SaveHook(notice.Hook{ID: id, Topic: of, URL: h.server.URL + "/" + id, Secret: notice.NewHookSecret(), By: "olena",
			Created: h.now})
	})
}

// does changes the event by an act.
func (h *hall) does(act tournament.Act, change func(*tournament.Tournament)) {
	h.Helper()
	h.now = h.now.Add(time.Second)
	h.write(func(tx *store.Tx) error {
		before, err := tx.Tournament("t1")
		if err != nil {
			return err
		}
		after := before.Clone()
		change(after)
		return tx.SaveTournament(before, after, ledger.Deed{At: h.now, By: "olena", Act: act})
	})
}

func announce(t *tournament.Tournament) { t.Status = tournament.Registration }

// deliver sends what is due and returns what came.
func (h *hall) deliver(inside bool) []told {
	h.Helper()
	s := webhook.New(h.store, "https://chess.example/", outward.Client(notice.HookPatience, inside), webhook.Chats{},
		func() time.Time { return h.now }, slog.New(slog.DiscardHandler))
	h.got = nil
	if err := s.Deliver(h.Context()); err != nil {
		h.Fatal(err)
	}
	return h.got
}

func (h *hall) messages(hook string) []notice.HookMessage {
	h.Helper()
	list, err := store.Get(h.Context(), h.store, func(tx *store.Tx) ([]notice.HookMessage, error) { return tx.HookMessages(hook, 50) })
	if err != nil {
		h.Fatal(err)
	}
	return list
}

func TestAProgramIsToldInOrderWhatEverybodyMayKnow(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := open(t, s)
		h.hook("event", "tournament/t1")
		h.hook("club", "club/dragon")
		h.hook("other", "tournament/t2")
		if got := h.deliver(true); len(got) != 0 {
			t.Errorf("told of what was before: %+v", got)
		}
		h.does(tournament.ActSettings, func(t *tournament.Tournament) { t.Settings.About = "a draft" })
		if got := h.deliver(true); len(got) != 0 {
			t.Errorf("told of a draft: %+v", got)
		}
		if m := h.messages("event"); len(m) != 1 || m[0].Trouble != "not public" || !m[0].Due.IsZero() {
			t.Errorf("of the draft: %+v", m)
		}
		h.does(tournament.ActOpen, announce)
		h.does(tournament.ActForbid, func(t *tournament.Tournament) {
			t.Forbidden = []tournament.ForbiddenEntries{{Entries: []tournament.EntryID{1, 2}}}
		}) // for staff only
		h.does(tournament.ActSettings, func(t *tournament.Tournament) { t.Settings.About = "Bring a friend" })
		got := h.deliver(true)
		if len(got) != 2 {
			t.Fatalf("%d messages at first, want one for each hook: %+v", len(got), got)
		}
		for _, m := range got {
			want := webhook.Data{Tournament: "t1", Name: "Friday", Club: "dragon", Status: "registration", Seq: 3, Act: "open-registration",
				Page: "https://chess.example/tournaments/t1", API: "https://chess.example/api/v1/tournaments/t1"}
			if m.Type != "tournament.open-registration" || m.Data != want || m.signature == "" {
				t.Errorf("told %+v", m)
			}
		}
		if got := h.deliver(true); len(got) != 2 || got[0].Data.Seq != 5 || got[1].Data.Seq != 5 {
			t.Errorf("then %+v", got)
		}
		if got := h.deliver(true); len(got) != 0 {
			t.Errorf("and once more %+v", got)
		}
	})
}

func TestAProgramIsToldOfALadder(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := open(t, s)
		storetest.Players(t, s, "ana", "bob")
		settings := ladder.DefaultSettings()
		settings.Name, settings.Club = "Stairs", "dragon"
		l, err := ladder.New("l1", "olena", settings, h.now)
		if err != nil {
			t.Fatal(err)
		}
		h.write(func(tx *store.Tx) error { return tx.AddLadder(l) })
		h.hook("ladder", "ladder/l1")
		h.hook("club", "club/dragon")
		h.hook("other", "ladder/l2")
		before, err := store.Get(t.Context(), s, func(tx *store.Tx) (*ladder.Ladder, error) { return tx.Ladder("l1") })
		if err != nil {
			t.Fatal(err)
		}
		after := before.Clone()
		for _, id := range []player.ID{"ana", "bob"} {
			if err := after.Join(ladder.Actor{Player: id}, ladder.Candidate{Player: id, Member: true}, h.now); err != nil {
				t.Fatal(err)
			}
		}
		h.write(func(tx *store.Tx) error { return tx.SaveLadder(before, after) })
		for seq := int64(2); seq <= 3; seq++ {
			got := h.deliver(true)
			if len(got) != 2 {
				t.Fatalf("%d messages, want one for each hook: %+v", len(got), got)
			}
			for _, m := range got {
				want := webhook.Data{Ladder: "l1", Name: "Stairs", Club: "dragon", Seq: seq, Act: "joined",
					Page: "https://chess.example/ladders/l1", API: "https://chess.example/api/v1/ladders/l1"}
				if m.Type != "ladder.joined" || m.Data != want {
					t.Errorf("told %+v", m)
				}
			}
		}
		if got := h.deliver(true); len(got) != 0 {
			t.Errorf("and once more %+v", got)
		}
	})
}

// Of a league a club's program hears what everybody sees of a season: not who enters, nor who is given a sanction.
func TestAProgramIsToldOfALeague(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := open(t, s)
		storetest.Players(t, s, "ana", "bob", "cyn", "dan")
		host := league.Actor{Player: "olena", Directs: true}
		set := league.DefaultSettings()
		set.Name = "Winter"
		l, err := league.New("w1", "dragon", host, set, h.now.Add(24*time.Hour), h.now)
		if err != nil {
			t.Fatal(err)
		}
		h.hook("club", "club/dragon")
		h.hook("other", "ladder/l2")
		h.write(func(tx *store.Tx) error { return tx.SaveLeague(nil, l) })
		after := l.Clone()
		for _, id := range []league.Member{"ana", "bob", "cyn", "dan"} {
			err = errors.Join(err, after.Enter(host, id, 1500, h.now))
		}
		_, warned := after.Warn(host, "ana", "Silent for a week", h.now)
		err = errors.Join(err, warned, after.Propose(host, h.now), after.Publish(host, func() tournament.ID { return "t1" }, h.now))
		if err != nil {
			t.Fatal(err)
		}
		h.write(func(tx *store.Tx) error { return tx.SaveLeague(l, after) })
		for _, want := range []webhook.Data{{Seq: 1, Act: "created"}, {Seq: 8, Act: "placed"}} { // 2…5 entered, 6 was warned, 7 drafted
			want.League, want.Name, want.Club, want.Status = "w1", "Winter", "dragon", "placed"
			want.Page, want.API = "https://chess.example/leagues/w1", "https://chess.example/api/v1/leagues/w1"
			if got := h.deliver(true); len(got) != 1 || got[0].Data != want || got[0].Type != "league."+want.Act {
				t.Errorf("told %+v, want %+v", got, want)
			}
		}
		if got := h.deliver(true); len(got) != 0 {
			t.Errorf("and once more %+v", got)
		}
	})
}

func TestAProgramThatDoesNotAnswerIsToldLaterAndInTheEndNoMore(t *testing.T) {
	t.Parallel()
	storetest.One(t, func(t *testing.T, s *store.Store) {
		h := open(t, s)
		h.does(tournament.ActOpen, announce)
		h.hook("event", "tournament/t1")
		h.does(tournament.ActSettings, func(t *tournament.Tournament) { t.Settings.About = "First" })
		h.does(tournament.ActSettings, func(t *tournament.Tournament) { t.Settings.About = "Second" })
		for try, status := range []int{500, 302, 429, 404} {
			h.answer = status
			got := h.deliver(true)
			if len(got) != 1 || got[0].Data.Seq != 3 {
				t.Fatalf("try %d: %+v", try+1, got)
			}
			if again := h.deliver(true); len(again) != 0 {
				t.Fatalf("sent again at once: %+v", again)
			}
			wait, _ := notice.HookAgain(try + 1)
			h.now = h.now.Add(wait)
		}
		h.answer = http.StatusOK
		first, second := h.deliver(true), h.deliver(true)
		if len(first) != 1 || first[0].Data.Seq != 3 || len(second) != 1 || second[0].Data.Seq != 4 {
			t.Fatalf("when it answers: %+v, then %+v", first, second)
		}
		h.answer = http.StatusServiceUnavailable
		h.does(tournament.ActSettings, func(t *tournament.Tournament) { t.Settings.About = "Third" })
		tries := 0
		for range 20 {
			tries += len(h.deliver(true))
			h.now = h.now.Add(25 * time.Hour)
		}
		hook, err := store.Get(t.Context(), s, func(tx *store.Tx) (notice.Hook, error) { return tx.Hook("event") })
		if err != nil || hook.Stopped.IsZero() || tries != 8 {
			t.Errorf("after %d tries: %+v, %v", tries, hook, err)
		}
		h.does(tournament.ActSettings, func(t *tournament.Tournament) { t.Settings.About = "Fourth" })
		if m := h.messages("event"); m[0].Seq != 5 {
			t.Errorf("who was given up is told on: %+v", m[0])
		}
	})
}

func TestWhoWantsNoMoreIsToldNoMore(t *testing.T) {
	t.Parallel()
	storetest.One(t, func(t *testing.T, s *store.Store) {
		h := open(t, s)
		h.does(tournament.ActOpen, announce)
		h.hook("event", "tournament/t1")
		h.answer = http.StatusGone
		h.write(func(tx *store.Tx) error {
			hook, err := tx.Hook("event")
			if err != nil {
				return err
			}
			return tx.TryHook(hook, h.now)
		})
		if got := h.deliver(true); len(got) != 1 || got[0].Type != "trial" {
			t.Fatalf("%+v", got)
		}
		hook, err := store.Get(t.Context(), s, func(tx *store.Tx) (notice.Hook, error) { return tx.Hook("event") })
		if err != nil || hook.Stopped.IsZero() {
			t.Errorf("%+v, %v", hook, err)
		}
	})
}

func TestNobodyReachesIntoTheNetworkOfTheSite(t *testing.T) {
	t.Parallel()
	storetest.One(t, func(t *testing.T, s *store.Store) {
		h := open(t, s)
		h.does(tournament.ActOpen, announce)
		h.hook("event", "tournament/t1")
		h.does(tournament.ActSettings, func(t *tournament.Tournament) { t.Settings.About = "First" })
		if got := h.deliver(false); len(got) != 0 {
			t.Errorf("reached: %+v", got)
		}
		if m := h.messages("event"); len(m) != 1 || m[0].Trouble != "inside" || m[0].Status != 0 || m[0].Due.IsZero() {
			t.Errorf("%+v", m)
		}
	})
}
