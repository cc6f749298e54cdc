package store

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
)

// Told is a notice as its player finds it.
type Told struct {
	notice.Notice
	ID   string
	At   time.Time
	Read time.Time // zero: not yet
}

type noticeRow struct {
	ID            string `gorm:"primaryKey"`
	PlayerID      string
	Kind          string
	About         string
	Args          string
	URL           string
	Moment        int64
	Zone          string
	Until         int64
	At            int64
	Shown         bool
	ReadAt        int64
	MailDue       *int64
	PushDue       *int64
	PushTries     int
	TelegramDue   *int64
	TelegramTries int
	MailTries     int
	MailedAt      int64
}

func (noticeRow) TableName() string { return "notices" }

func (r noticeRow) told() (Told, error) {
	kind, _ := notice.Parse(r.Kind) // a newer program's kind is none
	t := Told{ID: r.ID, At: at(r.At), Read: at(r.ReadAt), Notice: notice.Notice{
		To: player.ID(r.PlayerID), Kind: kind, Key: r.About, URL: r.URL, When: at(r.Moment), Zone: r.Zone, Until: at(r.Until),
	}}
	if err := json.Unmarshal([]byte(r.Args), &t.Args); err != nil {
		return Told{}, wrap(err, "notice %s", r.ID)
	}
	return t, nil
}

func rowOfNotice(n notice.Notice, now time.Time) (noticeRow, error) {
	args, err := json.Marshal(n.Args)
	if err != nil {
		return noticeRow{}, err
	}
	if n.Args == nil {
		args = []byte("{}")
	}
	return noticeRow{
		ID: NewID(), PlayerID: string(n.To), Kind: n.Kind.Name(), About: n.Key, Args: string(args), URL: n.URL,
		Moment: ms(n.When), Zone: n.Zone, Until: ms(n.Until), At: ms(now),
	}, nil
}

// NoticeQuery selects a player's notices, the latest first.
type NoticeQuery struct {
	Player        player.ID
	Unread        bool        // only unread ones that are still of use at Now
	Except        notice.Kind // 0: none
	Now           time.Time
	Limit, Offset int
}

// Notices is one page of a player's notices on the site, and the number of all. Kinds
// unknown to this program are left out.
func (tx *Tx) Notices(q NoticeQuery) ([]Told, int, error) {
	db := tx.db.Model(&noticeRow{}).Where("player_id = ? AND shown", string(q.Player))
	if q.Unread {
		db = db.Where("read_at = 0 AND (until = 0 OR until > ?)", ms(q.Now))
	}
	if q.Except != 0 {
		db = db.Where("kind <> ?", q.Except.Name())
	}
	total, err := count(db, "count notices")
	if err != nil {
		return nil, 0, err
	}
	list, err := parseAll(db.Order("at DESC, id").Limit(q.Limit).Offset(q.Offset), noticeRow.told, "notices")
	return slices.DeleteFunc(list, func(t Told) bool { return t.Kind == 0 }), total, err
}

// UnreadNotices counts the unread notices on the site that are still of use.
func (tx *Tx) UnreadNotices(of player.ID, now time.Time) (int, error) {
	return count(tx.db.Model(&noticeRow{}).
		Where("player_id = ? AND shown AND read_at = 0 AND (until = 0 OR until > ?)", string(of), ms(now)), "unread notices")
}

// NoticePreferences are the notice settings that players chose.
func (tx *Tx) NoticePreferences(of ...player.ID) (map[player.ID]notice.Preferences, error) {
	out := map[player.ID]notice.Preferences{}
	err := eachOf(of, func(some []string) *gorm.DB { return tx.db.Where("player_id IN ?", some) }, func(r noticeSettingRow) {
		kind, known := notice.Parse(r.Kind)
		if !known {
			return
		}
		id := player.ID(r.PlayerID)
		if out[id] == nil {
			out[id] = notice.Preferences{}
		}
		out[id][kind] = notice.Channels{App: r.App, Mail: r.Mail, Push: r.Push, Telegram: r.Telegram}
	})
	return out, wrap(err, "notice settings")
}

type noticeSettingRow struct {
	PlayerID string `gorm:"primaryKey"`
	Kind     string `gorm:"primaryKey"`
	App      bool
	Mail     bool
	Push     bool
	Telegram bool
}

func (noticeSettingRow) TableName() string { return "notice_settings" }

// SetNoticePreferences changes how a player is told of these kinds.
func (tx *Tx) SetNoticePreferences(of player.ID, p notice.Preferences) error {
	for kind, c := range p {
		row := noticeSettingRow{PlayerID: string(of), Kind: kind.Name(), App: c.App, Mail: c.Mail, Push: c.Push,
			Telegram: c.Telegram}
		if err := tx.db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
			return wrap(err, "set notices")
		}
	}
	return nil
}

