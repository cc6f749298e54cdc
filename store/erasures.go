package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/tournament/ledger"
)

type erasureRow struct {
	PlayerID string `gorm:"primaryKey"`
	Number   int
	AskedAt  int64
	DueAt    int64
	DoneAt   int64
}

func (erasureRow) TableName() string { return "erasures" }

// ErasureDue is when an account will be erased; false: no erasure is pending.
func (tx *Tx) ErasureDue(of player.ID) (time.Time, bool, error) {
	var row erasureRow
	err := tx.db.Where("player_id = ? AND done_at = 0", string(of)).Take(&row).Error
	if errors.Is(err, ErrNotFound) {
		return time.Time{}, false, nil
	}
	if err != nil {
		return time.Time{}, false, wrap(err, "erasure")
	}
	return at(row.DueAt), true, nil
}

// AskErasure schedules the erasure of an account and signs it out everywhere.
func (tx *Tx) AskErasure(of player.ID, now, due time.Time) error {
	err := tx.db.Exec(`INSERT INTO erasures (player_id, number, asked_at, due_at) SELECT ?, COALESCE(MAX(number), 0) + 1, ?, ?
		FROM erasures WHERE TRUE
		ON CONFLICT (player_id) DO UPDATE SET asked_at = excluded.asked_at, due_at = excluded.due_at`, string(of), ms(now), ms(due)).Error
	if err != nil {
		return wrap(err, "ask erasure")
	}
	return tx.DropSessions(of, "")
}

// CancelErasure keeps an account after all, if its erasure was pending.
func (tx *Tx) CancelErasure(of player.ID, now time.Time) error {
	err := tx.db.Exec("DELETE FROM erasures WHERE player_id = ? AND done_at = 0", string(of)).Error
	return errors.Join(wrap(err, "cancel erasure"), tx.SettleNotices(of, "/settings/data", now, notice.ErasureMatter.Kinds()...))
}

// DueErasures are the accounts whose time to reconsider is over.
func (tx *Tx) DueErasures(now time.Time, limit int) ([]player.ID, error) {
	return scan[[]player.ID](tx.db.Raw(`SELECT player_id FROM erasures WHERE done_at = 0 AND due_at <= ?
		ORDER BY due_at LIMIT ?`, ms(now), limit), "due erasures")
}

// PostponeErasure moves a due erasure.
func (tx *Tx) PostponeErasure(of player.ID, due time.Time) error {
	err := tx.db.Exec("UPDATE erasures SET due_at = ? WHERE player_id = ? AND done_at = 0", ms(due), string(of)).Error
	return wrap(err, "postpone erasure")
}

// erased are the statements that delete what is an account's own; every ? is the account.
// What belongs to tournaments, matches and ratings stays. A test compares them with the
// schema.
var erased = []string{
	"DELETE FROM sessions WHERE player_id = ?",
	"DELETE FROM tokens WHERE player_id = ?",
	"DELETE FROM sign_in_links WHERE player_id = ?",
	"DELETE FROM grant_codes WHERE player_id = ?",
	"DELETE FROM mail_addresses WHERE player_id = ?",
	"DELETE FROM notices WHERE player_id = ?",
	"DELETE FROM push_devices WHERE player_id = ?",
	"DELETE FROM telegram_chats WHERE player_id = ?",
	"DELETE FROM group_codes WHERE by_player = ?",
	"DELETE FROM notice_settings WHERE player_id = ?",
	"DELETE FROM reminder_leads WHERE player_id = ?",
	"DELETE FROM calendar_links WHERE player_id = ?",
	"DELETE FROM days_off WHERE player_id = ?",
	"DELETE FROM profiles WHERE player_id = ?",
	"DELETE FROM blocks WHERE player_id = ? OR blocked_id = ?",
	"DELETE FROM follows WHERE player_id = ? OR followed_id = ?",
	"DELETE FROM club_follows WHERE player_id = ?",
	"DELETE FROM club_members WHERE player_id = ?",
	"DELETE FROM club_requests WHERE player_id = ?",
	"DELETE FROM club_bans WHERE player_id = ?",
	"DELETE FROM club_changes WHERE by_player = ? OR part = 'player/' || ?",
	"DELETE FROM rating_births WHERE player_id = ?",
	"DELETE FROM no_shows WHERE player_id = ?",
	"DELETE FROM match_presence WHERE player_id = ?",
	`DELETE FROM match_devices AS d WHERE EXISTS (
		SELECT 1 FROM matches m WHERE m.id = d.match_id
			AND (m.first_player = ? AND d.seat = ` + seatFirst + ` OR m.second_player = ? AND d.seat = ` + seatSecond + `))`,
	"DELETE FROM fair_play_acceptances WHERE player_id = ?",
	"DELETE FROM person_marks WHERE player_id = ?",
	"DELETE FROM telemetry WHERE player_id = ?",
	"DELETE FROM play_reports WHERE reporter_id = ? OR player_id = ?",
	"DELETE FROM match_choices WHERE player_id = ?",
	"DELETE FROM dossiers WHERE player_id = ?",
	"DELETE FROM dossier_views WHERE player_id = ?",
	"DELETE FROM arbiter_counts WHERE player_id = ?",
	"DELETE FROM passkeys WHERE player_id = ?",
	"DELETE FROM club_guests WHERE player_id = ?",
	"DELETE FROM ceremonies WHERE player_id = ?",
	"DELETE FROM check_in_codes WHERE player_id = ?",
	"DELETE FROM puzzle_tries WHERE player_id = ?",
	"DELETE FROM daily_tries WHERE player_id = ?",
	"UPDATE check_ins SET session_id = '' WHERE player_id = ?",
}

