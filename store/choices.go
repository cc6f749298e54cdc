package store

import (
	"encoding/json"
	"errors"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/screening"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
)

// ChoiceState is where the choices of a player in a match stand.
type ChoiceState uint8

const (
	ChoicesUnderWay ChoiceState = iota + 1
	ChoicesDone
	ChoicesFailed
	ChoicesJudged // done, and in a dossier
)

// Choices are what this program's version of the engine says of a player's moves in a rated match, as far as it has come.
type Choices struct {
	Match  match.ID
	Seat   match.Seat
	Player player.ID
	Seq    int64 // of the end they are about
	Rating int   // of the player at that end
	State  ChoiceState
	Done   int
	Body   string    // review.Looked, as JSON
	Due    time.Time // when a node may do the next piece
	Ended  time.Time // the match; zero in DueChoices
}

type choicesRow struct {
	MatchID  string `gorm:"primaryKey"`
	Seat     uint8  `gorm:"primaryKey;autoIncrement:false"`
	PlayerID string
	Engine   int
	Seq      int64
	Rating   int
	State    uint8
	Done     int
	Body     string
	DueAt    int64
}

func (choicesRow) TableName() string { return "match_choices" }

func (r choicesRow) choices() Choices {
	return Choices{Match: match.ID(r.MatchID), Seat: match.Seat(r.Seat), Player: player.ID(r.PlayerID), Seq: r.Seq, Rating: r.Rating,
		State: ChoiceState(r.State), Done: r.Done, Body: r.Body, Due: at(r.DueAt)}
}

// endedChoices are choices with the end of their match.
type endedChoices struct {
	Row    choicesRow `gorm:"embedded"`
	LastAt int64
}

func (r endedChoices) choices() Choices {
	c := r.Row.choices()
	c.Ended = at(r.LastAt)
	return c
}

// AskChoices queues the moves of the people in a match that has ended, if it was rated and above Open, and drops what was
// found of an earlier end.
func (tx *Tx) AskChoices(h Head) error {
	if h.Level <= fairplay.Open {
		return nil
	}
	rated, err := exists(tx.db.Table("matches AS m").Where("m.id = ? AND "+ratedMatch, string(h.ID)), "is %s rated", h.ID)
	if err != nil || !rated {
		return err
	}
	ratings, err := tx.Ratings(h.Players[:]...)
	if err != nil {
		return err
	}
	pool, err := tx.RatingPool(rating.Main)
	if err != nil {
		return err
	}
	for _, seat := range match.Seats {
		of := h.Players[seat.Index()]
		if h.Bots[seat.Index()] {
			continue
		}
		points := pool.Rules.Start
		if r, has := ratings[of]; has {
			points = r.Rating.Whole()
		}
		err := tx.db.Exec(`INSERT INTO match_choices (match_id, seat, player_id, engine, seq, rating, state, done, body, due_at)
			VALUES (?, ?, ?, ?, ?, ?, `+choicesUnderWay+`, 0, '', ?)
			ON CONFLICT (match_id, seat) DO UPDATE SET engine = excluded.engine, seq = excluded.seq, state = excluded.state, done = 0, body = '',
				due_at = excluded.due_at WHERE match_choices.seq <> excluded.seq`,
			string(h.ID), uint8(seat), string(of), search.Version, h.Seq, points, ms(h.LastAt)).Error
		if err != nil {
			return wrap(err, "ask for the choices in %s", h.ID)
		}
	}
	return nil
}

// ReaskChoices queues again what an earlier version of the engine has said.
func (tx *Tx) ReaskChoices() error {
	return wrap(tx.db.Exec("UPDATE match_choices SET engine = ?, state = "+choicesUnderWay+", done = 0, body = '' WHERE engine < ?",
		search.Version, search.Version).Error, "ask for choices again")
}

// DueChoices are choices with a piece to do that no node has leased, ErrNotFound without any.
func (tx *Tx) DueChoices(now time.Time) (Choices, error) {
	return findOne(tx.db.Where("state = "+choicesUnderWay+" AND engine = ? AND due_at <= ?", search.Version, ms(now)).
		Order("due_at, match_id, seat"), choicesRow.choices, "due choices")
}

