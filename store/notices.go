package store

import (
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm/clause"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
)

// Told is a notice as a player finds it.
type Told struct {
	notice.Notice
	ID   string
	At   time.Time
	Read time.Time // zero: not yet
}

type noticeRow struct {
	ID        string `gorm:"primaryKey"`
	PlayerID  string
	Kind      string
	About     string
	Args      string
	URL       string
	Moment    int64
	Until     int64
	At        int64
	Shown     bool
	ReadAt    int64
	MailDue   *int64
	PushDue   *int64
	PushTries int
	MailTries int
	MailedAt  int64
}

func (noticeRow) TableName() string { return "notices" }

func (r noticeRow) told() (Told, error) {
	kind, _ := notice.Parse(r.Kind) // of a newer program: no kind
	t := Told{ID: r.ID, At: at(r.At), Read: at(r.ReadAt), Notice: notice.Notice{
		To: player.ID(r.PlayerID), Kind: kind, Key: r.About, URL: r.URL, When: at(r.Moment), Until: at(r.Until),
	}}
	if err := json.Unmarshal([]byte(r.Args), &t.Args); err != nil {
		return Told{}, fmt.Errorf("store: notice %s: %w", r.ID, err)
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
		Moment: ms(n.When), Until: ms(n.Until), At: ms(now),
	}, nil
}

// NoticeQuery selects what a player is told, the latest first.
type NoticeQuery struct {
	Player        player.ID
	Unread        bool      // only
	Now           time.Time // of those that are unread, what is still of use
	Limit, Offset int
}

// Notices is one page of what a player is told on the site, and how much that
// is altogether. Kinds that this program does not know are left out.
func (tx *Tx) Notices(q NoticeQuery) ([]Told, int, error) {
	db := tx.db.Model(&noticeRow{}).Where("player_id = ? AND shown", string(q.Player))
	if q.Unread {
		db = db.Where("read_at = 0 AND (until = 0 OR until > ?)", ms(q.Now))
	}
	var total int64
	if err := db.Count(&total).Error; err != nil {
		return nil, 0, fmt.Errorf("store: count notices: %w", err)
	}
	var rows []noticeRow
	if err := db.Order("at DESC, id").Limit(q.Limit).Offset(q.Offset).Find(&rows).Error; err != nil {
		return nil, 0, fmt.Errorf("store: notices: %w", err)
	}
	out := make([]Told, 0, len(rows))
	for _, r := range rows {
		t, err := r.told()
		if err != nil {
			return nil, 0, err
		}
		if t.Kind != 0 {
			out = append(out, t)
		}
	}
	return out, int(total), nil
}

// UnreadNotices is how many wait on the site and are still of use.
func (tx *Tx) UnreadNotices(of player.ID, now time.Time) (int, error) {
	var n int64
	err := tx.db.Model(&noticeRow{}).Where("player_id = ? AND shown AND read_at = 0 AND (until = 0 OR until > ?)", string(of), ms(now)).
		Count(&n).Error
	if err != nil {
		return 0, fmt.Errorf("store: unread notices: %w", err)
	}
	return int(n), nil
}

// NoticePreferences is what players chose.
func (tx *Tx) NoticePreferences(of ...player.ID) (map[player.ID]notice.Preferences, error) {
	out := map[player.ID]notice.Preferences{}
	for len(of) > 0 {
		n := min(len(of), 500)
		var rows []noticeSettingRow
		if err := tx.db.Where("player_id IN ?", texts(of[:n])).Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("store: notice settings: %w", err)
		}
		for _, r := range rows {
			kind, known := notice.Parse(r.Kind)
			if !known {
				continue
			}
			id := player.ID(r.PlayerID)
			if out[id] == nil {
				out[id] = notice.Preferences{}
			}
			out[id][kind] = notice.Channels{App: r.App, Mail: r.Mail, Push: r.Push}
		}
		of = of[n:]
	}
	return out, nil
}

type noticeSettingRow struct {
	PlayerID string `gorm:"primaryKey"`
	Kind     string `gorm:"primaryKey"`
	App      bool
	Mail     bool
	Push     bool
}

func (noticeSettingRow) TableName() string { return "notice_settings" }

// SetNoticePreferences changes how a player is told of these kinds.
func (tx *Tx) SetNoticePreferences(of player.ID, p notice.Preferences) error {
	for kind, c := range p {
		row := noticeSettingRow{PlayerID: string(of), Kind: kind.Name(), App: c.App, Mail: c.Mail, Push: c.Push}
		if err := tx.db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
			return fmt.Errorf("store: set notices: %w", err)
		}
	}
	return nil
}

