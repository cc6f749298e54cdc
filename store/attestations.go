package store

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/player"
)

// issuerRow and attestationRow hold keys and signatures as base64.
type issuerRow struct {
	ID          string `gorm:"primaryKey"`
	Name        string
	ClubID      string
	Seed        string
	Since       int64
	Sig         string
	RevokedAt   int64
	RevokedBy   string
	RevokedCode string
	RevokedSig  string
}

func (issuerRow) TableName() string { return "issuers" }

// key is the issuer's signing key. It is costly to derive: call it only to sign or to
// check.
func (r issuerRow) key() (ed25519.PrivateKey, error) {
	seed, err := base64.StdEncoding.DecodeString(r.Seed)
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("issuer %s: its key is damaged", r.ID)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// issuer is the issuer without its key.
func (r issuerRow) issuer() vouch.Issuer {
	return vouch.Issuer{
		ID: vouch.IssuerID(r.ID), Name: r.Name, Club: r.ClubID, Since: at(r.Since), Sig: unbase64(r.Sig),
		Revoked: vouch.Revocation{At: at(r.RevokedAt), By: player.ID(r.RevokedBy),
			Code: fairplay.RevocationCode(r.RevokedCode), Sig: unbase64(r.RevokedSig)},
	}
}

func base64Of(raw []byte) string { return base64.StdEncoding.EncodeToString(raw) }

// unbase64 reads what base64Of wrote; a damaged text gives nil, which is no signature.
func unbase64(text string) []byte {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) == 0 {
		return nil
	}
	return raw
}

type attestationRow struct {
	ID          string `gorm:"primaryKey"`
	PlayerID    string
	IssuerID    string
	ByPlayer    string
	Kind        string
	How         string
	Issued      int64
	Expires     int64
	Note        string
	Sig         string
	RevokedAt   int64
	RevokedBy   string
	RevokedCode string
	RevokedSig  string
	WarnedAt    int64
	Guardian    bool
}

func (attestationRow) TableName() string { return "attestations" }

func (r attestationRow) attestation() vouch.Attestation {
	return vouch.Attestation{
		ID: r.ID, Player: player.ID(r.PlayerID), Issuer: vouch.IssuerID(r.IssuerID), By: player.ID(r.ByPlayer),
		Kind: vouch.Kind(r.Kind), How: vouch.How(r.How),
		Issued: at(r.Issued), Expires: at(r.Expires), Note: r.Note, Guardian: r.Guardian,
		Sig: unbase64(r.Sig),
		Revoked: vouch.Revocation{At: at(r.RevokedAt), By: player.ID(r.RevokedBy),
			Code: fairplay.RevocationCode(r.RevokedCode), Sig: unbase64(r.RevokedSig)},
	}
}

// Issuers are all issuers but the site, with their signing keys.
func (tx *Tx) Issuers() (map[vouch.IssuerID]vouch.Issuer, map[vouch.IssuerID]ed25519.PrivateKey, error) {
	var rows []issuerRow
	if err := tx.db.Order("since, id").Find(&rows).Error; err != nil {
		return nil, nil, wrap(err, "issuers")
	}
	issuers, keys := map[vouch.IssuerID]vouch.Issuer{}, map[vouch.IssuerID]ed25519.PrivateKey{}
	for _, r := range rows {
		key, err := r.key()
		if err != nil {
			return nil, nil, fmt.Errorf("store: %w", err)
		}
		i := r.issuer()
		i.Key = key.Public().(ed25519.PublicKey)
		issuers[i.ID], keys[i.ID] = i, key
	}
	return issuers, keys, nil
}

// IssuersAmong are some issuers, without keys and without the site.
func (tx *Tx) IssuersAmong(ids ...vouch.IssuerID) (map[vouch.IssuerID]vouch.Issuer, error) {
	list, err := findAll(tx.db.Where("id IN ?", texts(ids)), issuerRow.issuer, "issuers")
	found := make(map[vouch.IssuerID]vouch.Issuer, len(list))
	for _, i := range list {
		found[i.ID] = i
	}
	return found, err
}

// AddIssuer stores an issuer with the seed of its key, ErrTaken if the club is one already.
func (tx *Tx) AddIssuer(i vouch.Issuer, key ed25519.PrivateKey) error {
	row := issuerRow{
		ID: string(i.ID), Name: i.Name, ClubID: i.Club, Seed: base64Of(key.Seed()), Since: ms(i.Since), Sig: base64Of(i.Sig),
	}
	return wrap(tx.db.Create(&row).Error, "add issuer")
}

// RevokeIssuer revokes an issuer, ErrConflict if it has been revoked already.
func (tx *Tx) RevokeIssuer(id vouch.IssuerID, r vouch.Revocation) error {
	return tx.revoke(&issuerRow{}, string(id), r)
}

