package store

import (
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
)

// TelegramChat is where the site's bot on Telegram reaches a player, and in which language and time zone.
type TelegramChat struct {
	Player  player.ID
	Chat    int64 // 0: it does not
	Joined  time.Time
	Blocked time.Time // when the bot found itself blocked there; zero: it did not
	Asked   time.Time
	Lang    string // of the page on which they asked for the link, like Zone
	Zone    string
}

type telegramChatRow struct {
	PlayerID  string `gorm:"primaryKey"`
	Chat      *int64
	JoinedAt  int64
	BlockedAt int64
	Digest    string
	AskedAt   int64
	Lang      string
	Zone      string
}

func (telegramChatRow) TableName() string { return "telegram_chats" }

func (r telegramChatRow) chat() TelegramChat {
	c := TelegramChat{Player: player.ID(r.PlayerID), Joined: at(r.JoinedAt), Blocked: at(r.BlockedAt), Asked: at(r.AskedAt), Lang: r.Lang,
		Zone: r.Zone}
	if r.Chat != nil {
		c.Chat = *r.Chat
	}
	return c
}

// TelegramChat is where Telegram reaches a player, ErrNotFound when they have never asked for it.
func (tx *Tx) TelegramChat(of player.ID) (TelegramChat, error) {
	return findOne(tx.db.Where("player_id = ?", string(of)), telegramChatRow.chat, "telegram chat")
}

// TelegramChatBy is whom a chat reaches, ErrNotFound for one that nobody has joined.
func (tx *Tx) TelegramChatBy(chat int64) (TelegramChat, error) {
	return findOne(tx.db.Where("chat = ?", chat), telegramChatRow.chat, "telegram chat")
}

// AskTelegram stores that a player wants to join. The code for the link is returned and stored nowhere; one before it is void.
func (tx *Tx) AskTelegram(c TelegramChat) (player.Secret, error) {
	code := NewSecret()
	err := tx.db.Exec(`INSERT INTO telegram_chats (player_id, digest, asked_at, lang, zone) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (player_id)
		DO UPDATE SET digest = excluded.digest, asked_at = excluded.asked_at, lang = excluded.lang, zone = excluded.zone`,
		string(c.Player), code.Digest(), ms(c.Asked), c.Lang, c.Zone).Error
	return code, wrap(err, "ask telegram")
}

// JoinTelegram joins a chat to the player with the code, once; ErrNotFound when there is no such code, or no more. Whom the
// chat reached before, it does not reach any longer.
func (tx *Tx) JoinTelegram(code player.Secret, chat int64, now time.Time) (TelegramChat, error) {
	c, err := findOne(tx.db.Where("digest = ? AND asked_at > ?", code.Digest(), ms(now.Add(-notice.JoinWithin))), telegramChatRow.chat,
		"telegram code")
	if err != nil {
		return c, err
	}
	err = tx.db.Exec("DELETE FROM telegram_chats WHERE chat = ? AND player_id <> ?", chat, string(c.Player)).Error
	if err == nil {
		err = tx.db.Exec("UPDATE telegram_chats SET chat = ?, joined_at = ?, blocked_at = 0, digest = '' WHERE player_id = ?",
			chat, ms(now), string(c.Player)).Error
	}
	c.Chat, c.Joined, c.Blocked = chat, now, time.Time{}
	return c, wrap(err, "join telegram")
}

// LeaveTelegram forgets where Telegram reaches a player.
func (tx *Tx) LeaveTelegram(of player.ID) error {
	return wrap(tx.db.Exec("DELETE FROM telegram_chats WHERE player_id = ?", string(of)).Error, "leave telegram")
}

// BlockTelegram notes that a player has blocked the bot.
func (tx *Tx) BlockTelegram(of player.ID, now time.Time) error {
	return wrap(tx.db.Exec("UPDATE telegram_chats SET chat = NULL, blocked_at = ? WHERE player_id = ?", ms(now), string(of)).Error,
		"block telegram")
}

// CloseTelegram forgets everybody's chats: the site's bot is no more, or another one, which may not write to them.
func (tx *Tx) CloseTelegram() error {
	err := tx.db.Exec("DELETE FROM telegram_chats").Error
	if err == nil {
		err = tx.db.Exec("UPDATE notices SET telegram_due = NULL WHERE telegram_due IS NOT NULL").Error
	}
	return wrap(err, "close telegram")
}

// TelegramCall is a notice on its way to a player's chat.
type TelegramCall struct {
	Told
	Chat   TelegramChat
	Player player.Player
	Tries  int // this one included
}

// IsTelegramDue reports whether there is anything to take.
func (tx *Tx) IsTelegramDue(now time.Time) (bool, error) {
	return scan[bool](tx.db.Raw("SELECT EXISTS (SELECT 1 FROM notices WHERE telegram_due <= ?)", ms(now)), "telegram due")
}

// TakeTelegrams takes the notices that are due on Telegram and marks them as sent: the caller sends them.
func (tx *Tx) TakeTelegrams(now time.Time, limit int) ([]TelegramCall, error) {
	due, err := tx.takeDue("telegram", now, limit)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	ids := make([]string, len(due))
	for i, c := range due {
		ids[i] = string(c.To)
	}
	chats, err := findAll(tx.db.Where("player_id IN ? AND chat IS NOT NULL", ids), telegramChatRow.chat, "telegram chats")
	if err != nil {
		return nil, err
	}
	by := make(map[player.ID]TelegramChat, len(chats))
	for _, c := range chats {
		by[c.Player] = c
	}
	var out []TelegramCall
	for _, c := range due {
		if chat, has := by[c.To]; has {
			who, err := tx.Player(c.To)
			if err != nil {
				return nil, err
			}
			out = append(out, TelegramCall{c.Told, chat, who, c.Tries})
		}
	}
	return out, nil
}

// TelegramAgain schedules a notice to be said once more, with so many tries behind it.
func (tx *Tx) TelegramAgain(id string, tries int, again time.Time) error {
	return wrap(tx.db.Exec("UPDATE notices SET telegram_due = ?, telegram_tries = ? WHERE id = ?", ms(again), tries, id).Error,
		"telegram again")
}

type leaseRow struct {
	Name    string `gorm:"primaryKey"`
	Holder  string
	UntilAt int64
}

func (leaseRow) TableName() string { return "leases" }

// Lease gives what one node does for all to a holder until a moment; false: another one has it.
func (tx *Tx) Lease(name, holder string, now, until time.Time) (bool, error) {
	others := tx.db.Model(&leaseRow{}).Where("name = ? AND holder <> ? AND until_at > ?", name, holder, ms(now))
	taken, err := exists(others, "lease of %s", name)
	if err != nil || taken {
		return false, err
	}
	return true, wrap(tx.db.Save(&leaseRow{name, holder, ms(until)}).Error, "lease %s", name)
}
