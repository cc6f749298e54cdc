package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

func TestClubsAndTheirPeople(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "ana", "bob", "cyn", "dan")
		before := club.New("c", "Клуб «Дракон»", "Щовівторка", "ana", noon)
		write(t, s, func(tx *store.Tx) error { return tx.AddClub(before) })
		before = roster(t, s, "c")
		after := before.Clone()
		after.Name, after.Joining, after.Code = "Клуб", club.ByCode, "abc"
		after.Members = append(after.Members, club.Membership{Club: "c", Player: "bob", Role: club.Organizer, Joined: noon.Add(time.Hour)})
		after.Requests = []club.Request{{Player: "cyn", Note: "Пустіть!", At: noon}}
		after.Bans = []club.Ban{{Player: "dan", By: "ana", Reason: "грубість", At: noon, Until: noon.Add(time.Hour)}}
		write(t, s, func(tx *store.Tx) error { return tx.SaveClub(before, after) })
		after.Version++
		if diff := cmp.Diff(after, roster(t, s, "c")); diff != "" {
			t.Errorf("saved (-), read (+):\n%s", diff)
		}
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveClub(before, after) }); !errors.Is(err, store.ErrConflict) {
			t.Errorf("over somebody else's change: %v", err)
		}
		last := after.Clone()
		last.Members[0].Role, last.Members[1].Role = club.Member, club.Owner
		last.Requests, last.Bans = nil, nil
		write(t, s, func(tx *store.Tx) error { return tx.SaveClub(after, last) })
		last.Version++
		last.Members[0], last.Members[1] = last.Members[1], last.Members[0] // the owner stands first
		if diff := cmp.Diff(last, roster(t, s, "c")); diff != "" {
			t.Errorf("saved (-), read (+):\n%s", diff)
		}
		same := club.New("d", "КЛУБ", "", "ana", noon)
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.AddClub(same) }); !errors.Is(err, store.ErrTaken) {
			t.Errorf("the same name in capital letters: %v", err)
		}
	})
}

func roster(t *testing.T, s *store.Store, id club.ID) (r club.Roster) {
	t.Helper()
	err := s.Read(t.Context(), func(tx *store.Tx) (err error) {
		r, err = tx.Roster(id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestNewsOfAClub(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "ana")
		one := club.Post{ID: "1", Club: "c", Author: "ana", Title: "Перша", Text: "Текст", At: noon}
		two := club.Post{ID: "2", Club: "c", Author: "ana", Title: "Друга", Text: "Текст", At: noon.Add(time.Hour)}
		write(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.AddClub(club.New("c", "Клуб", "", "ana", noon)), tx.AddClub(club.New("d", "Інший", "", "ana", noon)),
				tx.AddClubPost(one), tx.AddClubPost(two))
		})
		one.Title, one.Edited = "Перша, краща", noon.Add(2*time.Hour)
		write(t, s, func(tx *store.Tx) error { return tx.SetClubPost(one) })
		write(t, s, func(tx *store.Tx) error {
			posts, total, err := tx.ClubPosts("c", 10, 0)
			if diff := cmp.Diff([]club.Post{two, one}, posts); diff != "" || total != 2 {
				t.Errorf("%d:\n%s", total, diff)
			}
			if posts, total, err := tx.ClubPosts("c", 1, 1); len(posts) != 1 || posts[0] != one || total != 2 || err != nil {
				t.Errorf("the second page: %v, %d, %v", posts, total, err)
			}
			if _, err := tx.ClubPost("d", "1"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("another club's news: %v", err)
			}
			return errors.Join(err, tx.DropClubPost("d", "1"), tx.DropClubPost("c", "2"))
		})
		write(t, s, func(tx *store.Tx) error {
			if posts, _, err := tx.ClubPosts("c", 10, 0); len(posts) != 1 || posts[0].ID != "1" {
				t.Errorf("left: %v, %v", posts, err)
			}
			return nil
		})
	})
}

// TestTwoOwnersWhoLeaveAtOnce: each of them read a club with another owner in
// it; only one change stands.
func TestTwoOwnersWhoLeaveAtOnce(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "ana", "bob")
		for i := range 10 {
			id := club.ID(fmt.Sprint("c", i))
			r := club.New(id, fmt.Sprint("Club ", i), "", "ana", noon)
			r.Members = append(r.Members, club.Membership{Club: id, Player: "bob", Role: club.Owner, Joined: noon})
			write(t, s, func(tx *store.Tx) error { return tx.AddClub(r) })
			before := roster(t, s, id)
			var wg sync.WaitGroup
			errs := make([]error, 2)
			for k, who := range []player.ID{"ana", "bob"} {
				after := before.Clone()
				if err := after.Leave(player.Viewer{Player: player.Player{ID: who, Role: player.Plain}}); err != nil {
					t.Fatal(err)
				}
				wg.Go(func() {
					errs[k] = s.Write(context.WithoutCancel(t.Context()), func(tx *store.Tx) error { return tx.SaveClub(before, after) })
				})
			}
			wg.Wait()
			if (errs[0] == nil) == (errs[1] == nil) || !errors.Is(errors.Join(errs...), store.ErrConflict) {
				t.Fatalf("%v; %v", errs[0], errs[1])
			}
			if left := roster(t, s, id); len(left.Members) != 1 || left.Members[0].Role != club.Owner {
				t.Fatalf("left: %+v", left.Members)
			}
		}
	})
}
