package store

import (
	"fmt"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
)

// MailAddress is where and how mail reaches a player.
type MailAddress struct {
	Player    player.ID
	Address   notice.Address // confirmed; empty: none
	Confirmed time.Time
	Pending   notice.Address // waits for its confirmation
	Asked     time.Time
	Lang      string // in which they asked for mail, with the zone of their browser then
	Zone      string
}

type mailAddressRow struct {
	PlayerID    string `gorm:"primaryKey"`
	Address     string
	ConfirmedAt int64
	Pending     string
	Digest      string
	AskedAt     int64
	Lang        string
	Zone        string
	MailedAt    int64
}

func (mailAddressRow) TableName() string { return "mail_addresses" }

func (r mailAddressRow) address() MailAddress {
	return MailAddress{
		Player: player.ID(r.PlayerID), Address: notice.Address(r.Address),
		Confirmed: at(r.ConfirmedAt), Pending: notice.Address(r.Pending), Asked: at(r.AskedAt),
		Lang: r.Lang, Zone: r.Zone,
	}
}

// MailAddress is where mail reaches a player; ErrNotFound when they have never named an address.
func (tx *Tx) MailAddress(of player.ID) (MailAddress, error) {
	var row mailAddressRow
	if err := tx.db.Where("player_id = ?", string(of)).Take(&row).Error; err != nil {
		return MailAddress{}, fmt.Errorf("store: mail address: %w", err)
	}
	return row.address(), nil
}

// AskMail notes an address that is to be confirmed; the secret for the link is
// in the answer and nowhere else. A confirmed one goes on serving until then.
func (tx *Tx) AskMail(a MailAddress) (player.Secret, error) {
	secret := NewSecret()
	err := tx.db.Exec(`INSERT INTO mail_addresses (player_id, pending, digest, asked_at, lang, zone) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (player_id)
		DO UPDATE SET pending = excluded.pending, digest = excluded.digest, asked_at = excluded.asked_at, lang = excluded.lang,
		zone = excluded.zone`,
		string(a.Player), string(a.Pending), secret.Digest(), ms(a.Asked), a.Lang, a.Zone).Error
	if err != nil {
		return "", fmt.Errorf("store: ask mail: %w", err)
	}
	return secret, nil
}

// MailLink finds whose address a link is to confirm; ErrNotFound when it serves no longer.
func (tx *Tx) MailLink(secret player.Secret, now time.Time) (MailAddress, error) {
	var row mailAddressRow
	if err := tx.db.Where("digest = ? AND asked_at > ?", secret.Digest(), ms(now.Add(-notice.ConfirmWithin))).Take(&row).Error; err != nil {
		return MailAddress{}, fmt.Errorf("store: mail link: %w", err)
	}
	return row.address(), nil
}

// ConfirmMail takes the address of a link for good.
func (tx *Tx) ConfirmMail(secret player.Secret, now time.Time) error {
	r := tx.db.Exec(`UPDATE mail_addresses SET address = pending, confirmed_at = ?, pending = '', digest = ''
		WHERE digest = ? AND asked_at > ?`,
		ms(now), secret.Digest(), ms(now.Add(-notice.ConfirmWithin)))
	if r.Error == nil && r.RowsAffected == 0 {
		r.Error = ErrNotFound
	}
	if r.Error != nil {
		return fmt.Errorf("store: confirm mail: %w", r.Error)
	}
	return nil
}

// DropMail forgets a player's address and what was to be mailed there.
func (tx *Tx) DropMail(of player.ID) error {
	err := tx.db.Exec("DELETE FROM mail_addresses WHERE player_id = ?", string(of)).Error
	if err == nil {
		err = tx.db.Exec("UPDATE notices SET mail_due = NULL WHERE player_id = ? AND mail_due IS NOT NULL", string(of)).Error
	}
	if err != nil {
		return fmt.Errorf("store: drop mail: %w", err)
	}
	return nil
}

// PlayersToMail are players to whom a mail is due, and has not been sent a short while ago.
func (tx *Tx) PlayersToMail(now time.Time, limit int) ([]player.ID, error) {
	var ids []player.ID
	err := tx.db.Raw(`SELECT n.player_id FROM notices n JOIN mail_addresses m ON m.player_id = n.player_id
		WHERE n.mail_due <= ? AND m.confirmed_at > 0 AND m.mailed_at <= ? GROUP BY n.player_id ORDER BY MIN(n.mail_due) LIMIT ?`,
		ms(now), ms(now.Add(-notice.MailGap)), limit).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("store: players to mail: %w", err)
	}
	return ids, nil
}

// Letter is what one mail tells a player.
type Letter struct {
	To      player.Player
	Address MailAddress
	Lines   []Told // the earliest first
	Tries   int    // the most often refused of them, this time included
}

// TakeLetter takes all that waits to be mailed to a player, due or not, and
// notes it as sent: whoever takes it sends it, and a crash in between loses the
// mail rather than sending it twice. What is read, of no more use or too old is
// not mailed. Lines are empty when there is nothing; ErrConflict: another node
// was quicker.
func (tx *Tx) TakeLetter(to player.ID, now time.Time) (Letter, error) {
	var rows []noticeRow
	if err := tx.db.Where("player_id = ? AND mail_due IS NOT NULL", string(to)).Order("at, id").Find(&rows).Error; err != nil {
		return Letter{}, fmt.Errorf("store: letter: %w", err)
	}
	var l Letter
	var err error
	if l.To, err = tx.Player(to); err != nil {
		return l, err
	}
	if l.Address, err = tx.MailAddress(to); err != nil {
		return l, err
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
		t, err := r.told()
		if err != nil {
			return l, err
		}
		if t.Kind == 0 || !t.Read.IsZero() || !t.IsTimely(now) || now.Sub(t.At) > notice.MailLife {
			continue
		}
		l.Lines = append(l.Lines, t)
		l.Tries = max(l.Tries, r.MailTries+1)
	}
	r := tx.db.Exec(`UPDATE notices SET mail_due = NULL, mailed_at = ?, mail_tries = mail_tries + 1
		WHERE id IN ? AND mail_due IS NOT NULL`, ms(now), ids)
	if r.Error == nil && r.RowsAffected != int64(len(ids)) {
		r.Error = ErrConflict
	}
	if r.Error == nil && len(l.Lines) > 0 {
		r.Error = tx.db.Exec("UPDATE mail_addresses SET mailed_at = ? WHERE player_id = ?", ms(now), string(to)).Error
	}
	if r.Error != nil {
		return Letter{}, fmt.Errorf("store: take letter: %w", r.Error)
	}
	return l, nil
}

// ReturnLetter gives a letter back that the mail server has refused, to be tried
// again at a time.
func (tx *Tx) ReturnLetter(l Letter, again time.Time) error {
	ids := make([]string, len(l.Lines))
	for i, t := range l.Lines {
		ids[i] = t.ID
	}
	if err := tx.db.Exec("UPDATE notices SET mail_due = ?, mailed_at = 0 WHERE id IN ?", ms(again), ids).Error; err != nil {
		return fmt.Errorf("store: return letter: %w", err)
	}
	return nil
}