// RevokeAttestation revokes an attestation, ErrConflict if it has been revoked already.
func (tx *Tx) RevokeAttestation(id string, r vouch.Revocation) error {
	return tx.revoke(&attestationRow{}, id, r)
}

func (tx *Tx) revoke(model any, id string, r vouch.Revocation) error {
	err := guarded(tx.db.Model(model).Where("id = ? AND revoked_at = 0", id).Updates(map[string]any{
		"revoked_at": ms(r.At), "revoked_by": string(r.By), "revoked_code": string(r.Code),
		"revoked_sig": base64Of(r.Sig),
	}))
	return wrap(err, "revoke %s", id)
}

// AddAttestation stores an attestation.
func (tx *Tx) AddAttestation(a vouch.Attestation) error {
	row := attestationRow{
		ID: a.ID, PlayerID: string(a.Player), IssuerID: string(a.Issuer), ByPlayer: string(a.By), Kind: string(a.Kind), How: string(a.How),
		Issued: ms(a.Issued), Expires: ms(a.Expires), Note: a.Note, Guardian: a.Guardian, Sig: base64Of(a.Sig),
	}
	return wrap(tx.db.Create(&row).Error, "add attestation")
}

// Attestation is one attestation.
func (tx *Tx) Attestation(id string) (vouch.Attestation, error) {
	return findOne(tx.db.Where("id = ?", id), attestationRow.attestation, "attestation %s", id)
}

// AttestationsAbout are those about some players, in order of issue.
func (tx *Tx) AttestationsAbout(ids ...player.ID) ([]vouch.Attestation, error) {
	return tx.attestations("player_id IN ?", texts(ids))
}

// AttestationsBy are those of an issuer since a moment.
func (tx *Tx) AttestationsBy(id vouch.IssuerID, since time.Time) ([]vouch.Attestation, error) {
	return tx.attestations("issuer_id = ? AND issued >= ?", string(id), ms(since))
}

// AllAttestations are the newest ones, in order of issue.
func (tx *Tx) AllAttestations(limit int) ([]vouch.Attestation, error) {
	return tx.attestations("id IN (SELECT id FROM attestations ORDER BY issued DESC, id LIMIT ?)", limit)
}

// EndingAttestations are those that expire before a moment and whose players have not
// been warned.
func (tx *Tx) EndingAttestations(before time.Time, limit int) ([]vouch.Attestation, error) {
	return tx.attestations(`id IN (SELECT id FROM attestations
		WHERE warned_at = 0 AND revoked_at = 0 AND expires < ? ORDER BY expires, id LIMIT ?)`, ms(before), limit)
}

// MarkWarned notes that a player was warned that an attestation expires.
func (tx *Tx) MarkWarned(id string, now time.Time) error {
	return wrap(guarded(tx.db.Exec("UPDATE attestations SET warned_at = ? WHERE id = ? AND warned_at = 0", ms(now), id)),
		"attestation %s", id)
}

func (tx *Tx) attestations(where string, args ...any) ([]vouch.Attestation, error) {
	return findAll(tx.db.Where(where, args...).Order("issued, id"), attestationRow.attestation, "attestations")
}

type personMarkRow struct {
	Mark     string `gorm:"primaryKey"`
	PlayerID string `gorm:"primaryKey"`
	At       int64
}

func (personMarkRow) TableName() string { return "person_marks" }

// AddPersonMark notes that an account has a person's mark and returns the other accounts
// that have it.
func (tx *Tx) AddPersonMark(mark string, id player.ID, now time.Time) (others []player.ID, err error) {
	row := personMarkRow{mark, string(id), ms(now)}
	if err := tx.db.Save(&row).Error; err != nil {
		return nil, wrap(err, "person mark")
	}
	return pluck[player.ID](tx.db.Model(&personMarkRow{}).Where("mark = ? AND player_id <> ?", mark, string(id)), "player_id", "person mark")
}

// SamePersonsAmong groups those of some players who share a mark.
func (tx *Tx) SamePersonsAmong(ids ...player.ID) (groups [][]player.ID, err error) {
	return tx.samePersons("player_id IN ?", texts(ids))
}

// SamePersons groups all accounts that share a mark.
func (tx *Tx) SamePersons() (groups [][]player.ID, err error) { return tx.samePersons("1 = 1") }

func (tx *Tx) samePersons(where string, args ...any) (groups [][]player.ID, err error) {
	var rows []personMarkRow
	shared := tx.db.Model(&personMarkRow{}).Select("mark").Where(where, args...).Group("mark").Having("COUNT(*) > 1")
	err = tx.db.Where(where, args...).Where("mark IN (?)", shared).Order("mark, at, player_id").Find(&rows).Error
	if err != nil {
		return nil, wrap(err, "same persons")
	}
	for i, r := range rows {
		if i == 0 || rows[i-1].Mark != r.Mark {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], player.ID(r.PlayerID))
	}
	return groups, nil
}
