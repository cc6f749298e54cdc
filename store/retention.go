package store

import (
	"slices"
	"strings"
	"time"
)

// day is the unit of the terms.
const day = 24 * time.Hour

// Term is how long something about players' fair play is kept, and the statements that
// delete it. Every ? in them is the moment that lies Keep in the past.
type Term struct {
	Name   string // of the text review.term.NAME
	Keep   time.Duration
	Delete []string
}

// notInReview is the SQL condition that keeps what pages reported in a finished match
// while a review of one of its players runs, and as long again after its end.
const notInReview = ` AND NOT EXISTS (SELECT 1 FROM matches q JOIN reviews r ON r.place = q.place
	WHERE q.id = x.match_id AND r.player_id = x.player_id AND (r.closed_at = 0 OR r.closed_at >= ?))`

// Terms is everything that is deleted by itself, and when.
var Terms = []Term{
	{"telemetry", 30 * day, []string{
		`DELETE FROM telemetry AS x WHERE EXISTS (
			SELECT 1 FROM matches m WHERE m.id = x.match_id AND m.status = ` + matchOver + ` AND m.last_at < ?)` + notInReview,
	}},
	{"devices", 90 * day, []string{"DELETE FROM match_devices WHERE at < ?", "DELETE FROM tournament_venues WHERE at < ?"}},
	{"check-in", 180 * day, []string{
		"DELETE FROM check_ins WHERE at < ?",
		"DELETE FROM check_in_codes WHERE issued_at < ?",
		// What a match achieved stays in its signed statement.
		`DELETE FROM match_facts WHERE at < ? AND kind IN ('checked-in', 'checked-by-code', 'mid-check-asked', 'mid-check-passed',
			'mid-check-missed')
			AND EXISTS (SELECT 1 FROM match_policies p WHERE p.match_id = match_facts.match_id AND p.statement <> '')`,
	}},
	{"watches", 180 * day, []string{`DELETE FROM watches WHERE EXISTS (
		SELECT 1 FROM matches m WHERE m.id = watches.match_id AND m.status = ` + matchOver + ` AND m.last_at < ?)`}},
	{"signals", 365 * day, []string{
		"DELETE FROM signals AS x WHERE at < ?" + notInReview,
		"DELETE FROM analysis_refusals WHERE at < ?",
	}},
	{"reports", 365 * day, []string{"DELETE FROM play_reports AS x WHERE at < ?" + notInReview}},
	{"choices", 365 * day, []string{
		`DELETE FROM match_choices AS x WHERE EXISTS (
			SELECT 1 FROM matches m WHERE m.id = x.match_id AND m.status = ` + matchOver + ` AND m.last_at < ?)` + notInReview,
		`DELETE FROM dossiers AS x WHERE at < ? AND NOT EXISTS (
			SELECT 1 FROM reviews r WHERE r.place = x.place AND r.player_id = x.player_id AND (r.closed_at = 0 OR r.closed_at >= ?))`,
	}},
	{"looks", 365 * day, []string{"DELETE FROM dossier_views WHERE at < ?"}},
	{"review-cleared", 90 * day, []string{"DELETE FROM reviews WHERE status = 'closed' AND NOT upheld AND closed_at < ?"}},
	{"review-upheld", 3 * 365 * day, []string{"DELETE FROM reviews WHERE status = 'closed' AND upheld AND closed_at < ?"}},
	{"attestations", 365 * day, []string{
		"DELETE FROM attestations WHERE expires < ?",
		// A person's mark goes with the last attestation about them.
		`DELETE FROM person_marks WHERE at < ? AND NOT EXISTS (
			SELECT 1 FROM attestations a WHERE a.player_id = person_marks.player_id AND a.kind = 'identity')`,
	}},
}

// Forget deletes what is past a term.
func (tx *Tx) Forget(t Term, now time.Time) error {
	before := ms(now.Add(-t.Keep))
	for _, statement := range t.Delete {
		args := slices.Repeat([]any{before}, strings.Count(statement, "?"))
		if err := tx.db.Exec(statement, args...).Error; err != nil {
			return wrap(err, "forget %s", t.Name)
		}
	}
	return nil
}