// AddNotices notes what players are told, each in the channels they chose; what
// they have been told of before, and what is for nobody or a bot, is passed over.
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
	reachable, err := tx.withMail(ids)
	if err != nil {
		return err
	}
	devices, err := tx.withDevices(ids)
	if err != nil {
		return err
	}
	var rows []noticeRow
	for _, n := range list {
		if p, found := who[n.To]; !found || p.Bot {
			continue
		}
		row, err := rowOfNotice(n, now)
		if err != nil {
			return fmt.Errorf("store: notice: %w", err)
		}
		channels := preferences[n.To].Of(n.Kind)
		row.Shown = channels.App
		if channels.Mail && reachable[n.To] {
			row.MailDue = msOrNull(now.Add(notice.DigestWait))
		}
		if channels.Push && devices[n.To] {
			row.PushDue = msOrNull(now)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil
	}
	if err := tx.db.Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(rows, 200).Error; err != nil {
		return fmt.Errorf("store: add notices: %w", err)
	}
	return nil
}

// withMail tells which players have a confirmed address.
func (tx *Tx) withMail(ids []player.ID) (map[player.ID]bool, error) {
	out := map[player.ID]bool{}
	for len(ids) > 0 {
		n := min(len(ids), 500)
		var found []string
		err := tx.db.Table("mail_addresses").Where("player_id IN ? AND confirmed_at > 0", texts(ids[:n])).Pluck("player_id", &found).Error
		if err != nil {
			return nil, fmt.Errorf("store: mail addresses: %w", err)
		}
		for _, id := range found {
			out[player.ID(id)] = true
		}
		ids = ids[n:]
	}
	return out, nil
}

// ReadNotice notes that a player has seen one notice, and answers where it
// leads; ErrNotFound when they have none such.
func (tx *Tx) ReadNotice(of player.ID, id string, now time.Time) (url string, err error) {
	var row noticeRow
	if err := tx.db.Where("id = ? AND player_id = ?", id, string(of)).Take(&row).Error; err != nil {
		return "", fmt.Errorf("store: notice %s: %w", id, err)
	}
	if err := tx.db.Exec("UPDATE notices SET read_at = ? WHERE id = ? AND read_at = 0", ms(now), id).Error; err != nil {
		return "", fmt.Errorf("store: read notice %s: %w", id, err)
	}
	return row.URL, nil
}

// ReadNotices notes that a player has seen all there was until a moment.
func (tx *Tx) ReadNotices(of player.ID, until, now time.Time) error {
	err := tx.db.Exec("UPDATE notices SET read_at = ? WHERE player_id = ? AND read_at = 0 AND at <= ?", ms(now), string(of), ms(until)).Error
	if err != nil {
		return fmt.Errorf("store: read notices: %w", err)
	}
	return nil
}

// HasNotice tells whether a player has not yet seen a notice that leads there.
func (tx *Tx) HasNotice(of player.ID, url string) (bool, error) {
	var n int64
	err := tx.db.Model(&noticeRow{}).Where("player_id = ? AND shown AND read_at = 0 AND url = ?", string(of), url).Limit(1).Count(&n).Error
	if err != nil {
		return false, fmt.Errorf("store: notices that lead to %s: %w", url, err)
	}
	return n > 0, nil
}

// SettleNotices notes as seen what of these kinds players were told about a thing, which
// is the beginning of its keys or its address: there is nothing left to do there.
func (tx *Tx) SettleNotices(of []player.ID, thing string, now time.Time, kinds ...notice.Kind) error {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Name()
	}
	for len(of) > 0 {
		n := min(len(of), 500)
		err := tx.db.Exec(`UPDATE notices SET read_at = ? WHERE player_id IN ? AND shown AND read_at = 0 AND kind IN ?
			AND (url = ? OR url LIKE ? OR about LIKE ?)`, ms(now), texts(of[:n]), names, thing, thing+"/%", thing+"/%").Error
		if err != nil {
			return fmt.Errorf("store: settle notices: %w", err)
		}
		of = of[n:]
	}
	return nil
}

// LastNotices are when players were last told anything, for those who ever were.
func (tx *Tx) LastNotices(ids []player.ID) (map[player.ID]time.Time, error) {
	return tx.lastOf(ids, "SELECT player_id, MAX(at) AS at FROM notices WHERE player_id IN ? GROUP BY player_id")
}
