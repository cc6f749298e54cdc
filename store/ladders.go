package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fold"
	"chpok.org/chpok/player"
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
	Place     int // of LadderQuery.For; 0: not on it
}

// LadderQuery selects ladders for a list: those of For first, then by name.
type LadderQuery struct {
	Club          club.ID   // empty: all
	For           player.ID // whose place is told
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
		ID: string(l.ID), OrganizerID: string(l.Organizer), Name: l.Settings.Name, State: string(state),
		Players: len(l.Rungs), Running: len(l.Challenges), CreatedAt: ms(l.CreatedAt), Seq: l.Seq,
	}
	if l.Settings.Club != "" {
		of := string(l.Settings.Club)
		row.ClubID = &of
	}
	if at, due := l.Due(); due {
		row.DueAt = msOrNull(at)
	}
	if fresh := l.Fresh(); len(fresh) > 0 {
		row.ChangedAt = ms(fresh[len(fresh)-1].At)
	}
	return row, nil
}

// Ladder is one ladder as it stands.
func (tx *Tx) Ladder(id ladder.ID) (*ladder.Ladder, error) {
	var row ladderRow
	if err := tx.db.Where("id = ?", string(id)).Take(&row).Error; err != nil {
		return nil, fmt.Errorf("store: ladder %s: %w", id, err)
	}
	var l ladder.Ladder
	if err := json.Unmarshal([]byte(row.State), &l); err != nil {
		return nil, fmt.Errorf("store: ladder %s: %w", id, err)
	}
	return &l, nil
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
		return fmt.Errorf("store: add ladder: %w", err)
	}
	return tx.index(foundLadder, string(l.ID), fold.Words(l.Settings.Name))
}

// SaveLadder writes the fresh events of a ladder and what follows from them.
// ErrConflict: the ladder has changed since before was read. The matches that the
// events name must be there.
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
		return fmt.Errorf("store: save ladder %s: %w", after.ID, err)
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
			row := ladderChallengeRow{string(after.ID), int(c.Number), string(c.Challenger),
				string(c.Defender), string(c.Status), nil, string(body), c.Rated}
			if c.Match != "" {
				id := string(c.Match)
				row.MatchID = &id
			}
			challenges = append(challenges, row)
		}
	}
	if len(challenges) == 0 {
		return nil
	}
	return tx.db.Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(challenges, 100).Error
}

// saveRungs writes the places that differ.
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

// DueLadders are those in which something happens by itself by now, the longest
// overdue first.
func (tx *Tx) DueLadders(now time.Time, limit int) ([]ladder.ID, error) {
	var ids []ladder.ID
	if err := tx.db.Model(&ladderRow{}).Where("due_at <= ?", ms(now)).Order("due_at, id").Limit(limit).Pluck("id", &ids).Error; err != nil {
		return nil, fmt.Errorf("store: due ladders: %w", err)
	}
	return ids, nil
}

// LadderVersions is where ladders stand, for those that exist.
func (tx *Tx) LadderVersions(ids []ladder.ID) (map[ladder.ID]int64, error) {
	found := make(map[ladder.ID]int64, len(ids))
	for len(ids) > 0 {
		n := min(len(ids), 500)
		var rows []ladderRow
		if err := tx.db.Select("id", "seq").Where("id IN ?", texts(ids[:n])).Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("store: ladder versions: %w", err)
		}
		for _, r := range rows {
			found[ladder.ID(r.ID)] = r.Seq
		}
		ids = ids[n:]
	}
	return found, nil
}

// LadderChallengeOf is the challenge that a match decides, ErrNotFound for a
// match of no ladder.
func (tx *Tx) LadderChallengeOf(id match.ID) (LadderRef, error) {
	var row ladderChallengeRow
	if err := tx.db.Where("match_id = ?", string(id)).Take(&row).Error; err != nil {
		return LadderRef{}, fmt.Errorf("store: challenge of match %s: %w", id, err)
	}
	return LadderRef{ladder.ID(row.LadderID), ladder.ChallengeID(row.Number)}, nil
}

// LadderChallenge is a challenge, running or ended.
func (tx *Tx) LadderChallenge(ref LadderRef) (ladder.Challenge, error) {
	var row ladderChallengeRow
	err := tx.db.Where("ladder_id = ? AND number = ?", string(ref.Ladder), int(ref.Number)).Take(&row).Error
	var c ladder.Challenge
	if err == nil {
		c, err = row.challenge()
	}
	if err != nil {
		return c, fmt.Errorf("store: challenge %s/%d: %w", ref.Ladder, ref.Number, err)
	}
	return c, nil
}

