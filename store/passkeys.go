package store

import (
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
)

type passkeyRow struct {
	ID             string `gorm:"primaryKey"`
	PlayerID       string
	Credential     string
	PublicKey      string
	AAGUID         string `gorm:"column:aaguid"`
	SignCount      int64
	BackupEligible bool
	BackedUp       bool
	Name           string
	CreatedAt      int64 `gorm:"autoCreateTime:false"`
	UsedAt         int64
}

func (passkeyRow) TableName() string { return "passkeys" }

func (r passkeyRow) passkey() player.Passkey {
	return player.Passkey{
		ID: r.ID, Player: player.ID(r.PlayerID), Credential: unbase64(r.Credential), PublicKey: unbase64(r.PublicKey), AAGUID: unbase64(r.AAGUID),
		SignCount: uint32(r.SignCount), Syncable: r.BackupEligible,
		Synced: r.BackedUp, Name: r.Name, Created: at(r.CreatedAt), Used: at(r.UsedAt),
	}
}

// Passkeys are the passkeys of an account, the oldest first.
func (tx *Tx) Passkeys(of player.ID) ([]player.Passkey, error) {
	return findAll(tx.db.Where("player_id = ?", string(of)).Order("created_at, id"), passkeyRow.passkey, "passkeys")
}

// PasskeyBy finds a passkey by the credential id of its device, ErrNotFound when nobody
// has it.
func (tx *Tx) PasskeyBy(credential []byte) (player.Passkey, error) {
	return findOne(tx.db.Where("credential = ?", base64Of(credential)), passkeyRow.passkey, "passkey")
}

// AddPasskey stores a passkey, ErrTaken when it is known already.
func (tx *Tx) AddPasskey(k player.Passkey) error {
	row := passkeyRow{
		ID: k.ID, PlayerID: string(k.Player), Credential: base64Of(k.Credential), PublicKey: base64Of(k.PublicKey), AAGUID: base64Of(k.AAGUID),
		SignCount: int64(k.SignCount), BackupEligible: k.Syncable, BackedUp: k.Synced, Name: k.Name, CreatedAt: ms(k.Created),
	}
	return wrap(tx.db.Create(&row).Error, "add passkey")
}

// UsePasskey notes a use of a passkey and its new sign count, ErrConflict when another
// use came first.
func (tx *Tx) UsePasskey(k player.Passkey, was uint32, now time.Time) error {
	err := guarded(tx.db.Exec("UPDATE passkeys SET sign_count = ?, backed_up = ?, used_at = ? WHERE id = ? AND sign_count = ?",
		int64(k.SignCount), k.Synced, ms(now), k.ID, int64(was)))
	return wrap(err, "use passkey")
}

// DropPasskey removes a passkey from an account, ErrNotFound when it has none with that
// id.
func (tx *Tx) DropPasskey(of player.ID, id string) error {
	return wrap(existing(tx.db.Exec("DELETE FROM passkeys WHERE player_id = ? AND id = ?", string(of), id)), "drop passkey")
}

// Ceremony is a challenge that a device was asked to sign.
type Ceremony struct {
	Challenge []byte
	Kind      string    // register, sign-in, check-in, mid-check, own
	Player    player.ID // empty: a sign-in
	Session   string
	Match     match.ID // of a check-in, with its policy's hash and the page's key
	Policy    string
	Key       []byte
	Expires   time.Time
}

type ceremonyRow struct {
	Challenge string `gorm:"primaryKey"`
	Kind      string
	PlayerID  string
	SessionID string
	MatchID   string
	Policy    string
	PageKey   string
	ExpiresAt int64
}

func (ceremonyRow) TableName() string { return "ceremonies" }

// AddCeremony opens a ceremony and deletes the expired ones.
func (tx *Tx) AddCeremony(c Ceremony, now time.Time) error {
	row := ceremonyRow{base64Of(c.Challenge), c.Kind, string(c.Player), c.Session, string(c.Match), c.Policy, base64Of(c.Key), ms(c.Expires)}
	err := tx.db.Exec("DELETE FROM ceremonies WHERE expires_at <= ?", ms(now)).Error
	if err == nil {
		err = tx.db.Create(&row).Error
	}
	return wrap(err, "add ceremony")
}

