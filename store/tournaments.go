package store

import (
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"gorm.io/gorm"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// TournamentLine is one tournament in a list.
type TournamentLine struct {
	ID        tournament.ID
	Name      string
	Club      string
	Format    tournament.Format
	Double    bool
	Status    tournament.Status
	Organizer player.ID
	Entries   int // active
	Rounds    int // planned; 0: unknown
	Opened    int // rounds opened
	NextAt    time.Time
	StartsAt  time.Time // or began; zero: when its staff start it
	CreatedAt time.Time
	StartedAt time.Time
	EndedAt   time.Time
	Event     *tournament.Tournament // without entries, rounds and staff
}

// TournamentQuery selects tournaments for a list: running ones first, then those open to
// enter, then finished ones; the newest first in each.
type TournamentQuery struct {
	Statuses   []tournament.Status // empty: all
	Drafts     player.ID           // the player whose drafts are included; empty: none
	AllDrafts  bool
	Player     player.ID         // only those this player has entered, or a team that they are a captain of; empty: all
	Club       club.ID           // only those of this club, and its matches with others; empty: all
	Search     string            // words of the name or of the club
	FollowedBy player.ID         // only those of clubs and players this player follows; empty: all
	Format     tournament.Format // zero: any
	Near       int               // only those with entries rated about like this; 0: any
	From, To   time.Time         // only those that begin in between, in order of start; zero: any
	// Whole leaves out groups and play-offs, which stand on the page of their event. One that groups decide is
	// running while they are: nobody enters it.
	Whole         bool
	Limit, Offset int
}

// nearRating is how far the mean rating of the entries may be from Near.
const nearRating = 200

type tournamentRow struct {
	ID          string `gorm:"primaryKey"`
	OrganizerID string
	Name        string
	Format      uint8
	ClubID      *string
	Status      uint8
	Rated       bool
	Settings    string
	Opening     uint8
	Seed        string
	Promise     string
	Forbidden   string
	Chat        bool
	Rounds      int
	NextAt      *int64
	StartsAt    int64
	Stuck       string
	Draft       string
	Signed      string
	Origin      string
	PartOf      string
	Interests   string
	GateClosed  bool
	GateAt      int64
	GateDue     *int64
	CreatedAt   int64 `gorm:"autoCreateTime:false"`
	StartedAt   int64
	EndedAt     int64
	RatedAt     *int64
	RatedNo     *int64
	Version     int64
	Timetable   string
	Rehearsal   string
}

func (tournamentRow) TableName() string { return "tournaments" }

func (r tournamentRow) tournament() (*tournament.Tournament, error) {
	t := &tournament.Tournament{
		ID: tournament.ID(r.ID), Organizer: player.ID(r.OrganizerID), CreatedAt: at(r.CreatedAt), Chat: r.Chat, Version: r.Version,
		Table: tournament.Table{Status: tournament.Status(r.Status), Opening: match.Seat(r.Opening)},
		Gate:  tournament.Gate{Closed: r.GateClosed, At: at(r.GateAt)}, Seed: r.Seed, Promise: r.Promise, Stuck: r.Stuck,
		StartedAt: at(r.StartedAt), EndedAt: at(r.EndedAt), RatedAt: atOrZero(r.RatedAt),
	}
	if err := json.Unmarshal([]byte(r.Settings), &t.Settings); err != nil {
		return nil, err
	}
	t.Rehearsal = tournament.ID(r.Rehearsal)
	for _, part := range []struct {
		text string
		into any
	}{{r.Timetable, &t.Timetable}, {r.Forbidden, &t.Forbidden}, {r.Draft, &t.Draft}, {r.Signed, &t.Signed}, {r.Origin, &t.Origin},
		{r.Interests, &t.Interests}} {
		if part.text == "" {
			continue
		}
		if err := json.Unmarshal([]byte(part.text), part.into); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func rowOfTournament(t *tournament.Tournament) (tournamentRow, error) {
	settings, err := json.Marshal(t.Settings)
	if err != nil {
		return tournamentRow{}, err
	}
	row := tournamentRow{
		ID: string(t.ID), OrganizerID: string(t.Organizer), Name: t.Name, Format: uint8(t.Format), ClubID: textOrNull(t.ClubID),
		Status: uint8(t.Status), Rated: t.Rated, Settings: string(settings), Opening: uint8(t.Opening), Seed: t.Seed, Promise: t.Promise,
		Chat: t.Chat, Rounds: t.Settings.Rounds, Stuck: t.Stuck,
		CreatedAt: ms(t.CreatedAt), StartsAt: ms(t.StartsAt()), StartedAt: ms(t.StartedAt), EndedAt: ms(t.EndedAt),
		RatedAt: msOrNull(t.RatedAt), Version: t.Version,
		Rehearsal: string(t.Rehearsal), GateClosed: t.Gate.Closed, GateAt: ms(t.Gate.At),
	}
	if t.Origin.IsPart() {
		row.PartOf = string(t.Origin.Of[0].ID)
	}
	if next, due := t.NextGateAt(); due {
		row.GateDue = msOrNull(next)
	}
	if next, due := t.NextAt(); due {
		row.NextAt = msOrNull(next)
	}
	for _, part := range []struct {
		isThere bool
		what    any
		text    *string
	}{{!t.Timetable.IsZero(), t.Timetable, &row.Timetable}, {len(t.Forbidden) > 0, t.Forbidden, &row.Forbidden},
		{t.Draft != nil, t.Draft, &row.Draft}, {t.Signed != nil, t.Signed, &row.Signed}, {t.Origin != nil, t.Origin, &row.Origin},
		{len(t.Interests) > 0, t.Interests, &row.Interests}} {
		if !part.isThere {
			continue
		}
		text, err := json.Marshal(part.what)
		if err != nil {
			return tournamentRow{}, err
		}
		*part.text = string(text)
	}
	return row, nil
}

// Tournament is one tournament with its entries, rounds and results.
func (tx *Tx) Tournament(id tournament.ID) (*tournament.Tournament, error) {
	t, err := parseOne(tx.db.Where("id = ?", string(id)), tournamentRow.tournament, "tournament %s", id)
	if err == nil {
		t.Entries, err = tx.entries(id)
	}
	if err == nil {
		t.Rounds, err = tx.rounds(id, t.HasTeams())
	}
	if err == nil {
		t.Staff, err = tx.staff(id)
	}
	if err == nil {
		t.ClubStaff, err = tx.clubStaff(t.ClubID)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// TournamentVersions are the versions of those tournaments that exist.
func (tx *Tx) TournamentVersions(ids []tournament.ID) (map[tournament.ID]int64, error) {
	return byID(ids, func(some []string) *gorm.DB { return tx.db.Select("id", "version").Where("id IN ?", some) },
		func(r tournamentRow) (tournament.ID, int64) { return tournament.ID(r.ID), r.Version }, "tournament versions")
}

// DueTournaments are those whose next round is due to open by itself.
func (tx *Tx) DueTournaments(now time.Time, limit int) ([]tournament.ID, error) {
	return tx.tournamentIDs("next_at <= ? AND stuck = ''", "next_at", limit, ms(now))
}

// DueGates are those whose registration is due to open or close by itself.
func (tx *Tx) DueGates(now time.Time, limit int) ([]tournament.ID, error) {
	return tx.tournamentIDs("gate_due <= ?", "gate_due", limit, ms(now))
}

// UnratedTournaments are finished tournaments whose ratings are not applied yet, in order
// of their ends.
func (tx *Tx) UnratedTournaments(limit int) ([]tournament.ID, error) {
	return tx.tournamentIDs("status >= ? AND rated AND rated_at IS NULL", "ended_at, id", limit, uint8(tournament.Finished))
}

// PlayOffs are the announced play-offs for shared places of some tournaments, the earliest
// first.
func (tx *Tx) PlayOffs(of []tournament.ID) ([]tournament.ID, error) {
	return pluck[tournament.ID](tx.db.Model(&tournamentRow{}).
		Where("part_of <> '' AND part_of IN ? AND origin LIKE '%\"playOff\":true%' AND status > ? AND rehearsal = ''", texts(of), uint8(tournament.Draft)).
		Order("created_at, id"), "id", "play-offs")
}

func (tx *Tx) tournamentIDs(where, order string, limit int, arg any) ([]tournament.ID, error) {
	return pluck[tournament.ID](tx.db.Model(&tournamentRow{}).Where(where, arg).Order(order).Limit(limit), "id", "tournament ids")
}

// Tournaments is one page of a list, and the length of the whole list.
func (tx *Tx) Tournaments(q TournamentQuery) ([]TournamentLine, int, error) {
	db := tx.db.Model(&tournamentRow{})
	switch {
	case len(q.Statuses) == 0:
	case q.Whole && slices.Contains(q.Statuses, tournament.Running):
		db = db.Where("(status IN ? OR status = "+eventRegistration+" AND "+isDivided+")", statusNumbers(q.Statuses))
	case q.Whole:
		db = db.Where("status IN ? AND NOT (status = "+eventRegistration+" AND "+isDivided+")", statusNumbers(q.Statuses))
	default:
		db = db.Where("status IN ?", statusNumbers(q.Statuses))
	}
	if !q.AllDrafts {
		db = db.Where("rehearsal = ''").
			Where("(status > "+eventDraft+" OR id IN (SELECT tournament_id FROM tournament_staff WHERE player_id = ?))", string(q.Drafts))
	}
	if q.Player != "" {
		db = db.Where("(id IN (SELECT tournament_id FROM entries WHERE player_id = ? AND status NOT IN ?) OR "+
			"id IN (SELECT tournament_id FROM entries WHERE captains <> '' AND captains LIKE ? AND status NOT IN ?) OR "+
			"id IN (SELECT e.tournament_id FROM entries e JOIN club_members m ON m.club_id = e.club_id AND m.player_id = ? "+
			"WHERE m.role IN ? AND e.status NOT IN ?))",
			string(q.Player), notEntered, `%"`+string(q.Player)+`"%`, notEntered, string(q.Player), officerRoles(), notEntered)
	}
	if q.Club != "" {
		db = db.Where("(club_id = ? OR id IN (SELECT tournament_id FROM entries WHERE club_id = ? AND status NOT IN ?))", string(q.Club), string(q.Club),
			append(slices.Clone(notEntered), int(tournament.Invited)))
	}
	if q.FollowedBy != "" {
		db = db.Where(`(club_id IN (SELECT club_id FROM club_follows WHERE player_id = ?) OR id IN (SELECT e.tournament_id FROM entries e
			JOIN follows f ON f.followed_id = e.player_id WHERE f.player_id = ? AND e.status = `+entryActive+` AND `+stillFollows+`))`,
			string(q.FollowedBy), string(q.FollowedBy))
	}
	if q.Format != 0 {
		db = db.Where("format = ?", uint8(q.Format))
	}
	if q.Whole {
		db = db.Where("part_of = ''")
	}
	if q.Near != 0 {
		db = db.Where(`id IN (SELECT tournament_id FROM entries WHERE status = `+entryActive+` AND rating > 0
			GROUP BY tournament_id HAVING AVG(rating) BETWEEN ? AND ?)`, q.Near-nearRating, q.Near+nearRating)
	}
	if !q.From.IsZero() {
		db = db.Where("starts_at >= ? AND starts_at < ?", ms(q.From), ms(q.To))
	}
	if q.Search != "" {
		db = matching(db, foundTournament, "id", q.Search)
	}
	total, err := count(db, "count tournaments")
	if err != nil {
		return nil, 0, err
	}
	var rows []tournamentRow
	order := `CASE status WHEN ` + eventRunning + ` THEN 0 WHEN ` + eventRegistration + ` THEN 1 WHEN ` + eventDraft + ` THEN 2 ELSE 3 END,
		CASE WHEN ended_at > 0 THEN ended_at ELSE created_at END DESC, name, id`
	if !q.From.IsZero() {
		order = "starts_at, id"
	}
	if err := db.Order(order).Limit(q.Limit).Offset(q.Offset).Find(&rows).Error; err != nil {
		return nil, 0, wrap(err, "tournaments")
	}
	lines, err := tx.tournamentLines(rows)
	return lines, total, err
}

// TournamentsRunBy are the tournaments that a player made or some clubs held, the latest
// first.
func (tx *Tx) TournamentsRunBy(id player.ID, of []club.ID, limit int) ([]TournamentLine, error) {
	var rows []tournamentRow
	db := tx.db.Where("(organizer_id = ? OR club_id IN ?) AND rehearsal = ''", string(id), texts(of))
	if err := db.Order("created_at DESC, id").Limit(limit).Find(&rows).Error; err != nil {
		return nil, wrap(err, "tournaments run by %s", id)
	}
	return tx.tournamentLines(rows)
}

// isDivided holds for a tournament whose players groups decide.
const isDivided = "id IN (SELECT part_of FROM tournaments WHERE part_of <> '')"

// notEntered are the statuses of entries that were only asked for.
var notEntered = []int{int(tournament.Requested), int(tournament.Refused)}

// officerRoles are the roles in a club whose people name its players.
func officerRoles() (list []string) {
	for _, r := range club.Roles {
		if club.Allows(r, club.ActLineUp) {
			list = append(list, r.String())
		}
	}
	return list
}

func statusNumbers(list []tournament.Status) []int {
	out := make([]int, len(list))
	for i, s := range list {
		out[i] = int(s)
	}
	return out
}

func (tx *Tx) tournamentLines(rows []tournamentRow) ([]TournamentLine, error) {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	lines := make([]TournamentLine, len(rows))
	if len(rows) == 0 {
		return lines, nil
	}
	entries, err := tx.counts("count entries",
		"SELECT tournament_id AS id, COUNT(*) AS n FROM entries WHERE tournament_id IN ? AND team = 0 AND status = "+entryActive+
			" GROUP BY tournament_id", ids)
	if err != nil {
		return nil, err
	}
	rounds, err := tx.counts("count rounds",
		"SELECT tournament_id AS id, COUNT(*) AS n FROM rounds WHERE tournament_id IN ? GROUP BY tournament_id", ids)
	if err != nil {
		return nil, err
	}
	for i, r := range rows {
		t, err := r.tournament()
		if err != nil {
			return nil, wrap(err, "tournament %s", r.ID)
		}
		lines[i] = TournamentLine{
			ID: t.ID, Name: t.Name, Club: t.Club, Format: t.Format, Double: t.Double, Status: t.Status, Organizer: t.Organizer,
			Entries: entries[r.ID], Rounds: t.Settings.Rounds, Opened: rounds[r.ID], NextAt: atOrZero(r.NextAt),
			CreatedAt: t.CreatedAt, StartedAt: t.StartedAt, EndedAt: t.EndedAt, StartsAt: at(r.StartsAt), Event: t,
		}
	}
	return lines, nil
}

// AddTournament stores a new tournament with all its contents, and the deed that made it.
func (tx *Tx) AddTournament(t *tournament.Tournament, d ledger.Deed) error {
	t.Version = 1
	row, err := rowOfTournament(t)
	if err == nil {
		err = tx.db.Create(&row).Error
	}
	if err == nil {
		err = tx.saveContents(&tournament.Tournament{}, t)
	}
	if err == nil {
		d.Seq, d.Changes = t.Version, ledger.Diff(&tournament.Tournament{}, t)
		err = tx.logDeed(t.ID, d)
	}
	if err != nil {
		return wrap(err, "add tournament")
	}
	return tx.index(foundTournament, string(t.ID), tournamentWords(t))
}

// SaveTournament writes the differences between before and after, raises the version, and
// logs the deed with its number and changes filled in. A tournament that is no longer
// rated loses its place among the rated events. It fails with ErrConflict if the
// tournament has changed since before was read.
func (tx *Tx) SaveTournament(before, after *tournament.Tournament, d ledger.Deed) error {
	after.Version = before.Version + 1
	d.Seq, d.Changes = after.Version, ledger.Diff(before, after)
	row, err := rowOfTournament(after)
	if err == nil {
		err = guarded(tx.db.Model(&tournamentRow{}).Where("id = ? AND version = ?", row.ID, before.Version).
			Select("*").Omit("rated_at", "rated_no").Updates(&row))
	}
	if err == nil && !before.RatedAt.IsZero() && after.RatedAt.IsZero() {
		err = tx.unrate(after.ID)
	}
	if err == nil {
		err = tx.saveContents(before, after)
	}
	if err == nil {
		err = tx.logDeed(after.ID, d)
	}
	if err == nil && !before.RatedAt.IsZero() && !sameGames(before, after) {
		err = tx.staleTournament(after.ID)
	}
	if err != nil {
		return wrap(err, "save tournament %s", after.ID)
	}
	if before.Name == after.Name && before.Club == after.Club {
		return nil
	}
	return tx.index(foundTournament, string(after.ID), tournamentWords(after))
}

func tournamentWords(t *tournament.Tournament) []string {
	return append(fold.Words(t.Name), fold.Words(t.Club)...)
}

// saveContents writes the staff, entries, rounds and results that differ.
func (tx *Tx) saveContents(before, after *tournament.Tournament) error {
	if !slices.Equal(before.Staff, after.Staff) {
		if err := tx.saveStaff(after.ID, after.Staff); err != nil {
			return err
		}
	}
	var fresh []entryRow
	for i, e := range after.Entries {
		switch {
		case i >= len(before.Entries):
			fresh = append(fresh, rowOfEntry(after.ID, e))
		case !reflect.DeepEqual(before.Entries[i], e):
			row := rowOfEntry(after.ID, e)
			if err := guarded(tx.db.Model(&entryRow{}).Where("tournament_id = ? AND id = ?", row.TournamentID, row.ID).
				Select("*").Updates(&row)); err != nil {
				return err
			}
		}
	}
	if err := tx.db.CreateInBatches(fresh, 100).Error; err != nil {
		return err
	}
	for i := len(before.Rounds); i > len(after.Rounds); i-- {
		if err := tx.dropRound(after.ID, i); err != nil {
			return err
		}
	}
	for i, r := range after.Rounds {
		if i >= len(before.Rounds) {
			if err := tx.addRound(after.ID, r); err != nil {
				return err
			}
			continue
		}
		if err := tx.saveRound(after.ID, before.Rounds[i], r); err != nil {
			return err
		}
	}
	return nil
}

// Rehearsals are the rehearsals of a tournament, the newest first.
func (tx *Tx) Rehearsals(id tournament.ID) ([]TournamentLine, error) {
	var rows []tournamentRow
	if err := tx.db.Where("rehearsal = ?", string(id)).Order("created_at DESC, id").Limit(20).Find(&rows).Error; err != nil {
		return nil, wrap(err, "rehearsals of %s", id)
	}
	return tx.tournamentLines(rows)
}
