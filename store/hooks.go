package store

import (
	"time"

	"gorm.io/gorm"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/league"
	"chpok.org/chpok/tournament/ledger"
)

type hookRow struct {
	ID           string `gorm:"primaryKey"`
	Topic        string
	URL          string
	Lang         string
	Title        string
	SecretSealed string
	BeforeSealed string
	UntilAt      int64
	ByPlayer     string
	CreatedAt    int64 `gorm:"autoCreateTime:false"`
	StoppedAt    int64
}

func (hookRow) TableName() string { return "hooks" }

func (tx *Tx) hookOf(r hookRow) notice.Hook {
	return notice.Hook{ID: r.ID, Topic: notice.Topic(r.Topic), URL: r.URL, Lang: r.Lang, Title: r.Title,
		Secret: tx.unsealed("hook", r.SecretSealed),
		Before: tx.unsealed("hook", r.BeforeSealed), Until: at(r.UntilAt), By: player.ID(r.ByPlayer), Created: at(r.CreatedAt),
		Stopped: at(r.StoppedAt)}
}

// Hooks are the webhooks of a topic, the oldest first.
func (tx *Tx) Hooks(of notice.Topic) ([]notice.Hook, error) {
	return findAll(tx.db.Where("topic = ?", string(of)).Order("created_at, id"), tx.hookOf, "hooks of %s", of)
}

// Hook is the webhook with an id, ErrNotFound without one.
func (tx *Tx) Hook(id string) (notice.Hook, error) {
	return findOne(tx.db.Where("id = ?", id), tx.hookOf, "hook")
}

// SaveHook adds a webhook or changes the one with its id.
func (tx *Tx) SaveHook(h notice.Hook) error {
	row := hookRow{h.ID, string(h.Topic), h.URL, h.Lang, h.Title, tx.sealed("hook", h.Secret), tx.sealed("hook", h.Before),
		ms(h.Until), string(h.By),
		ms(h.Created), ms(h.Stopped)}
	return wrap(tx.db.Save(&row).Error, "save hook")
}

// DropHook deletes a webhook with what it was told.
func (tx *Tx) DropHook(id string) error {
	return wrap(tx.db.Where("id = ?", id).Delete(&hookRow{}).Error, "drop hook")
}

type hookMessageRow struct {
	HookID  string
	Topic   string
	Seq     int64
	Act     string
	At      int64
	DueAt   *int64
	Tries   int
	SentAt  int64
	Answer  int // status of HTTP
	Trouble string
}

func (hookMessageRow) TableName() string { return "hook_messages" }

func (r hookMessageRow) message() notice.HookMessage {
	return notice.HookMessage{Hook: r.HookID, Topic: notice.Topic(r.Topic), Seq: r.Seq, Act: r.Act, At: at(r.At), Due: atOrZero(r.DueAt),
		Tries: r.Tries, Sent: at(r.SentAt), Status: r.Answer, Trouble: r.Trouble}
}

// queueDeed lets the webhooks of a tournament and of its club be told of a deed.
func (tx *Tx) queueDeed(id tournament.ID, d ledger.Deed) error {
	return tx.queueHooks(notice.TopicOf(notice.OfTournament, string(id)), "tournaments", d.Seq, string(d.Act), d.At)
}

// queueLadder lets the webhooks of a ladder and of its club be told of an event of its log.
func (tx *Tx) queueLadder(id ladder.ID, e ladder.Event) error {
	return tx.queueHooks(notice.TopicOf(notice.OfLadder, string(id)), "ladders", e.Seq, string(e.Kind), e.At)
}

// queueLeague lets the webhooks of a league's club be told of a line of its log.
func (tx *Tx) queueLeague(id league.ID, seq int64, e league.Event) error {
	return tx.queueHooks(notice.TopicOf(notice.OfLeague, string(id)), "leagues", seq, e.Kind, e.At)
}

// queueHooks queues what happened for the webhooks of a topic and of the club that holds it; table has its row.
func (tx *Tx) queueHooks(of notice.Topic, table string, seq int64, act string, when time.Time) error {
	kind, id := of.Parts()
	return tx.db.Exec(`INSERT INTO hook_messages (hook_id, topic, seq, act, at, due_at)
		SELECT h.id, ?, ?, ?, ?, ? FROM hooks h WHERE h.stopped_at = 0 AND (? OR h.lang = '') AND (h.topic = ?
			OR h.topic = (SELECT '`+notice.OfClub+`/' || t.club_id FROM `+table+` t WHERE t.id = ?))`,
		string(of), seq, act, ms(when), ms(when), notice.IsForChats(kind, act), string(of), id).Error
}

// TryHook queues a trial, again if there was one.
func (tx *Tx) TryHook(h notice.Hook, now time.Time) error {
	return wrap(tx.db.Exec(`INSERT INTO hook_messages (hook_id, topic, seq, act, at, due_at) VALUES (?, ?, 0, 'trial', ?, ?)
		ON CONFLICT (hook_id, topic, seq) DO UPDATE SET at = excluded.at, due_at = excluded.due_at, tries = 0, answer = 0, trouble = ''`,
		h.ID, string(h.Topic), ms(now), ms(now)).Error, "try hook")
}