// TakeCeremony closes an open ceremony and returns it; ErrNotFound when there is none, or
// it has expired or been taken.
func (tx *Tx) TakeCeremony(challenge []byte, kind string, now time.Time) (Ceremony, error) {
	var row ceremonyRow
	err := tx.db.Where("challenge = ? AND kind = ? AND expires_at > ?", base64Of(challenge), kind, ms(now)).Take(&row).Error
	if err == nil {
		err = existing(tx.db.Exec("DELETE FROM ceremonies WHERE challenge = ?", row.Challenge))
	}
	if err != nil {
		return Ceremony{}, wrap(err, "ceremony")
	}
	return Ceremony{unbase64(row.Challenge), row.Kind, player.ID(row.PlayerID), row.SessionID, match.ID(row.MatchID),
		row.Policy, unbase64(row.PageKey), at(row.ExpiresAt)}, nil
}

type pageRow struct {
	MatchID   string `gorm:"primaryKey"`
	Seat      uint8  `gorm:"primaryKey;autoIncrement:false"`
	No        int    `gorm:"primaryKey;autoIncrement:false"`
	PlayerID  string
	SessionID string
	PageKey   string
	Policy    string
	Means     string
	ByPlayer  string
	Synced    bool
	At        int64
}

func (pageRow) TableName() string { return "check_ins" }

func (r pageRow) page() fairplay.Page {
	return fairplay.Page{
		Seat: match.Seat(r.Seat), Player: player.ID(r.PlayerID), Session: r.SessionID, Key: unbase64(r.PageKey), Policy: r.Policy,
		Means: fairplay.Means(r.Means), By: player.ID(r.ByPlayer), Synced: r.Synced, At: at(r.At),
	}
}

// Pages are the pages checked in to a match, in order of time.
func (tx *Tx) Pages(id match.ID) ([]fairplay.Page, error) {
	return findAll(tx.db.Where("match_id = ?", string(id)).Order("at, seat, no"), pageRow.page, "check-ins of %s", id)
}

// AddPage stores a page after the n that its side has, ErrTaken when another came first.
func (tx *Tx) AddPage(id match.ID, p fairplay.Page, n int) error {
	row := pageRow{string(id), uint8(p.Seat), n + 1, string(p.Player), p.Session, base64Of(p.Key),
		p.Policy, string(p.Means), string(p.By), p.Synced, ms(p.At)}
	return wrap(tx.db.Create(&row).Error, "check in to %s", id)
}

// CheckInCode is a one-time code an arbiter gave a player for a match.
type CheckInCode struct {
	Digest          string // keyed: the stored form does not reveal the code
	Match           match.ID
	Player, By      player.ID
	Issued, Expires time.Time
	Used            time.Time // zero: not yet
}

type checkInCodeRow struct {
	Digest    string `gorm:"primaryKey"`
	MatchID   string
	PlayerID  string
	ByPlayer  string
	IssuedAt  int64
	ExpiresAt int64
	UsedAt    int64
}

func (checkInCodeRow) TableName() string { return "check_in_codes" }

// AddCheckInCode stores a code and deletes the player's unused ones for the match.
func (tx *Tx) AddCheckInCode(c CheckInCode) error {
	err := tx.db.Exec("DELETE FROM check_in_codes WHERE match_id = ? AND player_id = ? AND used_at = 0",
		string(c.Match), string(c.Player)).Error
	if err == nil {
		row := checkInCodeRow{c.Digest, string(c.Match), string(c.Player), string(c.By), ms(c.Issued), ms(c.Expires), 0}
		err = tx.db.Create(&row).Error
	}
	return wrap(err, "add check-in code")
}

// UseCheckInCode uses up a code and returns who gave it; ErrNotFound when there is no such
// code, or it has expired or been used.
func (tx *Tx) UseCheckInCode(digest string, now time.Time) (by player.ID, err error) {
	err = existing(tx.db.Exec("UPDATE check_in_codes SET used_at = ? WHERE digest = ? AND used_at = 0 AND expires_at > ?",
		ms(now), digest, ms(now)))
	var row checkInCodeRow
	if err == nil {
		err = tx.db.Where("digest = ?", digest).Take(&row).Error
	}
	return player.ID(row.ByPlayer), wrap(err, "use check-in code")
}
