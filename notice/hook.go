package notice

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Refusals of webhooks.
var (
	ErrHookURL   = refusal.Invalid("hook.error.url", "notice: no address of the web that a webhook can be")
	ErrManyHooks = refusal.Conflict("hook.error.many", "notice: as many webhooks as there may be")
)

// Topic is what a webhook tells of: an event, a ladder, a league, or all that a club holds, as "tournament/ID", "ladder/ID",
// "league/ID" or "club/ID". Of leagues the webhooks of their clubs are told.
type Topic string

// Kinds of topics.
const (
	OfTournament = "tournament"
	OfLadder     = "ladder"
	OfLeague     = "league"
	OfClub       = "club"
)

// TopicOf returns the topic of a kind with an id.
func TopicOf(kind, id string) Topic { return Topic(kind + "/" + id) }

// Parts returns the kind and the id.
func (t Topic) Parts() (kind, id string) {
	kind, id, _ = strings.Cut(string(t), "/")
	return kind, id
}

// Hook is a program of somebody else's that is told of a topic, by the convention of Standard Webhooks, or a chat that reads of
// it in words.
type Hook struct {
	ID      string
	Topic   Topic
	URL     string    // of a group on Telegram: telegram:CHAT
	Lang    string    // of the messages in a chat; empty: a program
	Title   string    // of a group on Telegram
	Secret  string    // signs what is sent
	Before  string    // the secret before it, which signs too until Until
	Until   time.Time // zero: there was none
	By      player.ID
	Created time.Time
	Stopped time.Time // when it was given up, because it had not answered for days; zero: it is told
}

// Limits of webhooks.
const (
	MaxHooks     = 5 // of a topic
	MaxHookURL   = 500
	OldSecret    = 24 * time.Hour // signs along after a new one was made
	HookPatience = 10 * time.Second
	// HookMessagesShown are how many messages of a webhook staff see.
	HookMessagesShown = 30
)

// hookWaits are how long after each failure a message is sent again; then it is given up, and so is its hook.
var hookWaits = []time.Duration{5 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 8 * time.Hour,
	24 * time.Hour}

// HookAgain returns how long to wait after so many failures; false to give up.
func HookAgain(tries int) (time.Duration, bool) {
	if tries > len(hookWaits) {
		return 0, false
	}
	return hookWaits[max(tries, 1)-1], true
}

// NewHookSecret returns a secret of 256 random bits, as Standard Webhooks writes it.
func NewHookSecret() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails
	return "whsec_" + base64.StdEncoding.EncodeToString(raw)
}

// CheckHookURL returns the address of a webhook as it is kept, or ErrHookURL.
func CheckHookURL(text string) (string, error) {
	text = strings.TrimSpace(text)
	u, err := url.Parse(text)
	if err != nil || len(text) > MaxHookURL || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil ||
		u.Fragment != "" {
		return text, ErrHookURL
	}
	return u.String(), nil
}

// Rotated returns the hook with a new secret; the present one signs along for a day.
func (h Hook) Rotated(secret string, now time.Time) Hook {
	h.Before, h.Until, h.Secret = h.Secret, now.Add(OldSecret), secret
	return h
}

// Signatures returns the value of the header webhook-signature for a message: "v1," and the HMAC-SHA256 of id, moment and
// body in base64, one for each secret that is valid.
func (h Hook) Signatures(id string, now time.Time, body []byte) string {
	secrets := []string{h.Secret}
	if now.Before(h.Until) {
		secrets = append(secrets, h.Before)
	}
	var list []string
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			continue // sealed with a key that is gone
		}
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", id, strconv.FormatInt(now.Unix(), 10), body)
		list = append(list, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	return strings.Join(list, " ")
}

// HookMessage is one thing that a hook is told, and how that went.
type HookMessage struct {
	Hook    string
	Topic   Topic // of what it tells; a club's hook is told of tournaments and ladders
	Seq     int64 // in the log of that; 0: a trial by staff
	Act     string
	At      time.Time // when it happened
	Due     time.Time // when it is sent, or sent again; zero: never
	Tries   int
	Sent    time.Time // when it was last tried
	Status  int       // answer of HTTP to that; 0: none
	Trouble string    // why there was none
}

// ID returns the id of the message, which stays when it is sent again.
func (m HookMessage) ID() string {
	_, of := m.Topic.Parts()
	return "msg_" + m.Hook + "_" + of + "_" + strconv.FormatInt(max(m.Seq, 0), 10)
}

// Type is what it tells: KIND.ACT of its topic, or trial.
func (m HookMessage) Type() string {
	if m.Seq == 0 {
		return "trial"
	}
	kind, _ := m.Topic.Parts()
	return kind + "." + m.Act
}

// IsTaken reports whether it was answered well.
func (m HookMessage) IsTaken() bool { return m.Status >= 200 && m.Status < 300 }
