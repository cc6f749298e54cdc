package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/ladder"
)

// MatchPolicy is the policy a match was opened with, and what was found at its end.
type MatchPolicy struct {
	Policy    fairplay.Policy
	Statement *fairplay.SignedStatement // of the last end; nil while there is none
	// Superseded are the statements of earlier ends, after which the match went on.
	Superseded []fairplay.SignedStatement
}

type policyRow struct {
	Hash  string `gorm:"primaryKey"`
	Level uint8
	Body  string
}

func (policyRow) TableName() string { return "policies" }

type matchPolicyRow struct {
	MatchID    string `gorm:"primaryKey"`
	PolicyHash string
	Statement  string
}

func (matchPolicyRow) TableName() string { return "match_policies" }

type factRow struct {
	MatchID  string `gorm:"primaryKey"`
	Seat     uint8  `gorm:"primaryKey;autoIncrement:false"`
	Kind     string `gorm:"primaryKey"`
	Demand   string `gorm:"primaryKey"`
	At       int64
	Move     int
	Number   int
	ByPlayer string
}

func (factRow) TableName() string { return "match_facts" }

func (r factRow) fact() fairplay.Fact {
	return fairplay.Fact{
		Kind: fairplay.FactKind(r.Kind), Seat: match.Seat(r.Seat), At: at(r.At), Move: r.Move, Count: r.Number,
		Demand: fairplay.Demand(r.Demand), By: player.ID(r.ByPlayer),
	}
}

func rowOfFact(id match.ID, f fairplay.Fact) factRow {
	return factRow{
		MatchID: string(id), Seat: uint8(f.Seat), Kind: string(f.Kind), Demand: string(f.Demand), At: ms(f.At), Move: f.Move,
		Number: f.Count, ByPlayer: string(f.By),
	}
}

// MatchPolicy is the policy of a match, ErrNotFound for a match without one.
func (tx *Tx) MatchPolicy(id match.ID) (MatchPolicy, error) {
	var row struct{ Body, Statement, Superseded string }
	err := tx.db.Raw(`SELECT p.body, m.statement, m.superseded
		FROM match_policies m JOIN policies p ON p.hash = m.policy_hash WHERE m.match_id = ?`, string(id)).
		Take(&row).Error
	var m MatchPolicy
	if err == nil {
		m.Policy, err = fairplay.ParsePolicy([]byte(row.Body))
	}
	if err == nil && row.Statement != "" {
		m.Statement = &fairplay.SignedStatement{}
		err = json.Unmarshal([]byte(row.Statement), m.Statement)
	}
	for line := range strings.Lines(row.Superseded) {
		var s fairplay.SignedStatement
		if err == nil {
			err = json.Unmarshal([]byte(line), &s)
		}
		m.Superseded = append(m.Superseded, s)
	}
	if err != nil {
		return m, wrap(err, "policy of %s", id)
	}
	return m, nil
}

// FreezePolicy stores the policy a match is opened with.
func (tx *Tx) FreezePolicy(id match.ID, p fairplay.Policy) error {
	hash := p.Hash()
	if tx.frozen != hash { // the matches of a round have the same
		row, err := policyRowOf(p)
		if err == nil {
			err = tx.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error
		}
		if err != nil {
			return wrap(err, "policy of %s", id)
		}
		tx.frozen = hash
	}
	return wrap(tx.db.Create(&matchPolicyRow{MatchID: string(id), PolicyHash: hash}).Error, "policy of %s", id)
}

func policyRowOf(p fairplay.Policy) (policyRow, error) {
	body, err := fairplay.Canonical(p.Document())
	return policyRow{Hash: p.Hash(), Level: uint8(p.Level), Body: string(body)}, err
}

// Facts are what happened on both sides of a match, in order of time.
func (tx *Tx) Facts(id match.ID) ([]fairplay.Fact, error) {
	return findAll(tx.db.Where("match_id = ?", string(id)).Order("at, seat, kind, demand"), factRow.fact, "facts of %s", id)
}

// AddFacts notes what happened in a match. Of each kind and demand only the first on each
// side is kept.
func (tx *Tx) AddFacts(id match.ID, facts ...fairplay.Fact) error {
	if len(facts) == 0 {
		return nil
	}
	rows := make([]factRow, len(facts))
	for i, f := range facts {
		rows[i] = rowOfFact(id, f)
	}
	return wrap(tx.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&rows).Error, "facts of %s", id)
}

// supersede moves the statement of a match that goes on to the superseded ones.
func (tx *Tx) supersede(id match.ID) error {
	return tx.db.Exec(`UPDATE match_policies SET superseded = superseded || statement || ?, statement = ''
		WHERE match_id = ? AND statement <> ''`, "\n", string(id)).Error
}