// AddNotices stores notices, each for the channels its player chose. Notices already
// given are renewed or passed over, as their kind says, and those to nobody or to a bot are passed over.
func (tx *Tx) AddNotices(list []notice.Notice, now time.Time) error {
	ids := make([]player.ID, len(list))
	for i, n := range list {
		ids[i] = n.To
	}
	who, err := tx.Players(ids...)
	if err != nil {
		return err
	}
	preferences, err := tx.NoticePreferences(ids...)
	if err != nil {
		return err
	}
	reachable, err := tx.among(ids, tx.db.Table("mail_addresses").Where("confirmed_at > 0"), "mail addresses")
	if err != nil {
		return err
	}
	devices, err := tx.among(ids, tx.db.Table("push_devices"), "push devices")
	if err != nil {
		return err
	}
	chats, err := tx.among(ids, tx.db.Table("telegram_chats").Where("chat IS NOT NULL"), "telegram chats")
	if err != nil {
		return err
	}
	var rows, renewed []noticeRow
	for _, n := range list {
		if p, found := who[n.To]; !found || p.Bot {
			continue
		}
		row, err := rowOfNotice(n, now)
		if err != nil {
			return wrap(err, "notice")
		}
		channels := preferences[n.To].Of(n.Kind)
		row.Shown = channels.App
		if channels.Mail && reachable[n.To] {
			row.MailDue = msOrNull(now.Add(notice.DigestWait))
		}
		if channels.Push && devices[n.To] {
			row.PushDue = msOrNull(now)
		}
		if channels.Telegram && chats[n.To] {
			row.TelegramDue = msOrNull(now)
		}
		if n.Kind.Renews() {
			renewed = append(renewed, row)
		} else {
			rows = append(rows, row)
		}
	}
	add := func(rows []noticeRow, known clause.OnConflict) error {
		if len(rows) == 0 {
			return nil
		}
		return wrap(tx.db.Clauses(known).CreateInBatches(rows, 200).Error, "add notices")
	}
	return errors.Join(add(rows, clause.OnConflict{DoNothing: true}), add(renewed, clause.OnConflict{
		Columns: []clause.Column{{Name: "player_id"}, {Name: "kind"}, {Name: "about"}},
		DoUpdates: clause.AssignmentColumns([]string{"args", "url", "moment", "until", "at", "shown", "read_at", "mail_due", "mail_tries",
			"push_due", "push_tries", "telegram_due", "telegram_tries"}),
	}))
}

// among tells which players have a row in a table.
func (tx *Tx) among(ids []player.ID, table *gorm.DB, operation string) (map[player.ID]bool, error) {
	return byID(ids, func(some []string) *gorm.DB {
		return table.Session(&gorm.Session{}).Select("player_id").Where("player_id IN ?", some)
	}, func(r struct{ PlayerID player.ID }) (player.ID, bool) { return r.PlayerID, true }, operation)
}

// ReadNotice marks a player's notice as read and returns where it leads; ErrNotFound when
// they have no such notice.
func (tx *Tx) ReadNotice(of player.ID, id string, now time.Time) (url string, err error) {
	var row noticeRow
	if err := tx.db.Where("id = ? AND player_id = ?", id, string(of)).Take(&row).Error; err != nil {
		return "", wrap(err, "notice %s", id)
	}
	if err := tx.db.Exec("UPDATE notices SET read_at = ? WHERE id = ? AND read_at = 0", ms(now), id).Error; err != nil {
		return "", wrap(err, "read notice %s", id)
	}
	return row.URL, nil
}

// ReadNotices marks all of a player's notices up to a moment as read.
func (tx *Tx) ReadNotices(of player.ID, until, now time.Time) error {
	err := tx.db.Exec("UPDATE notices SET read_at = ? WHERE player_id = ? AND read_at = 0 AND at <= ?", ms(now), string(of), ms(until)).Error
	return wrap(err, "read notices")
}

// HasNotice reports whether a player has an unread notice that leads there.
func (tx *Tx) HasNotice(of player.ID, url string) (bool, error) {
	return exists(tx.db.Model(&noticeRow{}).Where("player_id = ? AND shown AND read_at = 0 AND url = ?", string(of), url),
		"notices that lead to %s", url)
}

// SettleNotices marks what somebody was told of these kinds about a thing as read: there is
// nothing left to do. thing is the notices' key or address, or the start of either.
func (tx *Tx) SettleNotices(of player.ID, thing string, now time.Time, kinds ...notice.Kind) error {
	return tx.settleNotices(tx.db.Where("player_id = ?", string(of)), thing, now, kinds)
}

// EndNotices marks all that anybody was told of a matter as read: it is over.
func (tx *Tx) EndNotices(m notice.Matter, thing string, now time.Time) error {
	return tx.settleNotices(tx.db, thing, now, m.Kinds())
}

func (tx *Tx) settleNotices(of *gorm.DB, thing string, now time.Time, kinds []notice.Kind) error {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Name()
	}
	err := of.Model(&noticeRow{}).Where("shown AND read_at = 0 AND kind IN ?", names).
		Where("(url = ? OR url LIKE ? OR about = ? OR about LIKE ?)", thing, thing+"/%", thing, thing+"/%").Update("read_at", ms(now)).Error
	return wrap(err, "settle notices")
}

// LastNotices are the times of the last notice to each player who ever had one.
func (tx *Tx) LastNotices(ids []player.ID) (map[player.ID]time.Time, error) {
	return tx.lastOf(ids, "SELECT player_id, MAX(at) AS at FROM notices WHERE player_id IN ? GROUP BY player_id")
}
