package web

import (
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
			if err := s.Read(t.Context(), func(tx *store.Tx) error {
				for _, secret := range secrets {
					token, _, err := tx.Token(secret)
					if err != nil {
						return err
					}
					list = append(list, token)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			return list
		}
		before, now := s.Writes(), began.Add(time.Hour)
		u := &uses{store: s, writing: true} // somebody writes while they come
		var all sync.WaitGroup
		for _, token := range tokens() {
			all.Go(func() {
				if err := u.note(token.ID, "", now); err != nil {
					t.Error(err)
				}
			})
		}
		for waits := 0; waits < many; { // until all of them wait
			u.mu.Lock()
			if waits = 0; u.next != nil {
				waits = len(u.next.tokens)
			}
			u.mu.Unlock()
		}
		u.write()
		all.Wait()
		if n := s.Writes() - before; n != 1 {
			t.Errorf("%d transactions", n)
		}
		for i, token := range tokens() {
			if !token.Used.Equal(now) {
				t.Errorf("token %d was used at %v", i, token.Used)
			}
		}
		if err := u.note(tokens()[0].ID, "", now.Add(time.Hour)); err != nil || !tokens()[0].Used.Equal(now.Add(time.Hour)) {
			t.Errorf("the next one is not written: %v", err)
		}
	})
}