// LeaseChoices takes the next piece until a moment, ErrConflict if another node has it or has done it.
func (tx *Tx) LeaseChoices(c Choices, until time.Time) error {
	return guarded(tx.db.Exec(`UPDATE match_choices SET due_at = ?
		WHERE match_id = ? AND seat = ? AND engine = ? AND seq = ? AND done = ? AND due_at = ?`,
		ms(until), string(c.Match), uint8(c.Seat), search.Version, c.Seq, c.Done, ms(c.Due)))
}

// SaveChoices stores the result of a piece; the next one is due at c.Due. It fails with ErrConflict if another node came
// first or the match has ended again.
func (tx *Tx) SaveChoices(done int, c Choices) error {
	return guarded(tx.db.Model(&choicesRow{}).
		Where("match_id = ? AND seat = ? AND engine = ? AND seq = ? AND done = ? AND state = "+choicesUnderWay,
			string(c.Match), uint8(c.Seat), search.Version, c.Seq, done).
		Updates(map[string]any{"state": uint8(c.State), "done": c.Done, "body": c.Body, "due_at": ms(c.Due)}))
}

// ChoicesIn are the choices in a place, by the end of their matches.
func (tx *Tx) ChoicesIn(p fairplay.Place) ([]Choices, error) {
	return findAll(tx.db.Raw("SELECT "+choiceColumns+` FROM match_choices c JOIN matches m ON m.id = c.match_id
		WHERE m.place <> '' AND m.place = ? AND c.engine = ? ORDER BY m.last_at, m.id, c.seat`, string(p), search.Version),
		endedChoices.choices, "choices in %s", p)
}

// PastChoices are the choices of a player in matches that ended before a moment, in places where there was no review of them, the
// latest first.
func (tx *Tx) PastChoices(of player.ID, before time.Time, most int) ([]Choices, error) {
	return findAll(tx.db.Raw("SELECT "+choiceColumns+` FROM match_choices c JOIN matches m ON m.id = c.match_id
		WHERE c.player_id = ? AND c.engine = ? AND c.state IN (`+choicesDone+`, `+choicesJudged+`) AND m.last_at < ?
			AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.player_id = c.player_id AND r.place = m.place)
		ORDER BY m.last_at DESC, m.id, c.seat LIMIT ?`, string(of), search.Version, ms(before), most),
		endedChoices.choices, "past choices of %s", of)
}

const choiceColumns = "c.match_id, c.seat, c.player_id, c.engine, c.seq, c.rating, c.state, c.done, c.body, c.due_at, m.last_at"

// referenceSides is by how many sides of matches people beyond doubt are known at most: the latest.
const referenceSides = 2000

// Reference are the choices of people beyond doubt, the latest first: in matches that achieved Supervised, or Verified,
// by people about whom there is no review.
func (tx *Tx) Reference() ([]Choices, error) {
	return findAll(tx.db.Raw("SELECT "+choiceColumns+` FROM match_choices c JOIN matches m ON m.id = c.match_id
		WHERE c.engine = ? AND c.state IN (`+choicesDone+`, `+choicesJudged+`) AND m.achieved >= `+levelVerified+`
			AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.player_id = c.player_id)
		ORDER BY m.last_at DESC, m.id, c.seat LIMIT ?`, search.Version, referenceSides), endedChoices.choices, "reference")
}

// ChoicesLeft is how many sides of matches have been looked at, and how many are still to be.
func (tx *Tx) ChoicesLeft() (looked, left int, err error) {
	by, err := tx.counts("choices left", `SELECT CASE WHEN state = `+choicesUnderWay+` THEN 'left' ELSE 'looked' END AS id, COUNT(*) AS n
		FROM match_choices GROUP BY 1`)
	return by["looked"], by["left"], err
}

// Calibration is how people beyond doubt choose.
type Calibration struct {
	ID     string // hash of what it is based on
	Engine int
	Bots   string // hash of the house's
	People int
	Sides  int       // of matches
	At     time.Time // zero: a node works on it
	Power  []screening.Power
	Body   string // screening.Calibration, as JSON; empty: there are too few people
}

type calibrationRow struct {
	ID            string `gorm:"primaryKey"`
	Engine        int
	Bots          string
	People, Sides int
	At, DueAt     int64
	Power, Body   string
}

