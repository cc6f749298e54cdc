package store

import (
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// DryRunState is the state of a dry run.
type DryRunState uint8

const (
	DryRunning DryRunState = iota + 1
	DryDone
	DryCancelled
	DryFailed
)

// DryRun is a simulation of a tournament before it starts: the plan, the progress and the
// samples. Plan and Samples are JSON.
type DryRun struct {
	ID          string
	Tournament  tournament.ID
	By          player.ID
	Seed        int64
	Total, Done int
	First       int // the ranks to tell apart
	Plan        string
	Samples     string
	State       DryRunState
	CreatedAt   time.Time
	EndedAt     time.Time
}

type dryRunRow struct {
	ID           string `gorm:"primaryKey"`
	TournamentID string
	ByPlayer     string
	Seed         int64
	Total        int
	Done         int
	First        int
	Plan         string
	Samples      string
	State        uint8
	LeasedUntil  int64
	CreatedAt    int64 `gorm:"autoCreateTime:false"`
	EndedAt      int64
}

func (dryRunRow) TableName() string { return "dry_runs" }

func (r dryRunRow) run() DryRun {
	return DryRun{
		ID: r.ID, Tournament: tournament.ID(r.TournamentID), By: player.ID(r.ByPlayer), Seed: r.Seed, Total: r.Total, Done: r.Done,
		First: r.First, Plan: r.Plan, Samples: r.Samples, State: DryRunState(r.State), CreatedAt: at(r.CreatedAt), EndedAt: at(r.EndedAt),
	}
}

// keptDryRuns is how many dry runs are kept per tournament.
const keptDryRuns = 5

// AddDryRun starts a dry run. It cancels one of the tournament that is under way and
// deletes the oldest beyond keptDryRuns.
func (tx *Tx) AddDryRun(r DryRun) error {
	row := dryRunRow{
		ID: r.ID, TournamentID: string(r.Tournament), ByPlayer: string(r.By), Seed: r.Seed, Total: r.Total, First: r.First,
		Plan: r.Plan, State: uint8(DryRunning), CreatedAt: ms(r.CreatedAt),
	}
	var old []string
	err := tx.db.Model(&dryRunRow{}).Where("tournament_id = ? AND state = ?", row.TournamentID, uint8(DryRunning)).
		Updates(map[string]any{"state": uint8(DryCancelled), "ended_at": row.CreatedAt}).Error
	if err == nil {
		err = tx.db.Create(&row).Error
	}
	if err == nil {
		err = tx.db.Model(&dryRunRow{}).Where("tournament_id = ?", row.TournamentID).Order("created_at DESC, id").
			Offset(keptDryRuns).Limit(100).Pluck("id", &old).Error
	}
	if err == nil && len(old) > 0 {
		err = tx.db.Where("id IN ?", old).Delete(&dryRunRow{}).Error
	}
	return wrap(err, "add dry run")
}

// LastDryRun is a tournament's newest dry run, ErrNotFound without one.
func (tx *Tx) LastDryRun(id tournament.ID) (DryRun, error) {
	return findOne(tx.db.Where("tournament_id = ?", string(id)).Order("created_at DESC, id"), dryRunRow.run, "dry run of %s", id)
}

// DueDryRun is a dry run with a piece to do that no node has leased, ErrNotFound without one.
func (tx *Tx) DueDryRun(now time.Time) (DryRun, error) {
	return findOne(tx.db.Where("state = ? AND leased_until <= ?", uint8(DryRunning), ms(now)).Order("created_at, id"),
		dryRunRow.run, "due dry run")
}

// LeaseDryRun takes the next piece of a dry run until a moment, ErrConflict if another
// node has it or has done it.
func (tx *Tx) LeaseDryRun(r DryRun, now, until time.Time) error {
	err := guarded(tx.db.Model(&dryRunRow{}).
		Where("id = ? AND done = ? AND state = ? AND leased_until <= ?", r.ID, r.Done, uint8(DryRunning), ms(now)).
		Update("leased_until", ms(until)))
	return wrap(err, "lease dry run %s", r.ID)
}

// SaveDryRun stores the result of a piece and returns the lease, ErrConflict if the run
// was cancelled or another node came first.
func (tx *Tx) SaveDryRun(before, after DryRun) error {
	err := guarded(tx.db.Model(&dryRunRow{}).Where("id = ? AND done = ? AND state = ?", before.ID, before.Done, uint8(DryRunning)).
		Updates(map[string]any{
			"done": after.Done, "samples": after.Samples, "state": uint8(after.State), "ended_at": ms(after.EndedAt), "leased_until": 0,
		}))
	return wrap(err, "save dry run %s", before.ID)
}

// CancelDryRun cancels the dry run that is under way, ErrConflict without one.
func (tx *Tx) CancelDryRun(id tournament.ID, now time.Time) error {
	err := guarded(tx.db.Model(&dryRunRow{}).Where("tournament_id = ? AND state = ?", string(id), uint8(DryRunning)).
		Updates(map[string]any{"state": uint8(DryCancelled), "ended_at": ms(now)}))
	return wrap(err, "cancel dry run of %s", id)
}