// Erase turns an account whose erasure is due into a ghost: its name leaves every list,
// its own data are deleted, and what it has played stays. It fails with ErrConflict if
// the erasure is not due or another node came first.
func (tx *Tx) Erase(of player.ID, now time.Time) error {
	var row erasureRow
	if err := tx.db.Where("player_id = ? AND done_at = 0 AND due_at <= ?", string(of), ms(now)).Take(&row).Error; err != nil {
		if errors.Is(err, ErrNotFound) {
			err = ErrConflict
		}
		return wrap(err, "erase")
	}
	if err := guarded(tx.db.Exec("UPDATE erasures SET done_at = ? WHERE player_id = ? AND done_at = 0", ms(now), string(of))); err != nil {
		return wrap(err, "erase")
	}
	ghost := player.Ghost(row.Number)
	if err := tx.eraseEntries(of, string(ghost), now); err != nil {
		return err
	}
	if err := tx.eraseStatements(of, string(ghost)); err != nil {
		return err
	}
	for _, statement := range erased {
		args := slices.Repeat([]any{string(of)}, strings.Count(statement, "?"))
		if err := tx.db.Exec(statement, args...).Error; err != nil {
			return wrap(err, "erase: %s", statement)
		}
	}
	err := tx.changePlayer(of, "erase", map[string]any{
		"handle": string(ghost), "handle_key": ghost.Key(), "role": player.Plain.String(),
		"credential": "", "lang": "", "theme": "", "zone": "", "play": "", "unclaimed": false,
	})
	if err != nil {
		return err
	}
	// Nobody challenges a ghost, and no search engine keeps its page.
	privacy := player.Privacy{Profile: player.Nobody, History: player.Everyone, Online: player.Nobody, Challenge: player.Nobody,
		Follow: player.Nobody, Hidden: true}
	return tx.SetProfile(of, player.Profile{Privacy: privacy})
}

// eraseStatements puts the ghost's name into the signed statements of the account's
// matches. Their findings stay; the signature, which covers the name, goes.
func (tx *Tx) eraseStatements(of player.ID, ghost string) error {
	var rows []struct {
		ID                    string
		Seat                  int
		Statement, Superseded string
	}
	err := tx.db.Raw(`SELECT m.id, CASE WHEN m.first_player = ? THEN 0 ELSE 1 END AS seat, p.statement, p.superseded
		FROM match_policies p JOIN matches m ON m.id = p.match_id
		WHERE (m.first_player = ? OR m.second_player = ?) AND (p.statement <> '' OR p.superseded <> '')`,
		string(of), string(of), string(of)).Scan(&rows).Error
	if err != nil {
		return wrap(err, "erase statements")
	}
	for _, row := range rows {
		for _, text := range []*string{&row.Statement, &row.Superseded} {
			var lines []string
			for line := range strings.Lines(*text) {
				var s fairplay.SignedStatement
				if err := json.Unmarshal([]byte(line), &s); err != nil {
					return wrap(err, "erase statement of %s", row.ID)
				}
				s.Statement.Players[row.Seat], s.Signature = ghost, ""
				raw, err := json.Marshal(s)
				if err != nil {
					return wrap(err, "erase statement of %s", row.ID)
				}
				lines = append(lines, string(raw)+"\n")
			}
			*text = strings.Join(lines, "")
		}
		row.Statement = strings.TrimSuffix(row.Statement, "\n")
		err := tx.db.Exec("UPDATE match_policies SET statement = ?, superseded = ? WHERE match_id = ?",
			row.Statement, row.Superseded, row.ID).Error
		if err != nil {
			return wrap(err, "erase statement of %s", row.ID)
		}
	}
	return nil
}

