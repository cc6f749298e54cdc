package store

import (
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
)

// MailAddress is where mail reaches a player, and in which language and time zone.
type MailAddress struct {
	Player    player.ID
	Address   notice.Address // confirmed; empty: none
	Confirmed time.Time
	Pending   notice.Address // waits for its confirmation
	Asked     time.Time
	Lang      string // of the page on which they asked for mail, like Zone
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

// MailAddress is where mail reaches a player, ErrNotFound when they have never given an
// address.
func (tx *Tx) MailAddress(of player.ID) (MailAddress, error) {
	return findOne(tx.db.Where("player_id = ?", string(of)), mailAddressRow.address, "mail address")
}

// AskMail stores an address to be confirmed; a confirmed one serves until then. The
// secret for the link is returned and stored nowhere.
func (tx *Tx) AskMail(a MailAddress) (player.Secret, error) {
	secret := NewSecret()
	err := tx.db.Exec(`INSERT INTO mail_addresses (player_id, pending, digest, asked_at, lang, zone) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (player_id)
		DO UPDATE SET pending = excluded.pending, digest = excluded.digest, asked_at = excluded.asked_at, lang = excluded.lang,
		zone = excluded.zone`,
		string(a.Player), string(a.Pending), secret.Digest(), ms(a.Asked), a.Lang, a.Zone).Error
	if err != nil {
		return "", wrap(err, "ask mail")
	}
	return secret, nil
}

// MailLink finds the address a link is to confirm, ErrNotFound when the link has expired.
func (tx *Tx) MailLink(secret player.Secret, now time.Time) (MailAddress, error) {
	return findOne(tx.db.Where("digest = ? AND asked_at > ?", secret.Digest(), ms(now.Add(-notice.ConfirmWithin))),
		mailAddressRow.address, "mail link")
}

// ConfirmMail confirms the address of a link, ErrNotFound when the link has expired.
func (tx *Tx) ConfirmMail(secret player.Secret, now time.Time) error {
	return wrap(existing(tx.db.Exec(`UPDATE mail_addresses SET address = pending, confirmed_at = ?, pending = '', digest = ''
		WHERE digest = ? AND asked_at > ?`,
		ms(now), secret.Digest(), ms(now.Add(-notice.ConfirmWithin)))), "confirm mail")
}

// DropMail deletes a player's address and what was waiting to be mailed there.
func (tx *Tx) DropMail(of player.ID) error {
	err := tx.db.Exec("DELETE FROM mail_addresses WHERE player_id = ?", string(of)).Error
	if err == nil {
		err = tx.db.Exec("UPDATE notices SET mail_due = NULL WHERE player_id = ? AND mail_due IS NOT NULL", string(of)).Error
	}
	return wrap(err, "drop mail")
}

// PlayersToMail are the players with a mail due who were not sent one a short while ago.
func (tx *Tx) PlayersToMail(now time.Time, limit int) ([]player.ID, error) {
	return scan[[]player.ID](tx.db.Raw(`SELECT n.player_id FROM notices n JOIN mail_addresses m ON m.player_id = n.player_id
		WHERE n.mail_due <= ? AND m.confirmed_at > 0 AND m.mailed_at <= ? GROUP BY n.player_id ORDER BY MIN(n.mail_due) LIMIT ?`,
		ms(now), ms(now.Add(-notice.MailGap)), limit), "players to mail")
}

// Letter is what one mail tells a player.
type Letter struct {
	To      player.Player
	Address MailAddress
	Lines   []Told // the earliest first
	Tries   int    // attempts at the line tried most often, this one included
}

// TakeLetter takes everything that waits to be mailed to a player, due or not, and marks
// it as sent: the caller sends it, and a crash in between loses the mail rather than
// sending it twice. What has been read, is no longer of use or is too old is left out;
// Lines may be empty. ErrConflict means another node was quicker.
func (tx *Tx) TakeLetter(to player.ID, now time.Time) (Letter, error) {
	var rows []noticeRow
	if err := tx.db.Where("player_id = ? AND mail_due IS NOT NULL", string(to)).Order("at, id").Find(&rows).Error; err != nil {
		return Letter{}, wrap(err, "letter")
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
		return Letter{}, wrap(r.Error, "take letter")
	}
	return l, nil
}

// ReturnLetter returns a letter the mail server has refused, to be tried again at a given
// time.
func (tx *Tx) ReturnLetter(l Letter, again time.Time) error {
	ids := make([]string, len(l.Lines))
	for i, t := range l.Lines {
		ids[i] = t.ID
	}
	return wrap(tx.db.Exec("UPDATE notices SET mail_due = ?, mailed_at = 0 WHERE id IN ?", ms(again), ids).Error, "return letter")
}
