package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/ladder"
)

// MatchPolicy is on what a match was opened, and what was found at its end.
type MatchPolicy struct {
	Policy    fairplay.Policy
	Statement *fairplay.SignedStatement // of the last end; nil while there is none
	// Superseded is what was signed of earlier ends, after which the match went on.
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

// MatchPolicy is the policy of a match, ErrNotFound for one from before there
// were policies.
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
		return m, fmt.Errorf("store: policy of %s: %w", id, err)
	}
	return m, nil
}

// FreezePolicy keeps the policy on which a match is opened.
func (tx *Tx) FreezePolicy(id match.ID, p fairplay.Policy) error {
	row, err := policyRowOf(p)
	if err == nil {
		err = tx.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error
	}
	if err == nil {
		err = tx.db.Create(&matchPolicyRow{MatchID: string(id), PolicyHash: p.Hash()}).Error
	}
	if err != nil {
		return fmt.Errorf("store: policy of %s: %w", id, err)
	}
	return nil
}

func policyRowOf(p fairplay.Policy) (policyRow, error) {
	body, err := fairplay.Canonical(p.Document())
	return policyRow{Hash: p.Hash(), Level: uint8(p.Level), Body: string(body)}, err
}

// Facts are what happened on both sides of a match, in the order of time.
func (tx *Tx) Facts(id match.ID) ([]fairplay.Fact, error) {
	var rows []factRow
	if err := tx.db.Where("match_id = ?", string(id)).Order("at, seat, kind, demand").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: facts of %s: %w", id, err)
	}
	facts := make([]fairplay.Fact, len(rows))
	for i, r := range rows {
		facts[i] = r.fact()
	}
	return facts, nil
}

// AddFacts notes what happened in a match; of each kind (and demand) the first
// on each side is kept.
func (tx *Tx) AddFacts(id match.ID, facts ...fairplay.Fact) error {
	if len(facts) == 0 {
		return nil
	}
	rows := make([]factRow, len(facts))
	for i, f := range facts {
		rows[i] = rowOfFact(id, f)
	}
	if err := tx.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&rows).Error; err != nil {
		return fmt.Errorf("store: facts of %s: %w", id, err)
	}
	return nil
}

// supersede takes a statement from a match that goes on; what was signed stays.
func (tx *Tx) supersede(id match.ID) error {
	return tx.db.Exec(`UPDATE match_policies SET superseded = superseded || statement || ?, statement = ''
		WHERE match_id = ? AND statement <> ''`, "\n", string(id)).Error
}

// Rewatch takes the words of the stewards of a match back, which goes on: they sign
// its next end.
func (tx *Tx) Rewatch(id match.ID) error {
	words := []fairplay.FactKind{fairplay.StewardSigned, fairplay.StewardPartly, fairplay.StewardNot}
	err := errors.Join(tx.db.Where("match_id = ? AND kind IN ?", string(id), words).Delete(&factRow{}).Error,
		tx.db.Model(&watchRow{}).Where("match_id = ?", string(id)).Updates(map[string]any{"signed_at": 0, "verdict": ""}).Error)
	if err != nil {
		return fmt.Errorf("store: watches of %s: %w", id, err)
	}
	return nil
}

// SetAchieved keeps what a finished match was worth whose log stands at seq;
// ErrConflict when it is not over there, or that is known already.
func (tx *Tx) SetAchieved(id match.ID, seq int64, s fairplay.SignedStatement) error {
	raw, err := json.Marshal(s)
	if err == nil {
		err = guarded(tx.db.Exec("UPDATE matches SET achieved = ? WHERE id = ? AND seq = ? AND status = 3 AND achieved = 0",
			uint8(s.Statement.Achieved.Level), string(id), seq))
	}
	if err == nil {
		err = tx.db.Exec("UPDATE match_policies SET statement = ? WHERE match_id = ?", string(raw), string(id)).Error
	}
	if err != nil {
		return fmt.Errorf("store: achieved by %s: %w", id, err)
	}
	return nil
}

// Guarded are the matches of Declared and above that run, or ended after a moment.
func (tx *Tx) Guarded(since time.Time) ([]Head, error) {
	var rows []matchRow
	err := tx.db.Raw("SELECT "+matchColumns+" FROM matches WHERE status < 3 AND level > 1 UNION ALL SELECT "+matchColumns+
		" FROM matches WHERE status = 3 AND level > 1 AND last_at > ?", ms(since)).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("store: guarded matches: %w", err)
	}
	// Sorted here: for an order by id SQLite would read every match there is by its id.
	slices.SortFunc(rows, func(a, b matchRow) int { return strings.Compare(a.ID, b.ID) })
	return heads(rows), nil
}

