package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// api asks Telegram's Bot API in the name of a bot.
type api struct {
	base, token string
	client      *http.Client
}

// refused is an answer of Telegram other than the one asked for.
type refused struct {
	Code int
	Says string
	Wait time.Duration // before anything else is asked; 0: it does not say
	Now  int64         // what the chat is called now; 0: as before
}

func (r *refused) Error() string { return fmt.Sprintf("telegram: %d %s", r.Code, r.Says) }

// codeOf is the code of Telegram's answer; 0: there was none.
func codeOf(err error) int {
	if r, is := errors.AsType[*refused](err); is {
		return r.Code
	}
	return 0
}

// maxAnswer bounds what is read of an answer.
const maxAnswer = 8 << 20

// ask calls a method with what it takes, and reads into answer what it returns. No error tells the token, which stands in the
// address.
func (a api) ask(ctx context.Context, method string, takes, answer any) error {
	body, err := json.Marshal(takes)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+"/bot"+a.token+"/"+method, bytes.NewReader(body))
	if err != nil {
		return errors.New("telegram: no address of the API")
	}
	r.Header.Set("Content-Type", "application/json")
	said, err := a.client.Do(r)
	if err != nil {
		if at, is := errors.AsType[*url.Error](err); is {
			err = at.Err
		}
		return fmt.Errorf("telegram: %s: %w", method, err)
	}
	defer said.Body.Close()
	var got struct {
		OK          bool            `json:"ok"`
		Result      json.RawMessage `json:"result"`
		Code        int             `json:"error_code"`
		Description string          `json:"description"`
		Parameters  struct {
			RetryAfter int   `json:"retry_after"`
			Moved      int64 `json:"migrate_to_chat_id"`
		} `json:"parameters"`
	}
	if err := json.NewDecoder(io.LimitReader(said.Body, maxAnswer)).Decode(&got); err != nil {
		return &refused{Code: said.StatusCode, Says: "no answer of Telegram"}
	}
	if !got.OK {
		return &refused{Code: got.Code, Says: got.Description, Wait: time.Duration(got.Parameters.RetryAfter) * time.Second,
			Now: got.Parameters.Moved}
	}
	return json.Unmarshal(got.Result, answer)
}

// The parts of Telegram's objects that are read and written here.
type (
	user struct {
		Username string `json:"username"`
		Language string `json:"language_code"`
	}
	chat struct {
		ID    int64  `json:"id"`
		Type  string `json:"type"` // private, group, supergroup or channel
		Title string `json:"title"`
	}
	update struct {
		ID      int64 `json:"update_id"`
		Message *struct {
			Chat chat   `json:"chat"`
			From user   `json:"from"`
			Text string `json:"text"`
		} `json:"message"`
		Membership *struct { // of the bot itself
			Chat chat `json:"chat"`
			New  struct {
				Status string `json:"status"`
			} `json:"new_chat_member"`
		} `json:"my_chat_member"`
	}
	button struct {
		Text string `json:"text"`
		URL  string `json:"url"`
	}
	buttons struct {
		Rows [][]button `json:"inline_keyboard"`
	}
	message struct {
		Chat    int64    `json:"chat_id"`
		Text    string   `json:"text"`
		Preview preview  `json:"link_preview_options"`
		Buttons *buttons `json:"reply_markup,omitempty"`
	}
	preview struct {
		Off   bool   `json:"is_disabled"`
		URL   string `json:"url,omitempty"`
		Large bool   `json:"prefer_large_media,omitempty"`
	}
)
