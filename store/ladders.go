package store

import (
	"encoding/json"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/tournament/ladder"
)

// LadderLine is one ladder in a list.
type LadderLine struct {
	ID        ladder.ID
	Name      string
	Club      club.ID // empty: of the site
	Players   int
	Running   int // challenges
	CreatedAt time.Time
	ChangedAt time.Time
	Place     int // of LadderQuery.For; 0: none
}

// LadderQuery selects ladders for a list: those with For on them first, then by name.
type LadderQuery struct {
	Club          club.ID   // empty: all
	For           player.ID // the player whose place is reported
	Mine, OfClubs bool      // only those they are on, or of their clubs
	Search        string    // words of the name
	Limit, Offset int
}

// LadderRef names a challenge of a ladder.
type LadderRef struct {
	Ladder ladder.ID
	Number ladder.ChallengeID
}

type ladderRow struct {
	ID          string `gorm:"primaryKey"`
	ClubID      *string
	OrganizerID string
	Name        string
	State       string
	Players     int
	Running     int
	DueAt       *int64
	OpensAt     *int64
	CreatedAt   int64 `gorm:"autoCreateTime:false"`
	ChangedAt   int64
	Seq         int64
}

func (ladderRow) TableName() string { return "ladders" }

type ladderEventRow struct {
	LadderID  string `gorm:"primaryKey"`
	Seq       int64  `gorm:"primaryKey;autoIncrement:false"`
	At        int64
	Kind      string
	PlayerID  string
	Challenge int
	Body      string
}

func (ladderEventRow) TableName() string { return "ladder_events" }

type ladderRungRow struct {
	LadderID string `gorm:"primaryKey"`
	PlayerID string `gorm:"primaryKey"`
	Place    int
}

func (ladderRungRow) TableName() string { return "ladder_rungs" }

type ladderChallengeRow struct {
	LadderID     string `gorm:"primaryKey"`
	Number       int    `gorm:"primaryKey;autoIncrement:false"`
	ChallengerID string
	DefenderID   string
	Status       string
	MatchID      *string
	Body         string
	Rated        bool
}

func (ladderChallengeRow) TableName() string { return "ladder_challenges" }

func (r ladderChallengeRow) challenge() (c ladder.Challenge, err error) {
	err = json.Unmarshal([]byte(r.Body), &c)
	return c, err
}

func rowOfLadder(l *ladder.Ladder) (ladderRow, error) {
	state, err := json.Marshal(l)
	if err != nil {
		return ladderRow{}, err
	}
	row := ladderRow{
		ID: string(l.ID), ClubID: textOrNull(l.Settings.Club), OrganizerID: string(l.Organizer), Name: l.Settings.Name, State: string(state),
		Players: len(l.Rungs), Running: len(l.Challenges), CreatedAt: ms(l.CreatedAt), Seq: l.Seq,
	}
	deadline, other := l.Due()
	row.DueAt, row.OpensAt = msOrNull(deadline), msOrNull(other)
	if fresh := l.Fresh(); len(fresh) > 0 {
		row.ChangedAt = ms(fresh[len(fresh)-1].At)
	}
	return row, nil
}

func (r ladderRow) ladder() (*ladder.Ladder, error) {
	var l ladder.Ladder
	err := json.Unmarshal([]byte(r.State), &l)
	return &l, err
}

// Ladder is one ladder as it stands.
func (tx *Tx) Ladder(id ladder.ID) (*ladder.Ladder, error) {
	return parseOne(tx.db.Where("id = ?", string(id)), ladderRow.ladder, "ladder %s", id)
}

// AddLadder stores a new ladder.
func (tx *Tx) AddLadder(l *ladder.Ladder) error {
	row, err := rowOfLadder(l)
	if err == nil {
		err = tx.db.Create(&row).Error
	}
	if err == nil {
		err = tx.saveLadderContents(&ladder.Ladder{}, l)
	}
	if err != nil {
		return wrap(err, "add ladder")
	}
	return tx.index(foundLadder, string(l.ID), fold.Words(l.Settings.Name))
}

// SaveLadder writes the fresh events of a ladder and what follows from them. It fails
// with ErrConflict if the ladder has changed since before was read. The matches that the
// events name must exist.
func (tx *Tx) SaveLadder(before, after *ladder.Ladder) error {
	if len(after.Fresh()) == 0 {
		return nil
	}
	row, err := rowOfLadder(after)
	if err == nil {
		err = guarded(tx.db.Model(&ladderRow{}).Where("id = ? AND seq = ?", row.ID, before.Seq).Select("*").Omit("created_at").Updates(&row))
	}
	if err == nil {
		err = tx.saveLadderContents(before, after)
	}
	if err != nil {
		return wrap(err, "save ladder %s", after.ID)
	}
	if before.Settings.Name != after.Settings.Name {
		return tx.index(foundLadder, string(after.ID), fold.Words(after.Settings.Name))
	}
	return nil
}