func (calibrationRow) TableName() string { return "calibrations" }

func (r calibrationRow) calibration() (Calibration, error) {
	c := Calibration{ID: r.ID, Engine: r.Engine, Bots: r.Bots, People: r.People, Sides: r.Sides, At: at(r.At), Body: r.Body}
	var err error
	if r.Power != "" {
		err = json.Unmarshal([]byte(r.Power), &c.Power)
	}
	return c, err
}

// LastCalibration is the latest by this program's version of the engine, ErrNotFound without one.
func (tx *Tx) LastCalibration() (Calibration, error) {
	return parseOne(tx.db.Where("engine = ? AND at > 0", search.Version).Order("at DESC, id"), calibrationRow.calibration, "calibration")
}

// Calibration is one of them, ErrNotFound without it.
func (tx *Tx) Calibration(id string) (Calibration, error) {
	return parseOne(tx.db.Where("id = ? AND at > 0", id), calibrationRow.calibration, "calibration %s", id)
}

// LeaseCalibration takes the work on a calibration until a moment, ErrConflict if another node has it or it is known.
func (tx *Tx) LeaseCalibration(c Calibration, now, until time.Time) error {
	return guarded(tx.db.Exec(`INSERT INTO calibrations (id, engine, bots, people, sides, at, due_at, power, body)
		VALUES (?, ?, ?, ?, ?, 0, ?, '', '')
		ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at WHERE calibrations.at = 0 AND calibrations.due_at <= ?`,
		c.ID, c.Engine, c.Bots, c.People, c.Sides, ms(until), ms(now)))
}

// SaveCalibration stores a calibration that was leased, and drops those on which nothing rests.
func (tx *Tx) SaveCalibration(c Calibration) error {
	power, err := json.Marshal(c.Power)
	if err == nil {
		err = tx.db.Model(&calibrationRow{}).Where("id = ?", c.ID).
			Updates(map[string]any{"people": c.People, "at": ms(c.At), "power": string(power), "body": c.Body}).Error
	}
	if err == nil {
		err = tx.db.Exec("DELETE FROM calibrations WHERE at > 0 AND at < ? AND NOT EXISTS (SELECT 1 FROM dossiers d WHERE d.calibration = calibrations.id)",
			ms(c.At)).Error
	}
	return wrap(err, "save calibration %s", c.ID)
}

// Dossier is what the moves of a player in one place come to.
type Dossier struct {
	Player      player.ID
	Place       fairplay.Place
	Calibration string
	At          time.Time
	P, Adjusted float64 // with IsTold: p, and p among all who were looked at in that place
	IsTold      bool
	IsConcern   bool
	Earlier     []float64  // the p of earlier dossiers of the player in the place
	Since       time.Time  // after which the matches ended; zero: all of the place
	Past        []match.ID // before, by which they are judged, in order
	Matches     []match.ID // in order
	Body        string     // review.Dossier, as JSON
}

type dossierRow struct {
	PlayerID    string `gorm:"primaryKey"`
	Place       string `gorm:"primaryKey"`
	Calibration string
	At          int64
	P, Adjusted *float64
	Concern     bool
	Earlier     string
	Since       int64
	Past        string
	Matches     string
	Body        string
}

func (dossierRow) TableName() string { return "dossiers" }

func (r dossierRow) dossier() (Dossier, error) {
	d := Dossier{Player: player.ID(r.PlayerID), Place: fairplay.Place(r.Place), Calibration: r.Calibration, At: at(r.At), IsConcern: r.Concern,
		Since: at(r.Since), Body: r.Body}
	if d.IsTold = r.P != nil && r.Adjusted != nil; d.IsTold {
		d.P, d.Adjusted = *r.P, *r.Adjusted
	}
	return d, errors.Join(json.Unmarshal([]byte(r.Earlier), &d.Earlier), json.Unmarshal([]byte(r.Past), &d.Past),
		json.Unmarshal([]byte(r.Matches), &d.Matches))
}

// Dossier is that of a player in a place, ErrNotFound without one.
func (tx *Tx) Dossier(of player.ID, place fairplay.Place) (Dossier, error) {
	return parseOne(tx.db.Where("player_id = ? AND place = ?", string(of), string(place)), dossierRow.dossier, "dossier of %s in %s", of, place)
}

