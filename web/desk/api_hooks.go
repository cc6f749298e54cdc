package desk

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

func (s api) hookOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /webhooks", player.ScopeOrganize, s.hooks, "The webhooks of a tournament, ladder or club",
			"For those who may change its settings: with their secrets, and what each was told last."),
		page.Op("POST /webhooks", player.ScopeOrganize, s.addHook, "Let a program be told of a tournament, ladder or club",
			"Its address gets a POST for whatever happens from now on, signed with secret. A club’s hears of its tournaments and ladders.").
			Creates(),
		page.Op("POST /webhooks/{hook}", player.ScopeOrganize, s.changeHook, "Try a webhook, change its secret or send a message again",
			"After rotate the secret before signs along for a day. What is sent again keeps its id."),
		page.Act("DELETE /webhooks/{hook}", player.ScopeOrganize, s.dropHook, "Remove a webhook", "With the list of what it was told."),
	}
}

type (
	hookTopic struct {
		Of string `query:"of" doc:"what it is" enum:"tournament,ladder,club" example:"tournament"`
		ID string `query:"id" doc:"its address" example:"8h1ptm4x6c2z"`
	}
	hookPath struct {
		Hook string `path:"hook" doc:"the webhook" example:"4k8d2mzq7x1v"`
	}
	addHookIn struct {
		Of  string `json:"of" doc:"of what to be told" enum:"tournament,ladder,club" example:"tournament"`
		ID  string `json:"id" doc:"its address" example:"8h1ptm4x6c2z"`
		URL string `json:"url" doc:"the address that is called" example:"https://example.org/chpok"`
	}
	changeHookIn struct {
		hookPath
		Do      string `json:"do" doc:"resume: go on after it was given up" enum:"try,rotate,resume,again" example:"try"`
		Message string `json:"message,omitempty" doc:"which to send again" example:"msg_4k8d2mzq7x1v_8h1ptm4x6c2z_41"`
	}
	apiHook struct {
		ID       string           `json:"id" doc:"address of the webhook" example:"4k8d2mzq7x1v"`
		URL      string           `json:"url" doc:"the address that is called" example:"https://example.org/chpok"`
		Secret   string           `json:"secret" doc:"signs what is sent" example:"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"`
		Rotated  *time.Time       `json:"rotated" doc:"until when the secret before signs too; null: it does not"`
		Stopped  *time.Time       `json:"stopped" doc:"when it was given up; null: it is told"`
		Messages []apiHookMessage `json:"messages" doc:"what it was told, the latest first"`
	}
	apiHookMessage struct {
		ID      string     `json:"id" doc:"the header webhook-id" example:"msg_4k8d2mzq7x1v_8h1ptm4x6c2z_41"`
		Type    string     `json:"type" doc:"what it tells" example:"tournament.publish"`
		At      time.Time  `json:"at" doc:"when that happened"`
		Taken   bool       `json:"taken" doc:"it was answered well"`
		Tries   int        `json:"tries" doc:"how often it was sent" example:"1"`
		Sent    *time.Time `json:"sent" doc:"when last; null: not yet"`
		Status  *int       `json:"status" doc:"of the answer to that; null: there was none" example:"204"`
		Trouble *string    `json:"trouble" doc:"why there was none" enum:"inside,timeout,unreachable,not public" example:"timeout"`
		Due     *time.Time `json:"due" doc:"when it is sent, or sent again; null: never"`
	}
	apiHooks struct {
		Hooks []apiHook `json:"hooks" doc:"the oldest first"`
	}
)

func (s api) hooks(c echo.Context, in hookTopic) (out apiHooks, err error) {
	of := notice.TopicOf(in.Of, in.ID)
	out.Hooks = []apiHook{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		if err := events.MayHook(tx, page.Viewer(c), of); err != nil {
			return err
		}
		list, err := tx.Hooks(of)
		if err != nil {
			return err
		}
		for _, h := range list {
			shown, err := s.hookShown(tx, h)
			if err != nil {
				return err
			}
			out.Hooks = append(out.Hooks, shown)
		}
		return nil
	})
	return out, err
}

func (s api) hookShown(tx *store.Tx, h notice.Hook) (apiHook, error) {
	sent, err := tx.HookMessages(h.ID, notice.HookMessagesShown)
	out := apiHook{ID: h.ID, URL: h.URL, Secret: h.Secret, Stopped: page.Optional(h.Stopped), Messages: []apiHookMessage{}}
	if s.Now().Before(h.Until) {
		out.Rotated = &h.Until
	}
	for _, m := range sent {
		out.Messages = append(out.Messages, apiHookMessage{m.ID(), m.Type(), m.At, m.IsTaken(), m.Tries, page.Optional(m.Sent),
			page.Optional(m.Status), page.Optional(m.Trouble), page.Optional(m.Due)})
	}
	return out, err
}

func (s api) addHook(c echo.Context, in addHookIn) (apiHook, error) {
	h, err := s.Arbiter.Events.AddHook(c.Request().Context(), page.Viewer(c), notice.TopicOf(in.Of, in.ID), in.URL,
		string(s.Printer(c).Lang))
	if err != nil {
		return apiHook{}, err
	}
	return s.hookNow(c, h.ID)
}

// hookNow returns a webhook as it is after a change by the caller.
func (s api) hookNow(c echo.Context, id string) (apiHook, error) {
	return store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (apiHook, error) {
		h, err := tx.Hook(id)
		if err != nil {
			return apiHook{}, err
		}
		return s.hookShown(tx, h)
	})
}

func (s api) changeHook(c echo.Context, in changeHookIn) (out apiHook, err error) {
	ctx, by := c.Request().Context(), page.Viewer(c)
	switch {
	case in.Do == "again" && in.Message == "":
		err = page.Lacking("message")
	case in.Do == "again":
		err = s.Arbiter.Events.SendAgain(ctx, by, in.Hook, in.Message)
	default:
		err = s.Arbiter.Events.ChangeHook(ctx, by, in.Hook, events.HookActs[in.Do])
	}
	if err != nil {
		return out, err
	}
	return s.hookNow(c, in.Hook)
}

func (s api) dropHook(ctx context.Context, by player.Viewer, in hookPath) error {
	return s.Arbiter.Events.ChangeHook(ctx, by, in.Hook, events.HookActs["drop"])
}