// StandingStill are the matches above Open in which a player is to move and no
// clock runs, by whosever word. (status < 3 lets the index of running matches serve.)
func (tx *Tx) StandingStill() ([]match.ID, error) {
	var ids []match.ID
	err := tx.db.Model(&matchRow{}).Where("status < 3 AND status = 2 AND deadline_at IS NULL AND level > 1").
		Order("last_at").Pluck("id", &ids).Error
	if err != nil {
		return nil, fmt.Errorf("store: matches standing still: %w", err)
	}
	return ids, nil
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

// AddSignal notes what the server noticed about a player.
func (tx *Tx) AddSignal(s review.Signal) error {
	row := signalRow{ID: s.ID, PlayerID: string(s.Player), MatchID: string(s.Match), Kind: string(s.Kind),
		At: ms(s.At), Move: s.Move, Detail: s.Detail}
	if err := tx.db.Create(&row).Error; err != nil {
		return fmt.Errorf("store: add signal: %w", err)
	}
	return nil
}

// SignalsOf is what was noticed about a player, the latest first.
func (tx *Tx) SignalsOf(id player.ID) ([]review.Signal, error) {
	return tx.signals("player_id = ?", string(id))
}

// SignalsIn is what was noticed in matches, the latest first.
func (tx *Tx) SignalsIn(ids []match.ID) ([]review.Signal, error) {
	var all []review.Signal
	for len(ids) > 0 {
		n := min(len(ids), 500)
		list, err := tx.signals("match_id IN ?", texts(ids[:n]))
		if err != nil {
			return nil, err
		}
		all, ids = append(all, list...), ids[n:]
	}
	return all, nil
}

// SignalsElsewhere is what was noticed in matches outside of tournaments, the
// latest first.
func (tx *Tx) SignalsElsewhere(limit int) ([]review.Signal, error) {
	return tx.signals(`id IN (SELECT s.id FROM signals s WHERE NOT EXISTS (
		SELECT 1 FROM pairings p WHERE p.match_id = s.match_id) ORDER BY s.at DESC, s.id LIMIT ?)`, limit)
}

// SignalsOnLadder is what was noticed in the matches of a ladder, the latest first.
func (tx *Tx) SignalsOnLadder(id ladder.ID, limit int) ([]review.Signal, error) {
	return tx.signals(`id IN (SELECT s.id FROM signals s JOIN ladder_challenges c ON c.match_id = s.match_id
		WHERE c.ladder_id = ? ORDER BY s.at DESC, s.id LIMIT ?)`, string(id), limit)
}

func (tx *Tx) signals(where string, args ...any) ([]review.Signal, error) {
	var rows []signalRow
	if err := tx.db.Where(where, args...).Order("at DESC, id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: signals: %w", err)
	}
	out := make([]review.Signal, len(rows))
	for i, r := range rows {
		out[i] = review.Signal{ID: r.ID, Player: player.ID(r.PlayerID), Match: match.ID(r.MatchID),
			Kind: review.SignalKind(r.Kind), At: at(r.At), Move: r.Move, Detail: r.Detail}
	}
	return out, nil
}

// HasSignal tells whether something of that kind was noticed about a player in a
// match already.
func (tx *Tx) HasSignal(of player.ID, in match.ID, kind review.SignalKind) (bool, error) {
	var n int64
	err := tx.db.Model(&signalRow{}).Where("player_id = ? AND match_id = ? AND kind = ?", string(of), string(in), string(kind)).Count(&n).Error
	if err != nil {
		return false, fmt.Errorf("store: signals: %w", err)
	}
	return n > 0, nil
}

// Device is one browser from which a seat of a match was played. Its parts are
// keyed hashes and say nothing by themselves.
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

// Devices are all from which a match was played, the first first.
func (tx *Tx) Devices(id match.ID) ([]Device, error) {
	var rows []deviceRow
	if err := tx.db.Where("match_id = ?", string(id)).Order("at, seat, session, device").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: devices of %s: %w", id, err)
	}
	out := make([]Device, len(rows))
	for i, r := range rows {
		out[i] = Device{match.Seat(r.Seat), r.Session, r.Device, r.Network, at(r.At)}
	}
	return out, nil
}

// AddDevice notes one; what is known already stays as it is.
func (tx *Tx) AddDevice(id match.ID, d Device) error {
	row := deviceRow{string(id), uint8(d.Seat), d.Session, d.Device, d.Network, ms(d.At)}
	if err := tx.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error; err != nil {
		return fmt.Errorf("store: add device: %w", err)
	}
	return nil
}

type acceptanceRow struct {
	PlayerID string `gorm:"primaryKey"`
	TextHash string `gorm:"primaryKey"`
	Version  int
	At       int64
}

func (acceptanceRow) TableName() string { return "fair_play_acceptances" }

// AcceptText notes that a player accepted the fair-play text as it stands.
func (tx *Tx) AcceptText(id player.ID, now time.Time) error {
	row := acceptanceRow{string(id), fairplay.TextHash(), fairplay.TextVersion, ms(now)}
	if err := tx.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error; err != nil {
		return fmt.Errorf("store: accept text: %w", err)
	}
	return nil
}

// TextAccepted is when players accepted the text as it stands; who has not is missing.
func (tx *Tx) TextAccepted(ids ...player.ID) (map[player.ID]time.Time, error) {
	var rows []acceptanceRow
	if err := tx.db.Where("player_id IN ? AND text_hash = ?", texts(ids), fairplay.TextHash()).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: accepted texts: %w", err)
	}
	out := make(map[player.ID]time.Time, len(rows))
	for _, r := range rows {
		out[player.ID(r.PlayerID)] = at(r.At)
	}
	return out, nil
}

// AnalysisRefusal is one time somebody asked our analysis for a position that
// was being played.
type AnalysisRefusal struct {
	ID       string
	Match    match.ID
	Player   player.ID
	At       time.Time
	Position string // CFEN
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
	var rows []analysisRefusalRow
	if err := tx.db.Where("match_id = ?", string(id)).Order("at DESC, id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: analysis refusals of %s: %w", id, err)
	}
	out := make([]AnalysisRefusal, len(rows))
	for i, r := range rows {
		out[i] = AnalysisRefusal{r.ID, match.ID(r.MatchID), player.ID(r.PlayerID), at(r.At), r.Position}
	}
	return out, nil
}

// AddAnalysisRefusal notes one.
func (tx *Tx) AddAnalysisRefusal(a AnalysisRefusal) error {
	row := analysisRefusalRow{a.ID, string(a.Match), string(a.Player), ms(a.At), a.Position}
	if err := tx.db.Create(&row).Error; err != nil {
		return fmt.Errorf("store: add analysis refusal: %w", err)
	}
	return nil
}
