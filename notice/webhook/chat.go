package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// Embed is what Discord shows as a card below a message.
type Embed struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	URL         string `json:"url,omitempty"`
	Image       *Image `json:"image,omitempty"`
}

// Image is a picture that Discord fetches.
type Image struct {
	URL string `json:"url"`
}

// toDiscord is a message to a channel. Nobody is called by it, whatever names stand there.
type toDiscord struct {
	Embeds   []Embed `json:"embeds"`
	Mentions struct {
		Parse []string `json:"parse"`
	} `json:"allowed_mentions"`
}

// tell writes to a chat what happened, and notes the answer in the message, with when to try again if the chat says so; false:
// there is nothing to tell.
func (s *Sender) tell(ctx context.Context, h notice.Hook, m *notice.HookMessage) (bool, error) {
	l, known := lang.Parse(h.Lang)
	if !known {
		l = lang.English
	}
	news, err := s.chats.Words(ctx, *m, l)
	if err != nil || news.Title == "" {
		return false, err
	}
	if news.URL != "" {
		news.URL = s.base + news.URL
	}
	if news.Picture != "" {
		news.Picture = s.base + news.Picture
	}
	if group, is := h.Group(); is {
		return true, s.post(ctx, h, m, group, news, lang.Printer{Lang: l}.T("telegram.open"))
	}
	d := toDiscord{Embeds: []Embed{{Title: news.Title, Description: news.Text, URL: news.URL}}}
	d.Mentions.Parse = []string{}
	if news.Picture != "" {
		d.Embeds[0].Image = &Image{news.Picture}
	}
	body, err := json.Marshal(d)
	if err != nil {
		return true, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(body))
	if err != nil {
		return true, fmt.Errorf("webhook: %w", err)
	}
	if heads, err := s.call(r, m); err == nil && m.Status == http.StatusTooManyRequests {
		if wait, err := strconv.ParseFloat(heads.Get("Retry-After"), 64); err == nil {
			m.Due = m.Sent.Add(time.Duration(wait * float64(time.Second)))
		}
	}
	return true, nil
}

// post writes to a group on Telegram, and follows it when it is called otherwise.
func (s *Sender) post(ctx context.Context, h notice.Hook, m *notice.HookMessage, group int64, news notice.News, label string) error {
	posted, err := s.chats.Bot.Post(ctx, group, news, label)
	if err != nil {
		return err
	}
	m.Status = posted.Status
	if m.Status == 0 {
		m.Trouble = "unreachable"
	}
	if posted.Wait > 0 {
		m.Due = m.Sent.Add(posted.Wait)
	}
	if posted.Chat == 0 {
		return nil
	}
	return s.store.Write(ctx, func(tx *store.Tx) error {
		now, err := tx.Hook(h.ID)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		now.URL = notice.TelegramGroup(posted.Chat)
		return errors.Join(err, tx.SaveHook(now))
	})
}