func (tx *Tx) saveLadderContents(before, after *ladder.Ladder) error {
	rows := make([]ladderEventRow, 0, len(after.Fresh()))
	touched := map[ladder.ChallengeID]bool{}
	for _, e := range after.Fresh() {
		body, err := json.Marshal(e)
		if err != nil {
			return err
		}
		rows = append(rows, ladderEventRow{string(after.ID), e.Seq, ms(e.At), string(e.Kind), string(e.Player), int(e.Challenge), string(body)})
		touched[e.Challenge] = true
	}
	if err := tx.db.CreateInBatches(rows, 100).Error; err != nil {
		return err
	}
	for _, e := range after.Fresh() {
		if err := tx.queueLadder(after.ID, e); err != nil {
			return err
		}
	}
	if err := tx.saveRungs(before, after); err != nil {
		return err
	}
	var challenges []ladderChallengeRow
	for _, list := range [][]ladder.Challenge{after.Ended(), after.Challenges} {
		for _, c := range list {
			if !touched[c.Number] {
				continue
			}
			body, err := json.Marshal(c)
			if err != nil {
				return err
			}
			challenges = append(challenges, ladderChallengeRow{string(after.ID), int(c.Number), string(c.Challenger),
				string(c.Defender), string(c.Status), textOrNull(c.Match), string(body), c.Rated})
		}
	}
	if len(challenges) == 0 {
		return nil
	}
	return tx.db.Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(challenges, 100).Error
}

