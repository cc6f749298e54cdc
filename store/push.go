package store

import (
	"time"

	"gorm.io/gorm/clause"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
)

type pushDeviceRow struct {
	Endpoint  string `gorm:"primaryKey"`
	PlayerID  string
	SessionID string
	PublicKey string
	Auth      string
	Lang      string
	Zone      string
	CreatedAt int64 `gorm:"autoCreateTime:false"`
}

func (pushDeviceRow) TableName() string { return "push_devices" }

// PushDevice is a browser that takes push messages for as long as its session lasts.
type PushDevice struct {
	notice.Device
	Lang, Zone string // of the browser when it subscribed
}

// AddPushDevice adds a browser to push to; beyond notice.MostDevices the oldest are
// deleted.
func (tx *Tx) AddPushDevice(of player.ID, session string, d PushDevice, now time.Time) error {
	row := pushDeviceRow{
		Endpoint: d.Endpoint, PlayerID: string(of), SessionID: session, PublicKey: d.Key, Auth: d.Auth, Lang: d.Lang, Zone: d.Zone,
		CreatedAt: ms(now),
	}
	err := tx.db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
	if err == nil {
		err = tx.db.Exec(`DELETE FROM push_devices WHERE player_id = ? AND endpoint NOT IN (
			SELECT endpoint FROM push_devices WHERE player_id = ? ORDER BY created_at DESC, endpoint LIMIT ?)`,
			string(of), string(of), notice.MostDevices).Error
	}
	return wrap(err, "add push device")
}

// DropPushDevice deletes a browser of a player; with an empty player, one that its push
// service no longer knows.
func (tx *Tx) DropPushDevice(of player.ID, endpoint string) error {
	return wrap(tx.db.Exec("DELETE FROM push_devices WHERE endpoint = ? AND (player_id = ? OR ? = '')", endpoint, string(of),
		string(of)).Error, "drop push device")
}

// Push is a notice on its way to a player's browsers.
type Push struct {
	Told
	Devices []PushDevice
	Tries   int // this one included
}

// TakePushes takes the pushes that are due and marks them as sent: the caller sends them.
func (tx *Tx) TakePushes(now time.Time, limit int) ([]Push, error) {
	due, err := tx.takeDue("push", now, limit)
	var out []Push
	for _, c := range due {
		p := Push{Told: c.Told, Tries: c.Tries}
		if p.Devices, err = tx.pushDevicesOf(c.To); err != nil {
			return nil, err
		}
		if len(p.Devices) > 0 {
			out = append(out, p)
		}
	}
	return out, err
}

// dueNotice is a notice on its way to wherever it reaches its player at once.
type dueNotice struct {
	Told
	Tries int // this one included
}

// takeDue takes the notices that are due on a channel, of which the columns CHANNEL_due and CHANNEL_tries tell, and marks
// them as sent. What has been read, is no longer of use or is too old is left out. ErrConflict means another node was
// quicker.
func (tx *Tx) takeDue(channel string, now time.Time, limit int) ([]dueNotice, error) {
	var rows []noticeRow
	if err := tx.db.Where(channel+"_due <= ?", ms(now)).Order(channel + "_due, id").Limit(limit).Find(&rows).Error; err != nil {
		return nil, wrap(err, "%s due", channel)
	}
	var out []dueNotice
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
		t, err := r.told()
		if err != nil {
			return nil, err
		}
		if t.Kind == 0 || !t.Read.IsZero() || !t.IsTimely(now) || now.Sub(t.At) > notice.PushLife {
			continue
		}
		out = append(out, dueNotice{t, map[string]int{"push": r.PushTries, "telegram": r.TelegramTries}[channel] + 1})
	}
	if len(ids) == 0 {
		return nil, nil
	}
	r := tx.db.Exec("UPDATE notices SET "+channel+"_due = NULL, "+channel+"_tries = "+channel+"_tries + 1 WHERE id IN ? AND "+channel+
		"_due IS NOT NULL", ids)
	if r.Error == nil && r.RowsAffected != int64(len(ids)) {
		r.Error = ErrConflict
	}
	return out, wrap(r.Error, "take %s", channel)
}

func (tx *Tx) pushDevicesOf(of player.ID) ([]PushDevice, error) {
	return findAll(tx.db.Where("player_id = ?", string(of)).Order("created_at, endpoint"), func(r pushDeviceRow) PushDevice {
		return PushDevice{Device: notice.Device{Endpoint: r.Endpoint, Key: r.PublicKey, Auth: r.Auth}, Lang: r.Lang, Zone: r.Zone}
	}, "push devices")
}

// PushAgain schedules a notice to be pushed once more.
func (tx *Tx) PushAgain(id string, again time.Time) error {
	return wrap(tx.db.Exec("UPDATE notices SET push_due = ? WHERE id = ?", ms(again), id).Error, "push again")
}

// IsPushDue reports whether a push is due.
func (tx *Tx) IsPushDue(now time.Time) (bool, error) {
	return scan[bool](tx.db.Raw("SELECT EXISTS (SELECT 1 FROM notices WHERE push_due <= ?)", ms(now)), "pushes")
}
