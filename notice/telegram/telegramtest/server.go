// Package telegramtest is a server for tests that speaks as much of Telegram's Bot API as a bot needs: it knows one bot, keeps
// what the bot writes, tells it what people write, and can be told to refuse.
package telegramtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"testing"
)

// The bot that the server knows.
const (
	Token = "123456789:AAEhBOweik9ai2o7kdJtOEoB1234567890a"
	Name  = "chpok_test_bot"
)

// Message is what the bot has written to a chat.
type Message struct {
	Chat  int64
	Text  string
	Label string // of its button
	URL   string
	Shows string // page whose picture is shown
}

// Server is a running server.
type Server struct {
	URL string

	mu      sync.Mutex
	said    []Message
	news    []map[string]any
	last    int64 // number of the last update
	blocked map[int64]bool
	refusal map[string]any // of everything; nil: none
	asked   []string       // methods
}

// Start runs a server until the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{blocked: map[int64]bool{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Write lets a person write to the bot in private.
func (s *Server) Write(chat int64, text, language string) {
	s.add(map[string]any{"message": map[string]any{"text": text, "chat": map[string]any{"id": chat, "type": "private"},
		"from": map[string]any{"id": chat, "language_code": language}}})
}

// Add lets somebody add the bot to a group by a link with a code.
func (s *Server) Add(group int64, title, code string) {
	s.add(map[string]any{"message": map[string]any{"text": "/start@" + Name + " " + code, "from": map[string]any{"id": 1},
		"chat": map[string]any{"id": group, "type": "supergroup", "title": title}}})
}

// Block lets a person block the bot; tells says whether the bot hears of it.
func (s *Server) Block(chat int64, tells bool) {
	s.mu.Lock()
	s.blocked[chat] = true
	s.mu.Unlock()
	if tells {
		s.add(map[string]any{"my_chat_member": map[string]any{"chat": map[string]any{"id": chat, "type": "private"},
			"new_chat_member": map[string]any{"status": "kicked"}}})
	}
}

func (s *Server) add(update map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	update["update_id"] = s.last
	s.news = append(s.news, update)
}

// Refuse answers everything with a code and how many seconds to wait; without a code all is well again.
func (s *Server) Refuse(code, wait int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusal = nil
	if code != 0 {
		s.refusal = map[string]any{"error_code": code, "description": "refused", "parameters": map[string]any{"retry_after": wait}}
	}
}

// Said returns what the bot has written since the last call.
func (s *Server) Said() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.said
	s.said = nil
	return out
}

// Asked returns the methods called since the last call.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.asked
	s.asked = nil
	return out
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var takes struct {
		Offset  int64  `json:"offset"`
		Chat    int64  `json:"chat_id"`
		Text    string `json:"text"`
		Preview struct {
			URL string `json:"url"`
		} `json:"link_preview_options"`
		Buttons struct {
			Rows [][]struct {
				Text string `json:"text"`
				URL  string `json:"url"`
			} `json:"inline_keyboard"`
		} `json:"reply_markup"`
	}
	w.Header().Set("Content-Type", "application/json")
	answer := func(result any) { _ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "result": result}) }
	refuse := func(code int, why map[string]any) {
		why["ok"] = false
		why["error_code"] = code
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(why)
	}
	if err := json.NewDecoder(r.Body).Decode(&takes); err != nil {
		refuse(http.StatusBadRequest, map[string]any{"description": err.Error()})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	method := path.Base(r.URL.Path)
	s.asked = append(s.asked, method)
	switch {
	case strings.TrimSuffix(r.URL.Path, "/"+method) != "/bot"+Token:
		refuse(http.StatusUnauthorized, map[string]any{"description": "Unauthorized"})
	case s.refusal != nil:
		refuse(s.refusal["error_code"].(int), s.refusal)
	case method == "getMe":
		answer(map[string]any{"id": 1, "is_bot": true, "username": Name})
	case method == "deleteWebhook":
		answer(true)
	case method == "getUpdates":
		left := []map[string]any{}
		for _, u := range s.news {
			if u["update_id"].(int64) >= takes.Offset {
				left = append(left, u)
			}
		}
		s.news = left
		answer(left)
	case method == "sendMessage" && s.blocked[takes.Chat]:
		refuse(http.StatusForbidden, map[string]any{"description": "Forbidden: bot was blocked by the user"})
	case method == "sendMessage":
		m := Message{Chat: takes.Chat, Text: takes.Text, Shows: takes.Preview.URL}
		for _, row := range takes.Buttons.Rows {
			m.Label, m.URL = row[0].Text, row[0].URL
		}
		s.said = append(s.said, m)
		answer(map[string]any{"message_id": len(s.said)})
	default:
		refuse(http.StatusNotFound, map[string]any{"description": "Not Found"})
	}
}