// eraseEntries replaces the account's name by the ghost's in tournaments, their logs and
// the reports their rounds were paired from.
func (tx *Tx) eraseEntries(of player.ID, ghost string, now time.Time) error {
	var ids []tournament.ID
	if err := tx.db.Raw("SELECT DISTINCT tournament_id FROM entries WHERE player_id = ?", string(of)).Scan(&ids).Error; err != nil {
		return wrap(err, "erase entries")
	}
	for _, id := range ids {
		before, err := tx.Tournament(id)
		if err != nil {
			return err
		}
		after, old := before.Clone(), ""
		for i, e := range after.Entries {
			if e.Player == of {
				old, after.Entries[i].Name, after.Entries[i].Born, after.Entries[i].Report = e.Name, ghost, 0, tournament.ReportPlayer{}
			}
		}
		if err := tx.SaveTournament(before, after, ledger.Deed{At: now, Act: tournament.ActErase}); err != nil {
			return err
		}
		if err := tx.eraseFromLog(id, of, ghost); err != nil {
			return err
		}
		if err := tx.eraseFromReports(id, old, ghost); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) eraseFromLog(id tournament.ID, of player.ID, ghost string) error {
	var rows []struct {
		Seq     int64
		Changes string
	}
	err := tx.db.Raw("SELECT seq, changes FROM tournament_deeds WHERE tournament_id = ? ORDER BY seq", string(id)).Scan(&rows).Error
	for _, r := range rows {
		changes := r.Changes
		if err == nil {
			changes, err = rename(r.Changes, string(of), ghost)
		}
		if err == nil && changes != r.Changes {
			err = tx.db.Exec("UPDATE tournament_deeds SET changes = ? WHERE tournament_id = ? AND seq = ?", changes, string(id), r.Seq).Error
		}
	}
	return wrap(err, "erase from log of %s", id)
}

// rename changes the name in every JSON object that is a player's entry and removes what it says of birth, title
// and the like.
func rename(text, of, ghost string) (string, error) {
	if !strings.Contains(text, of) {
		return text, nil
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		return "", err
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			if _, named := v["name"]; named && v["player"] == of {
				v["name"] = ghost
				delete(v, "born")
				delete(v, "report")
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(doc)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// The columns of the player's name in a line of FIDE's TRF, in characters.
const trfNameFrom, trfNameTo = 14, 47

func (tx *Tx) eraseFromReports(id tournament.ID, old, ghost string) error {
	var rows []struct {
		Number int
		Input  string
	}
	if err := tx.db.Raw("SELECT number, input FROM rounds WHERE tournament_id = ?", string(id)).Scan(&rows).Error; err != nil {
		return wrap(err, "erase from reports")
	}
	for _, r := range rows {
		lines := strings.Split(r.Input, "\n")
		for i, line := range lines {
			chars := []rune(line)
			if !strings.HasPrefix(line, "001") || len(chars) < trfNameTo || strings.TrimSpace(string(chars[trfNameFrom:trfNameTo])) != cut(old) {
				continue
			}
			name := ghost + strings.Repeat(" ", trfNameTo-trfNameFrom-utf8.RuneCountInString(ghost))
			lines[i] = string(chars[:trfNameFrom]) + name + string(chars[trfNameTo:])
		}
		if input := strings.Join(lines, "\n"); input != r.Input {
			if err := tx.SetRoundInput(id, r.Number, input); err != nil {
				return err
			}
		}
	}
	return nil
}

// cut is a name shortened to its columns in a report.
func cut(name string) string {
	chars := []rune(name)
	return strings.TrimSpace(string(chars[:min(len(chars), trfNameTo-trfNameFrom)]))
}

// TournamentsOwnedBy are the tournaments a player owns.
func (tx *Tx) TournamentsOwnedBy(id player.ID) ([]tournament.ID, error) {
	return scan[[]tournament.ID](tx.db.Raw(`SELECT tournament_id FROM tournament_staff
		WHERE player_id = ? AND duty = ? ORDER BY tournament_id`, string(id), uint8(tournament.Owner)), "owned tournaments")
}

// WithdrawChallengesOf closes the open challenges from and to a player.
func (tx *Tx) WithdrawChallengesOf(id player.ID, now time.Time) error {
	// One side at a time: SQLite has no plan for both, as the indexes of the sides have what this changes.
	for _, side := range []string{"challenger_id", "opponent_id"} {
		err := tx.db.Exec("UPDATE challenges SET status = ?, closed_at = ? WHERE status = ? AND "+side+" = ?",
			uint8(challenge.Withdrawn), ms(now), uint8(challenge.Open), string(id)).Error
		if err != nil {
			return wrap(err, "withdraw challenges")
		}
	}
	return nil
}
