package web

import (
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// TestUsesThatComeTogetherAreWrittenTogether: a thousand who come at once do not cost a
// thousand transactions, and each has its note when it is answered.
func TestUsesThatComeTogetherAreWrittenTogether(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "anna")
		const many = 200
		began := time.UnixMilli(1_700_000_000_000).UTC()
		secrets := make([]player.Secret, many)
		if err := s.Write(t.Context(), func(tx *store.Tx) (err error) {
			for i := range secrets {
				if secrets[i], err = tx.AddToken(player.Token{Player: "anna", Name: "x", Created: began}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		tokens := func() (list []player.Token) {
			shown, err := store.Get(t.Context(), s, func(tx *store.Tx) (map[player.Secret]store.Shown, error) { return tx.Shown(secrets) })
			if err != nil || len(shown) != many {
				t.Fatalf("%d are known: %v", len(shown), err)
			}
			for _, secret := range secrets {
				list = append(list, shown[secret].Token)
			}
			return list
		}
		before, now := s.Writes(), began.Add(time.Hour)
		u := newUses(s)
		u.busy = true // somebody writes while they come
		var all sync.WaitGroup
		for _, token := range tokens() {
			all.Go(func() {
				if err := u.note(token.ID, "", now).wait(); err != nil {
					t.Error(err)
				}
			})
		}
		for waits := 0; waits < many; { // until all of them wait
			u.mu.Lock()
			if waits = 0; u.next != nil {
				waits = len(u.next.of.tokens)
			}
			u.mu.Unlock()
		}
		u.work()
		all.Wait()
		if n := s.Writes() - before; n != 1 {
			t.Errorf("%d transactions", n)
		}
		for i, token := range tokens() {
			if !token.Used.Equal(now) {
				t.Errorf("token %d was used at %v", i, token.Used)
			}
		}
		if err := u.note(tokens()[0].ID, "", now.Add(time.Hour)).wait(); err != nil || !tokens()[0].Used.Equal(now.Add(time.Hour)) {
			t.Errorf("the next one is not written: %v", err)
		}
	})
}

// TestWhoComesTogetherIsReadTogether: a thousand who come at once cost two reads, and who
// goes on asking is read anew without waiting for it.
func TestWhoComesTogetherIsReadTogether(t *testing.T) {
	t.Parallel()
	began := time.UnixMilli(1_700_000_000_000).UTC()
	asked, answer := make(chan int), make(chan string)
	vs := newVisitors(func(secrets []player.Secret) (map[player.Secret]visitor, error) {
		asked <- len(secrets)
		name := <-answer
		found := map[player.Secret]visitor{}
		for _, secret := range secrets {
			if secret != "stranger" {
				found[secret] = visitor{token: player.Token{ID: string(secret), Name: name}}
			}
		}
		return found, nil
	})
	name := func(secret player.Secret, at time.Time) string {
		v, err := vs.of(secret, at)
		if err != nil {
			t.Error(err)
		}
		return v.token.Name
	}
	var all sync.WaitGroup
	all.Go(func() { name("first", began) })
	if n := <-asked; n != 1 {
		t.Fatalf("%d are read for the first", n)
	}
	const many = 1000
	for i := range many {
		all.Go(func() { name(player.Secret(strconv.Itoa(i)), began) })
	}
	all.Go(func() {
		if _, err := vs.of("stranger", began); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a stranger: %v", err)
		}
	})
	for waits := 0; waits < many+1; { // until all of them wait
		vs.looks.mu.Lock()
		if waits = 0; vs.looks.next != nil {
			waits = len(vs.looks.next.of.came)
		}
		vs.looks.mu.Unlock()
	}
	answer <- "as before"
	if n := <-asked; n != many+1 {
		t.Errorf("%d are read together", n)
	}
	answer <- "as before"
	all.Wait()
	if got := name("7", began.Add(visitorFresh-1)); got != "as before" {
		t.Errorf("read again too early: %s", got)
	}
	if got := name("7", began.Add(visitorFresh)); got != "as before" { // read does not answer yet
		t.Errorf("waited for: %s", got)
	}
	<-asked
	all.Go(func() { name("new", began.Add(visitorFresh)) }) // is read after those
	answer <- "as now"
	<-asked
	answer <- "as now"
	all.Wait()
	if got := name("7", began.Add(visitorFresh+visitorFor/3)); got != "as now" {
		t.Errorf("is still known %s", got)
	}
	vs.used("7", began.Add(visitorFor))
	if v, err := vs.of("7", began.Add(visitorFor)); err != nil || !v.token.Used.Equal(began.Add(visitorFor)) {
		t.Errorf("its use is not known: %+v, %v", v, err)
	}
	<-asked // it is read anew once more
	answer <- ""
}
