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

// issuerRow and attestationRow keep keys and signatures as Base64.
type issuerRow struct {
	ID          string `gorm:"primaryKey"`
	Kind        string
	Name        string
	ClubID      *string
	PlayerID    *string
	ParentID    string
	Seed        string
	Since       int64
	Sig         string
	RevokedAt   int64
	RevokedBy   string
	RevokedCode string
	RevokedSig  string
}

func (issuerRow) TableName() string { return "issuers" }

// key is what the issuer signs with: dear to make, so only for who signs or checks.
func (r issuerRow) key() (ed25519.PrivateKey, error) {
	seed, err := base64.StdEncoding.DecodeString(r.Seed)
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("issuer %s: its key is damaged", r.ID)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// issuer is the issuer without its key.
func (r issuerRow) issuer() vouch.Issuer {
	i := vouch.Issuer{
		ID: vouch.IssuerID(r.ID), Kind: vouch.IssuerKind(r.Kind), Name: r.Name, Parent: vouch.IssuerID(r.ParentID),
		Since: at(r.Since), Sig: unbase64(r.Sig),
		Revoked: vouch.Revocation{At: at(r.RevokedAt), By: player.ID(r.RevokedBy),
			Code: fairplay.RevocationCode(r.RevokedCode), Sig: unbase64(r.RevokedSig)},
	}
	if r.ClubID != nil {
		i.Club = *r.ClubID
	}
	if r.PlayerID != nil {
		i.Player = player.ID(*r.PlayerID)
	}
	return i
}

// unbase64 reads what base64 wrote; a damaged text is no signature.
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

// Issuers are all but the site, with the keys they sign with.
func (tx *Tx) Issuers() (map[vouch.IssuerID]vouch.Issuer, map[vouch.IssuerID]ed25519.PrivateKey, error) {
	var rows []issuerRow
	if err := tx.db.Order("since, id").Find(&rows).Error; err != nil {
		return nil, nil, fmt.Errorf("store: issuers: %w", err)
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

// IssuersAbove are some issuers, without their keys, with all who certified them;
// the site is not among them.
func (tx *Tx) IssuersAbove(ids ...vouch.IssuerID) (map[vouch.IssuerID]vouch.Issuer, error) {
	found := map[vouch.IssuerID]vouch.Issuer{}
	for len(ids) > 0 {
		var rows []issuerRow
		if err := tx.db.Where("id IN ?", texts(ids)).Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("store: issuers: %w", err)
		}
		ids = ids[:0:0]
		for _, r := range rows {
			i := r.issuer()
			found[i.ID] = i
		}
		for _, r := range rows {
			if parent := vouch.IssuerID(r.ParentID); found[parent].ID == "" && parent != vouch.SiteIssuer {
				ids = append(ids, parent)
			}
		}
	}
	return found, nil
}

// AddIssuer stores an issuer with the seed of its key. ErrTaken: the club or
// player is one already.
func (tx *Tx) AddIssuer(i vouch.Issuer, key ed25519.PrivateKey) error {
	row := issuerRow{
		ID: string(i.ID), Kind: string(i.Kind), Name: i.Name, ParentID: string(i.Parent), Seed: base64.StdEncoding.EncodeToString(key.Seed()),
		Since: ms(i.Since), Sig: base64.StdEncoding.EncodeToString(i.Sig),
	}
	if i.Club != "" {
		row.ClubID = &i.Club
	}
	if i.Player != "" {
		id := string(i.Player)
		row.PlayerID = &id
	}
	if err := tx.db.Create(&row).Error; err != nil {
		return fmt.Errorf("store: add issuer: %w", err)
	}
	return nil
}

// RevokeIssuer ends an issuer's word. ErrConflict: it had ended.
func (tx *Tx) RevokeIssuer(id vouch.IssuerID, r vouch.Revocation) error {
	return tx.revoke(&issuerRow{}, string(id), r)
}

// RevokeAttestation takes an attestation back. ErrConflict: it had been.
func (tx *Tx) RevokeAttestation(id string, r vouch.Revocation) error {
	return tx.revoke(&attestationRow{}, id, r)
}

func (tx *Tx) revoke(model any, id string, r vouch.Revocation) error {
	err := guarded(tx.db.Model(model).Where("id = ? AND revoked_at = 0", id).Updates(map[string]any{
		"revoked_at": ms(r.At), "revoked_by": string(r.By), "revoked_code": string(r.Code),
		"revoked_sig": base64.StdEncoding.EncodeToString(r.Sig),
	}))
	if err != nil {
		return fmt.Errorf("store: revoke %s: %w", id, err)
	}
	return nil
}

// AddAttestation stores one.
func (tx *Tx) AddAttestation(a vouch.Attestation) error {
	row := attestationRow{
		ID: a.ID, PlayerID: string(a.Player), IssuerID: string(a.Issuer), ByPlayer: string(a.By), Kind: string(a.Kind), How: string(a.How),
		Issued: ms(a.Issued), Expires: ms(a.Expires), Note: a.Note, Guardian: a.Guardian, Sig: base64.StdEncoding.EncodeToString(a.Sig),
	}
	if err := tx.db.Create(&row).Error; err != nil {
		return fmt.Errorf("store: add attestation: %w", err)
	}
	return nil
}

// Attestation is one of them.
func (tx *Tx) Attestation(id string) (vouch.Attestation, error) {
	var row attestationRow
	if err := tx.db.Where("id = ?", id).Take(&row).Error; err != nil {
		return vouch.Attestation{}, fmt.Errorf("store: attestation %s: %w", id, err)
	}
	return row.attestation(), nil
}

// AttestationsAbout are those about some players, in the order of issue.
func (tx *Tx) AttestationsAbout(ids ...player.ID) ([]vouch.Attestation, error) {
	return tx.attestations("player_id IN ?", texts(ids))
}

// AttestationsBy are those of an issuer since a moment.
func (tx *Tx) AttestationsBy(id vouch.IssuerID, since time.Time) ([]vouch.Attestation, error) {
	return tx.attestations("issuer_id = ? AND issued >= ?", string(id), ms(since))
}

// AllAttestations are the newest ones, in the order of issue.
func (tx *Tx) AllAttestations(limit int) ([]vouch.Attestation, error) {
	return tx.attestations("id IN (SELECT id FROM attestations ORDER BY issued DESC, id LIMIT ?)", limit)
}

// EndingAttestations are those that end before a moment and whose players have
// not been told.
func (tx *Tx) EndingAttestations(before time.Time, limit int) ([]vouch.Attestation, error) {
	return tx.attestations(`id IN (SELECT id FROM attestations
		WHERE warned_at = 0 AND revoked_at = 0 AND expires < ? ORDER BY expires, id LIMIT ?)`, ms(before), limit)
}

// MarkWarned notes that a player was told that an attestation ends.
func (tx *Tx) MarkWarned(id string, now time.Time) error {
	if err := guarded(tx.db.Model(&attestationRow{}).Where("id = ? AND warned_at = 0", id).Update("warned_at", ms(now))); err != nil {
		return fmt.Errorf("store: attestation %s: %w", id, err)
	}
	return nil
}

func (tx *Tx) attestations(where string, args ...any) ([]vouch.Attestation, error) {
	var rows []attestationRow
	if err := tx.db.Where(where, args...).Order("issued, id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: attestations: %w", err)
	}
	list := make([]vouch.Attestation, len(rows))
	for i, r := range rows {
		list[i] = r.attestation()
	}
	return list, nil
}

type personMarkRow struct {
	Mark     string `gorm:"primaryKey"`
	PlayerID string `gorm:"primaryKey"`
	At       int64
}

func (personMarkRow) TableName() string { return "person_marks" }

// AddPersonMark notes whose account a person's mark is, and tells which other
// accounts have it.
func (tx *Tx) AddPersonMark(mark string, id player.ID, now time.Time) (others []player.ID, err error) {
	row := personMarkRow{mark, string(id), ms(now)}
	if err := tx.db.Save(&row).Error; err != nil {
		return nil, fmt.Errorf("store: person mark: %w", err)
	}
	if err := tx.db.Model(&personMarkRow{}).Where("mark = ? AND player_id <> ?", mark, string(id)).
		Pluck("player_id", &others).Error; err != nil {
		return nil, fmt.Errorf("store: person mark: %w", err)
	}
	return others, nil
}

// SamePersonsAmong are those of some players whose mark another of them has.
func (tx *Tx) SamePersonsAmong(ids ...player.ID) (groups [][]player.ID, err error) {
	return tx.samePersons("player_id IN ?", texts(ids))
}

// SamePersons are groups of accounts that have one mark: somebody to talk to.
func (tx *Tx) SamePersons() (groups [][]player.ID, err error) { return tx.samePersons("1 = 1") }

func (tx *Tx) samePersons(where string, args ...any) (groups [][]player.ID, err error) {
	var rows []personMarkRow
	shared := tx.db.Model(&personMarkRow{}).Select("mark").Where(where, args...).Group("mark").Having("COUNT(*) > 1")
	err = tx.db.Where(where, args...).Where("mark IN (?)", shared).Order("mark, at, player_id").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("store: same persons: %w", err)
	}
	for i, r := range rows {
		if i == 0 || rows[i-1].Mark != r.Mark {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], player.ID(r.PlayerID))
	}
	return groups, nil
}
