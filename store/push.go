package store

import (
	"fmt"
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

// PushDevice is a browser that takes what is pushed, for as long as its session lasts.
type PushDevice struct {
	notice.Device
	Lang, Zone string // of who signed up for it, in that browser
}

// AddPushDevice pushes to a browser from now on; of too many the oldest go.
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
	if err != nil {
		return fmt.Errorf("store: add push device: %w", err)
	}
	return nil
}

// DropPushDevice forgets a browser: as its player says, or, without one, because its service knows it no longer.
func (tx *Tx) DropPushDevice(of player.ID, endpoint string) error {
	if err := tx.db.Exec("DELETE FROM push_devices WHERE endpoint = ? AND (player_id = ? OR ? = '')", endpoint, string(of),
		string(of)).Error; err != nil {
		return fmt.Errorf("store: drop push device: %w", err)
	}
	return nil
}

// withDevices tells which players take what is pushed.
func (tx *Tx) withDevices(ids []player.ID) (map[player.ID]bool, error) {
	out := map[player.ID]bool{}
	for len(ids) > 0 {
		n := min(len(ids), 500)
		var found []string
		if err := tx.db.Table("push_devices").Where("player_id IN ?", texts(ids[:n])).Pluck("player_id", &found).Error; err != nil {
			return nil, fmt.Errorf("store: push devices: %w", err)
		}
		for _, id := range found {
			out[player.ID(id)] = true
		}
		ids = ids[n:]
	}
	return out, nil
}

// Push is a notice on its way to the browsers of a player.
type Push struct {
	Told
	Devices []PushDevice
	Tries   int // this one included
}

// TakePushes takes what is due to be pushed and notes it as sent: whoever takes it sends it. What is read, of no more
// use or too old goes nowhere. ErrConflict: another node was quicker.
func (tx *Tx) TakePushes(now time.Time, limit int) ([]Push, error) {
	var rows []noticeRow
	if err := tx.db.Where("push_due <= ?", ms(now)).Order("push_due, id").Limit(limit).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: pushes: %w", err)
	}
	var out []Push
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
		p := Push{Told: t, Tries: r.PushTries + 1}
		if p.Devices, err = tx.pushDevicesOf(t.To); err != nil {
			return nil, err
		}
		if len(p.Devices) > 0 {
			out = append(out, p)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	r := tx.db.Exec("UPDATE notices SET push_due = NULL, push_tries = push_tries + 1 WHERE id IN ? AND push_due IS NOT NULL", ids)
	if r.Error == nil && r.RowsAffected != int64(len(ids)) {
		r.Error = ErrConflict
	}
	if r.Error != nil {
		return nil, fmt.Errorf("store: take pushes: %w", r.Error)
	}
	return out, nil
}

func (tx *Tx) pushDevicesOf(of player.ID) ([]PushDevice, error) {
	var rows []pushDeviceRow
	if err := tx.db.Where("player_id = ?", string(of)).Order("created_at, endpoint").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: push devices: %w", err)
	}
	out := make([]PushDevice, len(rows))
	for i, r := range rows {
		out[i] = PushDevice{Device: notice.Device{Endpoint: r.Endpoint, Key: r.PublicKey, Auth: r.Auth}, Lang: r.Lang, Zone: r.Zone}
	}
	return out, nil
}

// PushAgain has a notice pushed once more at a time.
func (tx *Tx) PushAgain(id string, again time.Time) error {
	if err := tx.db.Exec("UPDATE notices SET push_due = ? WHERE id = ?", ms(again), id).Error; err != nil {
		return fmt.Errorf("store: push again: %w", err)
	}
	return nil
}

// IsPushDue tells whether anything waits to be pushed.
func (tx *Tx) IsPushDue(now time.Time) (due bool, err error) {
	if err := tx.db.Raw("SELECT EXISTS (SELECT 1 FROM notices WHERE push_due <= ?)", ms(now)).Scan(&due).Error; err != nil {
		return false, fmt.Errorf("store: pushes: %w", err)
	}
	return due, nil
}