// EndedLadderChallenges are the latest ended ones of a ladder.
func (tx *Tx) EndedLadderChallenges(id ladder.ID, limit int) ([]ladder.Challenge, error) {
	return tx.endedChallenges(tx.db, id, limit)
}

func (tx *Tx) endedChallenges(db *gorm.DB, id ladder.ID, limit int) ([]ladder.Challenge, error) {
	var rows []ladderChallengeRow
	if err := db.Where("ladder_id = ? AND status = 'ended'", string(id)).Order("number DESC").Limit(limit).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: ended ladder challenges: %w", err)
	}
	out := make([]ladder.Challenge, len(rows))
	for i, r := range rows {
		c, err := r.challenge()
		if err != nil {
			return nil, fmt.Errorf("store: challenge %s/%d: %w", r.LadderID, r.Number, err)
		}
		out[i] = c
	}
	return out, nil
}

// EndedChallengesOf are the latest ended ones of one player on a ladder, the first
// of them first.
func (tx *Tx) EndedChallengesOf(id ladder.ID, of player.ID, limit int) ([]ladder.Challenge, error) {
	list, err := tx.endedChallenges(tx.db.Where("challenger_id = ? OR defender_id = ?", string(of), string(of)), id, limit)
	slices.Reverse(list)
	return list, err
}

// LadderDuty is a running challenge of somebody's.
type LadderDuty struct {
	Ref       LadderRef
	Challenge ladder.Challenge
}

// LadderDuties are a player's running challenges on all ladders.
func (tx *Tx) LadderDuties(id player.ID, limit int) ([]LadderDuty, error) {
	return tx.ladderDuties(tx.db.Where("status <> 'ended' AND (challenger_id = ? OR defender_id = ?)", string(id), string(id)).Limit(limit))
}

func (tx *Tx) ladderDuties(db *gorm.DB) ([]LadderDuty, error) {
	var rows []ladderChallengeRow
	if err := db.Order("ladder_id, number").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: ladder duties: %w", err)
	}
	out := make([]LadderDuty, len(rows))
	for i, r := range rows {
		c, err := r.challenge()
		if err != nil {
			return nil, fmt.Errorf("store: challenge %s/%d: %w", r.LadderID, r.Number, err)
		}
		out[i] = LadderDuty{LadderRef{ladder.ID(r.LadderID), c.Number}, c}
	}
	return out, nil
}

// Ladders is one page of a list and the length of the whole list.
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
	var total int64
	if err := db.Count(&total).Error; err != nil {
		return nil, 0, fmt.Errorf("store: count ladders: %w", err)
	}
	var rows []struct {
		ID, Name             string
		ClubID               *string
		Players, Running     int
		CreatedAt, ChangedAt int64 `gorm:"autoCreateTime:false;autoUpdateTime:false"`
		Place                *int
	}
	err := db.Select("l.id, l.club_id, l.name, l.players, l.running, l.created_at, l.changed_at, r.place").
		Order("CASE WHEN r.place IS NULL THEN 1 ELSE 0 END, LOWER(l.name), l.id").Limit(q.Limit).Offset(q.Offset).Scan(&rows).Error
	if err != nil {
		return nil, 0, fmt.Errorf("store: ladders: %w", err)
	}
	lines := make([]LadderLine, len(rows))
	for i, r := range rows {
		lines[i] = LadderLine{ID: ladder.ID(r.ID), Name: r.Name, Players: r.Players, Running: r.Running,
			CreatedAt: at(r.CreatedAt), ChangedAt: at(r.ChangedAt)}
		if r.ClubID != nil {
			lines[i].Club = club.ID(*r.ClubID)
		}
		if r.Place != nil {
			lines[i].Place = *r.Place
		}
	}
	return lines, int(total), nil
}

// LadderLog is a ladder's log from the beginning.
func (tx *Tx) LadderLog(id ladder.ID) ([]ladder.Event, error) {
	return tx.ladderEvents("ladder_id = ?", "seq", -1, 0, string(id))
}

// LadderHistory is a part of a ladder's log, the newest events first: of one
// player or challenge, where they are named.
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

func (tx *Tx) ladderEvents(where, order string, limit, offset int, args ...any) ([]ladder.Event, error) {
	var rows []ladderEventRow
	if err := tx.db.Where(where, args...).Order(order).Limit(limit).Offset(offset).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: ladder log: %w", err)
	}
	out := make([]ladder.Event, len(rows))
	for i, r := range rows {
		if err := json.Unmarshal([]byte(r.Body), &out[i]); err != nil {
			return nil, fmt.Errorf("store: ladder log %s/%d: %w", r.LadderID, r.Seq, err)
		}
		out[i].Seq, out[i].At, out[i].Kind = r.Seq, at(r.At), ladder.Kind(r.Kind)
	}
	return out, nil
}