// HookMessages are what a webhook was told last, the latest first.
func (tx *Tx) HookMessages(hook string, limit int) ([]notice.HookMessage, error) {
	return findAll(tx.db.Where("hook_id = ?", hook).Order("at DESC, seq DESC").Limit(limit), hookMessageRow.message, "messages of hook")
}

// IsHookDue reports whether there is anything to take, without keeping others from writing.
func (tx *Tx) IsHookDue(now time.Time) (bool, error) {
	return scan[bool](tx.db.Raw("SELECT EXISTS (SELECT 1 FROM hook_messages WHERE due_at <= ?)", ms(now)), "due hook messages")
}

// TakeHookMessages returns what is due, the oldest first, and puts it off until a moment, so that no other node sends it;
// of each hook only its first, so that it is told in order.
func (tx *Tx) TakeHookMessages(now, until time.Time, limit int) ([]notice.HookMessage, error) {
	list, err := findAll(tx.db.Where(`due_at <= ? AND NOT EXISTS (SELECT 1 FROM hook_messages o WHERE o.hook_id = hook_messages.hook_id
		AND o.due_at IS NOT NULL AND (o.at < hook_messages.at OR o.at = hook_messages.at AND o.seq < hook_messages.seq))`, ms(now)).
		Order("due_at, hook_id").Limit(limit), hookMessageRow.message, "due hook messages")
	for i, m := range list {
		if err == nil {
			list[i].Tries++
			err = guarded(ofMessage(tx.db, m).Where("due_at = ?", ms(m.Due)).
				Updates(map[string]any{"due_at": ms(until), "tries": m.Tries + 1}))
		}
	}
	return list, err
}

// ofMessage selects the row of a message.
func ofMessage(db *gorm.DB, m notice.HookMessage) *gorm.DB {
	return db.Model(&hookMessageRow{}).Where("hook_id = ? AND topic = ? AND seq = ?", m.Hook, string(m.Topic), m.Seq)
}

// HookTold stores how the last try of a message went.
func (tx *Tx) HookTold(m notice.HookMessage) error {
	var due *int64
	if !m.Due.IsZero() {
		when := ms(m.Due)
		due = &when
	}
	return wrap(ofMessage(tx.db, m).Updates(map[string]any{"due_at": due, "tries": m.Tries, "sent_at": ms(m.Sent), "answer": m.Status,
		"trouble": m.Trouble}).Error, "hook told")
}

// ForgetHookMessages deletes what was settled before a moment.
func (tx *Tx) ForgetHookMessages(before time.Time) error {
	return wrap(tx.db.Exec("DELETE FROM hook_messages WHERE at < ? AND due_at IS NULL", ms(before)).Error, "old hook messages")
}

// DropHookMessage deletes a message of which there is nothing to tell.
func (tx *Tx) DropHookMessage(m notice.HookMessage) error {
	return wrap(ofMessage(tx.db, m).Delete(&hookMessageRow{}).Error, "drop hook message")
}

type groupCodeRow struct {
	Digest   string `gorm:"primaryKey"`
	Topic    string
	ByPlayer string
	AskedAt  int64
	Lang     string
}

func (groupCodeRow) TableName() string { return "group_codes" }

// AskGroup stores that somebody lets the bot write to a group of a topic. The code for the link is returned and stored nowhere.
func (tx *Tx) AskGroup(of notice.Topic, by player.ID, lang string, now time.Time) (player.Secret, error) {
	code := NewSecret()
	err := tx.db.Exec("DELETE FROM group_codes WHERE asked_at <= ?", ms(now.Add(-notice.JoinWithin))).Error
	if err == nil {
		err = tx.db.Create(&groupCodeRow{code.Digest(), string(of), string(by), ms(now), lang}).Error
	}
	return code, wrap(err, "ask group")
}

// JoinGroup lets a group read of the topic with the code, once; ErrNotFound when there is no such code, or no more, and
// notice.ErrManyHooks. What the group had read of the topic in another language, it reads in this one.
func (tx *Tx) JoinGroup(code player.Secret, chat int64, title string, now time.Time) (notice.Hook, error) {
	asked := tx.db.Where("digest = ? AND asked_at > ?", code.Digest(), ms(now.Add(-notice.JoinWithin)))
	h, err := findOne(asked, func(r groupCodeRow) notice.Hook {
		return notice.Hook{ID: NewID(), Topic: notice.Topic(r.Topic), URL: notice.TelegramGroup(chat), Lang: r.Lang, Title: title,
			By: player.ID(r.ByPlayer), Created: now}
	}, "group code")
	if err != nil {
		return h, err
	}
	list, err := tx.Hooks(h.Topic)
	if err != nil {
		return h, err
	}
	for _, x := range list {
		if x.URL == h.URL {
			h.ID, h.Created = x.ID, x.Created
		}
	}
	if len(list) >= notice.MaxHooks && h.Created.Equal(now) {
		return h, notice.ErrManyHooks
	}
	if err := tx.db.Exec("DELETE FROM group_codes WHERE digest = ?", code.Digest()).Error; err != nil {
		return h, wrap(err, "join group")
	}
	return h, tx.SaveHook(h)
}