// saveRungs writes the places that have changed.
func (tx *Tx) saveRungs(before, after *ladder.Ladder) error {
	was := make(map[player.ID]int, len(before.Rungs))
	for i, r := range before.Rungs {
		was[r.Player] = i + 1
	}
	var rows []ladderRungRow
	for i, r := range after.Rungs {
		if was[r.Player] != i+1 {
			rows = append(rows, ladderRungRow{string(after.ID), string(r.Player), i + 1})
		}
		delete(was, r.Player)
	}
	for id := range was {
		if err := tx.db.Exec("DELETE FROM ladder_rungs WHERE ladder_id = ? AND player_id = ?", string(after.ID), string(id)).Error; err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return tx.db.Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(rows, 100).Error
}

// DueLadders are those where something is due to happen by itself: deadlines that passed by one
// moment, which is not now while they stay, and what is no deadline.
func (tx *Tx) DueLadders(passed, now time.Time, limit int) ([]ladder.ID, error) {
	return pluck[ladder.ID](tx.db.Model(&ladderRow{}).Where("due_at <= ? OR opens_at <= ?", ms(passed), ms(now)).
		Order("due_at, id").Limit(limit),
		"id", "due ladders")
}

// LadderVersions are the versions of those ladders that exist.
func (tx *Tx) LadderVersions(ids []ladder.ID) (map[ladder.ID]int64, error) {
	return byID(ids, func(some []string) *gorm.DB { return tx.db.Select("id", "seq").Where("id IN ?", some) },
		func(r ladderRow) (ladder.ID, int64) { return ladder.ID(r.ID), r.Seq }, "ladder versions")
}

// LadderChallengeOf is the challenge that a match decides, ErrNotFound for a match of no
// ladder.
func (tx *Tx) LadderChallengeOf(id match.ID) (LadderRef, error) {
	return findOne(tx.db.Where("match_id = ?", string(id)), func(r ladderChallengeRow) LadderRef {
		return LadderRef{ladder.ID(r.LadderID), ladder.ChallengeID(r.Number)}
	}, "challenge of match %s", id)
}

// LadderChallenge is a challenge, running or ended.
func (tx *Tx) LadderChallenge(ref LadderRef) (ladder.Challenge, error) {
	return parseOne(tx.db.Where("ladder_id = ? AND number = ?", string(ref.Ladder), int(ref.Number)), ladderChallengeRow.challenge,
		"challenge %s/%d", ref.Ladder, ref.Number)
}

// EndedLadderChallenges are the challenges of a ladder that ended last.
func (tx *Tx) EndedLadderChallenges(id ladder.ID, limit int) ([]ladder.Challenge, error) {
	return tx.endedChallenges(tx.db, id, limit)
}

func (tx *Tx) endedChallenges(db *gorm.DB, id ladder.ID, limit int) ([]ladder.Challenge, error) {
	return parseAll(db.Where("ladder_id = ? AND status = 'ended'", string(id)).Order("number DESC").Limit(limit),
		ladderChallengeRow.challenge, "ended ladder challenges")
}

// EndedChallengesOf are the challenges of one player on a ladder that ended last, the
// earliest of them first.
func (tx *Tx) EndedChallengesOf(id ladder.ID, of player.ID, limit int) ([]ladder.Challenge, error) {
	list, err := tx.endedChallenges(tx.db.Where("challenger_id = ? OR defender_id = ?", string(of), string(of)), id, limit)
	slices.Reverse(list)
	return list, err
}

// LadderDuty is a player's running challenge.
type LadderDuty struct {
	Ref       LadderRef
	Challenge ladder.Challenge
}

// LadderDuties are a player's running challenges on all ladders.
func (tx *Tx) LadderDuties(id player.ID, limit int) ([]LadderDuty, error) {
	return tx.ladderDuties(tx.db.Where("status <> 'ended' AND (challenger_id = ? OR defender_id = ?)", string(id), string(id)).Limit(limit))
}

func (r ladderChallengeRow) duty() (LadderDuty, error) {
	c, err := r.challenge()
	return LadderDuty{LadderRef{ladder.ID(r.LadderID), c.Number}, c}, err
}

func (tx *Tx) ladderDuties(db *gorm.DB) ([]LadderDuty, error) {
	return parseAll(db.Order("ladder_id, number"), ladderChallengeRow.duty, "ladder duties")
}

// Ladders is one page of a list, and the length of the whole list.
func (tx *Tx) Ladders(q LadderQuery) ([]LadderLine, int, error) {
	db := tx.db.Table("ladders AS l").Joins("LEFT JOIN ladder_rungs AS r ON r.ladder_id = l.id AND r.player_id = ?", string(q.For))
	if q.Club != "" {
		db = db.Where("l.club_id = ?", string(q.Club))
	}
	if q.Mine {
		db = db.Where("r.place IS NOT NULL")
	}
	if q.OfClubs {
		db = db.Where("l.club_id IN (SELECT club_id FROM club_members WHERE player_id = ?)", string(q.For))
	}
	if q.Search != "" {
		db = matching(db, foundLadder, "l.id", q.Search)
	}
	total, err := count(db, "count ladders")
	if err != nil {
		return nil, 0, err
	}
	var rows []struct {
		ID, Name             string
		ClubID               *string
		Players, Running     int
		CreatedAt, ChangedAt int64 `gorm:"autoCreateTime:false;autoUpdateTime:false"`
		Place                int
	}
	err = db.Select("l.id, l.club_id, l.name, l.players, l.running, l.created_at, l.changed_at, COALESCE(r.place, 0) AS place").
		Order("CASE WHEN r.place IS NULL THEN 1 ELSE 0 END, LOWER(l.name), l.id").Limit(q.Limit).Offset(q.Offset).Scan(&rows).Error
	if err != nil {
		return nil, 0, wrap(err, "ladders")
	}
	lines := make([]LadderLine, len(rows))
	for i, r := range rows {
		lines[i] = LadderLine{ID: ladder.ID(r.ID), Name: r.Name, Club: club.ID(textOf(r.ClubID)), Players: r.Players, Running: r.Running,
			CreatedAt: at(r.CreatedAt), ChangedAt: at(r.ChangedAt), Place: r.Place}
	}
	return lines, total, nil
}

// LadderLog is the whole log of a ladder.
func (tx *Tx) LadderLog(id ladder.ID) ([]ladder.Event, error) {
	return tx.ladderEvents("ladder_id = ?", "seq", -1, 0, string(id))
}

// LadderLogSince are the events of a ladder after one of them.
func (tx *Tx) LadderLogSince(id ladder.ID, seq int64) ([]ladder.Event, error) {
	return tx.ladderEvents("ladder_id = ? AND seq > ?", "seq", -1, 0, string(id), seq)
}

// LadderHistory is a part of a ladder's log, the newest events first, limited to a player
// or a challenge where one is given.
func (tx *Tx) LadderHistory(id ladder.ID, of player.ID, n ladder.ChallengeID, limit, offset int) ([]ladder.Event, error) {
	where, args := "ladder_id = ?", []any{string(id)}
	if of != "" {
		where, args = where+" AND player_id = ?", append(args, string(of))
	}
	if n != 0 {
		where, args = where+" AND challenge = ?", append(args, int(n))
	}
	return tx.ladderEvents(where, "seq DESC", limit, offset, args...)
}

func (r ladderEventRow) event() (e ladder.Event, err error) {
	err = json.Unmarshal([]byte(r.Body), &e)
	e.Seq, e.At, e.Kind = r.Seq, at(r.At), ladder.Kind(r.Kind)
	return e, err
}

func (tx *Tx) ladderEvents(where, order string, limit, offset int, args ...any) ([]ladder.Event, error) {
	return parseAll(tx.db.Where(where, args...).Order(order).Limit(limit).Offset(offset), ladderEventRow.event, "ladder log")
}
