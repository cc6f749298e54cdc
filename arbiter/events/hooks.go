package events

import (
	"context"
	"slices"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
)

// MayHook returns nil for who decides which programs are told of a topic: whoever may change the settings of that.
func MayHook(tx *store.Tx, by player.Viewer, of notice.Topic) error {
	switch kind, id := of.Parts(); kind {
	case notice.OfTournament:
		t, err := tx.Tournament(tournament.ID(id))
		if err == nil && !t.May(by, tournament.ActSettings) {
			err = tournament.ErrNotAllowed
		}
		return err
	case notice.OfLadder:
		l, err := tx.Ladder(ladder.ID(id))
		if err != nil {
			return err
		}
		me, err := assurance.LadderActor(tx, by, l)
		if err == nil && !me.Directs {
			err = ladder.ErrNotAllowed
		}
		return err
	case notice.OfClub:
		return assurance.MayInClub(tx, by, club.ID(id), club.ActChange)
	}
	return store.ErrNotFound
}

// AddHook lets a program be told of a topic, or a channel on Discord in a language. Errors: notice.ErrHookURL, notice.ErrManyHooks.
func (a *Office) AddHook(ctx context.Context, by player.Viewer, of notice.Topic, address, lang string) (notice.Hook, error) {
	address, err := notice.CheckHookURL(address)
	if err != nil {
		return notice.Hook{}, err
	}
	h := notice.Hook{ID: store.NewID(), Topic: of, URL: address, Secret: notice.NewHookSecret(), By: by.ID, Created: a.Now()}
	if notice.IsDiscord(address) {
		h.Lang = lang
	}
	return h, a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := MayHook(tx, by, of); err != nil {
			return err
		}
		list, err := tx.Hooks(of)
		if err == nil && len(list) >= notice.MaxHooks {
			err = notice.ErrManyHooks
		}
		if err != nil {
			return err
		}
		return tx.SaveHook(h)
	})
}

// AskGroup returns a code with which the site's bot on Telegram may write to a group of a topic.
func (a *Office) AskGroup(ctx context.Context, by player.Viewer, of notice.Topic, lang string) (code player.Secret, err error) {
	err = a.Store.Write(ctx, func(tx *store.Tx) (err error) {
		if err = MayHook(tx, by, of); err == nil {
			code, err = tx.AskGroup(of, by.ID, lang, a.Now())
		}
		return err
	})
	return code, err
}

// ChangeHook does something with a webhook.
func (a *Office) ChangeHook(ctx context.Context, by player.Viewer, id string, do func(*store.Tx, notice.Hook, time.Time) error) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		h, err := tx.Hook(id)
		if err == nil {
			err = MayHook(tx, by, h.Topic)
		}
		if err != nil {
			return err
		}
		return do(tx, h, a.Now())
	})
}

// HookActs are what can be done with a webhook.
var HookActs = map[string]func(*store.Tx, notice.Hook, time.Time) error{
	"drop": func(tx *store.Tx, h notice.Hook, _ time.Time) error { return tx.DropHook(h.ID) },
	"try":  (*store.Tx).TryHook,
	"rotate": func(tx *store.Tx, h notice.Hook, now time.Time) error {
		return tx.SaveHook(h.Rotated(notice.NewHookSecret(), now))
	},
	"resume": func(tx *store.Tx, h notice.Hook, _ time.Time) error { h.Stopped = time.Time{}; return tx.SaveHook(h) },
}

// SendAgain sends a message of a webhook once more, at once.
func (a *Office) SendAgain(ctx context.Context, by player.Viewer, id, message string) error {
	return a.ChangeHook(ctx, by, id, func(tx *store.Tx, h notice.Hook, now time.Time) error {
		list, err := tx.HookMessages(h.ID, notice.HookMessagesShown)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(list, func(m notice.HookMessage) bool { return m.ID() == message })
		if i < 0 {
			return store.ErrNotFound
		}
		list[i].Due, list[i].Tries = now, 0
		return tx.HookTold(list[i])
	})
}