// DossiersIn are the dossiers of a place.
func (tx *Tx) DossiersIn(place fairplay.Place) ([]Dossier, error) {
	return parseAll(tx.db.Where("place = ?", string(place)).Order("player_id"), dossierRow.dossier, "dossiers of %s", place)
}

// SaveDossier stores a dossier, in place of that of a moment before; zero: there is none. ErrTaken or ErrConflict if another node
// was first.
func (tx *Tx) SaveDossier(d Dossier, before time.Time) error {
	list := func(v any) string {
		raw, _ := json.Marshal(v) // numbers and texts always encode
		return string(raw)
	}
	row := dossierRow{PlayerID: string(d.Player), Place: string(d.Place), Calibration: d.Calibration, At: ms(d.At), Concern: d.IsConcern,
		Earlier: list(append([]float64{}, d.Earlier...)), Since: ms(d.Since), Past: list(append([]match.ID{}, d.Past...)),
		Matches: list(append([]match.ID{}, d.Matches...)), Body: d.Body}
	if d.IsTold {
		row.P, row.Adjusted = &d.P, &d.Adjusted
	}
	if before.IsZero() {
		return wrap(tx.db.Create(&row).Error, "save dossier of %s in %s", d.Player, d.Place)
	}
	return guarded(tx.db.Model(&dossierRow{}).Where("player_id = ? AND place = ? AND at = ?", row.PlayerID, row.Place, ms(before)).
		Select("*").Updates(&row))
}

// ToldIn is of how many people in a place something is said.
func (tx *Tx) ToldIn(place fairplay.Place) (int, error) {
	return count(tx.db.Model(&dossierRow{}).Where("place = ? AND p IS NOT NULL", string(place)), "dossiers of %s", place)
}

// RaritiesSince are the p of all dossiers made since a moment, and of those that they replaced.
func (tx *Tx) RaritiesSince(since time.Time) (list []float64, err error) {
	made, err := parseAll(tx.db.Where("at >= ? AND (p IS NOT NULL OR earlier <> '[]')", ms(since)).Order("at, player_id, place"),
		dossierRow.dossier, "rarities")
	for _, d := range made {
		if list = append(list, d.Earlier...); d.IsTold {
			list = append(list, d.P)
		}
	}
	return list, err
}

// ToJudge are the places in which moves have been looked at of which nothing has been said: tournaments that are over, once all
// moves in them have been; ladders and challenges if nothing was said of anybody there since a moment.
func (tx *Tx) ToJudge(since time.Time) ([]fairplay.Place, error) {
	return scan[[]fairplay.Place](tx.db.Raw(`SELECT DISTINCT m.place FROM match_choices c JOIN matches m ON m.id = c.match_id
		WHERE c.state = `+choicesDone+` AND c.engine = ? AND m.place <> '' AND (m.place NOT LIKE 'tournaments/%'
				AND NOT EXISTS (SELECT 1 FROM dossiers d WHERE d.place = m.place AND d.at > ?)
			OR EXISTS (SELECT 1 FROM tournaments t WHERE t.id = SUBSTR(m.place, 13) AND t.status >= `+eventFinished+` AND t.rehearsal = '')
				AND NOT EXISTS (SELECT 1 FROM dossiers d WHERE d.place = m.place)
				AND NOT EXISTS (SELECT 1 FROM matches q LEFT JOIN match_choices o ON o.match_id = q.id
					WHERE q.place <> '' AND q.place = m.place AND q.level > `+levelOpen+` AND (q.achieved = 0 OR o.state = `+choicesUnderWay+`)))
		ORDER BY m.place`, search.Version, ms(since)), "places to judge")
}

// Judged marks choices of which it has been said what they come to.
func (tx *Tx) Judged(list []Choices) error {
	for _, c := range list {
		err := tx.db.Exec("UPDATE match_choices SET state = "+choicesJudged+" WHERE match_id = ? AND seat = ? AND seq = ? AND state = "+choicesDone,
			string(c.Match), uint8(c.Seat), c.Seq).Error
		if err != nil {
			return wrap(err, "judged %s", c.Match)
		}
	}
	return nil
}