// Rewatch withdraws the stewards' signatures on a match that goes on: they sign its next
// end.
func (tx *Tx) Rewatch(id match.ID) error {
	words := []fairplay.FactKind{fairplay.StewardSigned, fairplay.StewardPartly, fairplay.StewardNot}
	err := errors.Join(tx.db.Where("match_id = ? AND kind IN ?", string(id), words).Delete(&factRow{}).Error,
		tx.db.Model(&watchRow{}).Where("match_id = ?", string(id)).Updates(map[string]any{"signed_at": 0, "verdict": ""}).Error)
	return wrap(err, "watches of %s", id)
}

// SetAchieved stores the signed statement of a match that ended at seq, ErrConflict when
// the match is not over there or already has one.
func (tx *Tx) SetAchieved(id match.ID, seq int64, s fairplay.SignedStatement) error {
	raw, err := json.Marshal(s)
	if err == nil {
		err = guarded(tx.db.Exec("UPDATE matches SET achieved = ? WHERE id = ? AND seq = ? AND status = "+matchOver+" AND achieved = 0",
			uint8(s.Statement.Achieved.Level), string(id), seq))
	}
	if err == nil {
		err = tx.db.Exec("UPDATE match_policies SET statement = ? WHERE match_id = ?", string(raw), string(id)).Error
	}
	return wrap(err, "achieved by %s", id)
}

// Guarded are the matches of Declared and above that are running or ended after a moment.
func (tx *Tx) Guarded(since time.Time) ([]Head, error) {
	of := "SELECT " + matchColumns + " FROM matches WHERE level > " + levelOpen
	found, err := findAll(tx.db.Raw(of+" AND status < "+matchOver+" UNION ALL "+
		of+" AND status = "+matchOver+" AND last_at > ?", ms(since)), matchRow.head, "guarded matches")
	// Sorted here: for ORDER BY id SQLite would read every match through its primary key.
	slices.SortFunc(found, func(a, b Head) int { return cmp.Compare(a.ID, b.ID) })
	return found, err
}

// StandingStill are the matches above Open in which a player is to move and no clock
// runs. (status < 3 lets the index of running matches serve.)
func (tx *Tx) StandingStill() ([]match.ID, error) {
	return pluck[match.ID](tx.db.Model(&matchRow{}).
		Where("status < "+matchOver+" AND status = "+matchPlaying+" AND deadline_at IS NULL AND level > "+levelOpen).
		Order("last_at"), "id", "matches standing still")
}

type signalRow struct {
	ID       string `gorm:"primaryKey"`
	PlayerID string
	MatchID  string
	Kind     string
	At       int64
	Move     int
	Detail   string
}

func (signalRow) TableName() string { return "signals" }

// AddSignal stores what the server noticed about a player.
func (tx *Tx) AddSignal(s review.Signal) error {
	row := signalRow{ID: s.ID, PlayerID: string(s.Player), MatchID: string(s.Match), Kind: string(s.Kind),
		At: ms(s.At), Move: s.Move, Detail: s.Detail}
	return wrap(tx.db.Create(&row).Error, "add signal")
}

// SignalsOf are the signals about a player, the latest first.
func (tx *Tx) SignalsOf(id player.ID) ([]review.Signal, error) {
	return tx.signals("player_id = ?", string(id))
}

// SignalsIn are the signals in some matches, of idsAtOnce matches the latest first.
func (tx *Tx) SignalsIn(ids []match.ID) ([]review.Signal, error) {
	var all []review.Signal
	for some := range slices.Chunk(texts(ids), idsAtOnce) {
		list, err := tx.signals("match_id IN ?", some)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// SignalsElsewhere are the signals in matches outside tournaments, the latest first.
func (tx *Tx) SignalsElsewhere(limit int) ([]review.Signal, error) {
	return tx.signals(`id IN (SELECT s.id FROM signals s WHERE NOT EXISTS (
		SELECT 1 FROM pairings p WHERE p.match_id = s.match_id) ORDER BY s.at DESC, s.id LIMIT ?)`, limit)
}

// SignalsOnLadder are the signals in the matches of a ladder, the latest first.
func (tx *Tx) SignalsOnLadder(id ladder.ID, limit int) ([]review.Signal, error) {
	return tx.signals(`id IN (SELECT s.id FROM signals s JOIN ladder_challenges c ON c.match_id = s.match_id
		WHERE c.ladder_id = ? ORDER BY s.at DESC, s.id LIMIT ?)`, string(id), limit)
}

func (r signalRow) signal() review.Signal {
	return review.Signal{ID: r.ID, Player: player.ID(r.PlayerID), Match: match.ID(r.MatchID),
		Kind: review.SignalKind(r.Kind), At: at(r.At), Move: r.Move, Detail: r.Detail}
}

func (tx *Tx) signals(where string, args ...any) ([]review.Signal, error) {
	return findAll(tx.db.Where(where, args...).Order("at DESC, id"), signalRow.signal, "signals")
}

// HasSignal reports whether a player already has a signal of that kind in a match.
func (tx *Tx) HasSignal(of player.ID, in match.ID, kind review.SignalKind) (bool, error) {
	return exists(tx.db.Model(&signalRow{}).Where("player_id = ? AND match_id = ? AND kind = ?", string(of), string(in), string(kind)),
		"signals")
}

// Device is a browser from which a seat of a match was played. Its parts are keyed hashes
// that reveal nothing by themselves.
type Device struct {
	Seat                     match.Seat
	Session, Device, Network string
	At                       time.Time
}

type deviceRow struct {
	MatchID string `gorm:"primaryKey"`
	Seat    uint8  `gorm:"primaryKey;autoIncrement:false"`
	Session string `gorm:"primaryKey"`
	Device  string `gorm:"primaryKey"`
	Network string `gorm:"primaryKey"`
	At      int64
}

func (deviceRow) TableName() string { return "match_devices" }

// Devices are the browsers from which a match was played, the first first.
func (tx *Tx) Devices(id match.ID) ([]Device, error) {
	return findAll(tx.db.Where("match_id = ?", string(id)).Order("at, seat, session, device"), func(r deviceRow) Device {
		return Device{match.Seat(r.Seat), r.Session, r.Device, r.Network, at(r.At)}
	}, "devices of %s", id)
}

// SeatsFrom are the seats that are played from a browser, by match.
func (tx *Tx) SeatsFrom(device string) (map[match.ID]match.Seat, error) {
	var rows []deviceRow
	err := tx.db.Where("device = ?", device).Find(&rows).Error
	seats := make(map[match.ID]match.Seat, len(rows))
	for _, r := range rows {
		seats[match.ID(r.MatchID)] = match.Seat(r.Seat)
	}
	return seats, wrap(err, "seats from a device")
}

// AddDevice notes a device; one that is known stays as it is.
func (tx *Tx) AddDevice(id match.ID, d Device) error {
	row := deviceRow{string(id), uint8(d.Seat), d.Session, d.Device, d.Network, ms(d.At)}
	return wrap(tx.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error, "add device")
}

type acceptanceRow struct {
	PlayerID string `gorm:"primaryKey"`
	Version  int    `gorm:"primaryKey"`
	Lang     string
	TextHash string
	At       int64
}

func (acceptanceRow) TableName() string { return "fair_play_acceptances" }

// AcceptText notes that a player accepted the current fair-play text as they read it: in a language, with its hash.
func (tx *Tx) AcceptText(id player.ID, lang, hash string, now time.Time) error {
	row := acceptanceRow{string(id), fairplay.TextVersion, lang, hash, ms(now)}
	return wrap(tx.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error, "accept text")
}

// TextAccepted is when players accepted the current fair-play text; those who have not are
// missing.
func (tx *Tx) TextAccepted(ids ...player.ID) (map[player.ID]time.Time, error) {
	return byID(ids, func(some []string) *gorm.DB {
		return tx.db.Where("player_id IN ? AND version = ?", some, fairplay.TextVersion)
	}, func(r acceptanceRow) (player.ID, time.Time) { return player.ID(r.PlayerID), at(r.At) }, "accepted texts")
}

// AnalysisRefusal is a request to analyze a position that was being played.
type AnalysisRefusal struct {
	ID       string
	Match    match.ID
	Player   player.ID
	At       time.Time
	Position string // CFEN, or that it was about bids
}

type analysisRefusalRow struct {
	ID       string `gorm:"primaryKey"`
	MatchID  string
	PlayerID string
	At       int64
	Position string
}

func (analysisRefusalRow) TableName() string { return "analysis_refusals" }

// AnalysisRefusals are those of a match, the latest first.
func (tx *Tx) AnalysisRefusals(id match.ID) ([]AnalysisRefusal, error) {
	return findAll(tx.db.Where("match_id = ?", string(id)).Order("at DESC, id"), func(r analysisRefusalRow) AnalysisRefusal {
		return AnalysisRefusal{r.ID, match.ID(r.MatchID), player.ID(r.PlayerID), at(r.At), r.Position}
	}, "analysis refusals of %s", id)
}

// AddAnalysisRefusal stores a refusal.
func (tx *Tx) AddAnalysisRefusal(a AnalysisRefusal) error {
	row := analysisRefusalRow{a.ID, string(a.Match), string(a.Player), ms(a.At), a.Position}
	return wrap(tx.db.Create(&row).Error, "add analysis refusal")
}
