package store

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"chpok.org/chpok/player"
)

// ExportSection is one table of an export. Query selects it with readable names; every ?
// in it is the account. Secrets and hashes stay out.
type ExportSection struct{ Name, Query string }

// ExportSections is everything that is stored about an account, for its owner. Whoever
// stores something new about players adds a section; a test compares them with the
// schema.
var ExportSections = []ExportSection{
	{"account", "SELECT handle, role, lang, theme, zone, play, created_at FROM players WHERE id = ?"},
	{"door", `SELECT g.name, c.name AS club, g.tournament_id, g.made_at
		FROM club_guests g LEFT JOIN clubs c ON c.id = g.club_id WHERE g.player_id = ?`},
	{"profile", `SELECT name, about, country, fide, links, see_profile, see_history, see_online, may_challenge, may_follow, hidden
		FROM profiles WHERE player_id = ?`},
	{"mail", "SELECT address, confirmed_at, pending, asked_at, lang, zone, mailed_at FROM mail_addresses WHERE player_id = ?"},
	{"blocked", "SELECT p.handle, b.at FROM blocks b JOIN players p ON p.id = b.blocked_id WHERE b.player_id = ? ORDER BY b.at"},
	{"following", "SELECT p.handle, f.at FROM follows f JOIN players p ON p.id = f.followed_id WHERE f.player_id = ? ORDER BY f.at"},
	{"following_clubs", "SELECT c.name, f.at FROM club_follows f JOIN clubs c ON c.id = f.club_id WHERE f.player_id = ? ORDER BY f.at"},
	{"sessions", "SELECT id, created_at, used_at, device, address FROM sessions WHERE player_id = ? ORDER BY created_at"},
	{"tokens", "SELECT id, name, target, scopes, created_at, used_at FROM tokens WHERE player_id = ? ORDER BY created_at"},
	{"notices", "SELECT kind, about, args, url, moment, at, read_at, mailed_at FROM notices WHERE player_id = ? ORDER BY at, id"},
	{"push_devices", "SELECT endpoint, lang, zone, created_at FROM push_devices WHERE player_id = ? ORDER BY created_at"},
	{"telegram", "SELECT chat, joined_at, blocked_at, asked_at, lang, zone FROM telegram_chats WHERE player_id = ?"},
	{"group_codes", "SELECT topic, asked_at, lang FROM group_codes WHERE by_player = ?"},
	{"notice_settings", "SELECT kind, app, mail, push, telegram FROM notice_settings WHERE player_id = ? ORDER BY kind"},
	{"reminders", "SELECT early, late FROM reminder_leads WHERE player_id = ?"},
	{"calendar", "SELECT created_at FROM calendar_links WHERE player_id = ?"},
	{"days_off", "SELECT day FROM days_off WHERE player_id = ? ORDER BY day"},
	{"clubs", `SELECT c.name, m.role, m.joined_at
		FROM club_members m JOIN clubs c ON c.id = m.club_id WHERE m.player_id = ? ORDER BY m.joined_at`},
	{"club_requests", `SELECT c.name AS club, r.club_id, r.player_id, r.note, r.asked_at FROM club_requests r JOIN clubs c ON c.id = r.club_id
		WHERE r.player_id = ?`},
	{"club_bans", `SELECT c.name AS club, b.club_id, b.player_id, b.by_player, b.reason, b.banned_at, b.until_at FROM club_bans b JOIN clubs c
		ON c.id = b.club_id WHERE b.player_id = ?`},
	{"matches", `SELECT id, first_player = ? AS bids_first, status, outcome, reason, points_first, points_second, opened_at, last_at
		FROM matches WHERE first_player = ? OR second_player = ? ORDER BY opened_at`},
	{"entries", `SELECT t.id AS tournament, t.name AS tournament_name, e.name, e.rating, e.number, e.status, e.entered_at
		FROM entries e JOIN tournaments t ON t.id = e.tournament_id WHERE e.player_id = ? ORDER BY e.entered_at`},
	{"teams", `SELECT t.id AS tournament, t.name AS tournament_name, e.name AS team, e.status, e.entered_at
		FROM entries e JOIN tournaments t ON t.id = e.tournament_id WHERE e.captains LIKE '%"' || ? || '"%' ORDER BY e.entered_at`},
	{"staff", `SELECT t.id AS tournament, t.name AS tournament_name, s.duty, s.invited, s.since
		FROM tournament_staff s JOIN tournaments t ON t.id = s.tournament_id WHERE s.player_id = ? ORDER BY s.since`},
	{"deeds", "SELECT tournament_id, seq, at, act, reason FROM tournament_deeds WHERE by_player = ? ORDER BY at"},
	{"challenges", `SELECT id, challenger_id = ? AS sent, rated, settings, status, match_id, created_at, closed_at
		FROM challenges WHERE challenger_id = ? OR opponent_id = ? ORDER BY created_at`},
	{"ladders", "SELECT l.id AS ladder, l.name, r.place FROM ladder_rungs r JOIN ladders l ON l.id = r.ladder_id WHERE r.player_id = ?"},
	{"ladder_challenges", `SELECT ladder_id, number, challenger_id, defender_id, status, match_id, body, rated FROM ladder_challenges WHERE
		challenger_id = ? OR defender_id = ? ORDER BY ladder_id, number`},
	{"ladder_events", "SELECT ladder_id, seq, at, kind, challenge, body FROM ladder_events WHERE player_id = ? ORDER BY at"},
	{"leagues", `SELECT id AS league, name, organizer_id = ? AS organizes FROM leagues WHERE organizer_id = ? OR state LIKE '%"' || ? || '"%'
		ORDER BY created_at, id`},
	{"league_events", `SELECT league_id, seq, body FROM league_events WHERE body LIKE '%"' || ? || '"%' ORDER BY league_id, seq`},
	{"ratings", `SELECT fold_id, player_id, bot, rating, games, provisional, peak, deviation, state, at FROM ratings WHERE player_id = ?`},
	{"rating_changes", `SELECT fold_id, ordinal, player_id, reason, final, before, after, k, games, provisional, peak, deviation, state, steps,
		at FROM rating_changes WHERE player_id = ? ORDER BY ordinal`},
	{"rating_starts", "SELECT ordinal, player_id, rating, games, deviation FROM rating_starts WHERE player_id = ?"},
	{"birth_year", "SELECT player_id, year FROM rating_births WHERE player_id = ?"},
	{"bids", "SELECT match_id, player_id, target, chips, purse, won, score, raised FROM match_bids WHERE player_id = ?"},
	{"hooks", "SELECT id, topic, url, by_player, created_at, stopped_at FROM hooks WHERE by_player = ?"},
	{"feats", "SELECT match_id, player_id, feat FROM match_feats WHERE player_id = ?"},
	{"daily-puzzles", "SELECT day, solved, streak FROM daily_tries WHERE player_id = ? ORDER BY day"},
	{"puzzles", "SELECT n, puzzle_id, at, solved, rating, deviation, streak FROM puzzle_tries WHERE player_id = ? ORDER BY n"},
	{"calls", "SELECT match_id, text, at, resolved_at FROM match_calls WHERE caller_id = ? ORDER BY at"},
	{"messages", "SELECT match_id, no, text, at FROM match_messages WHERE by_id = ? ORDER BY at"},
	{"club_posts", "SELECT id, club_id, author_id, title, body, posted_at, edited_at FROM club_posts WHERE author_id = ?"},
	{"tournament_posts", "SELECT tournament_id, no, at, announcement, text FROM tournament_posts WHERE by_id = ? ORDER BY at"},
	{"series", `SELECT id, club_id, organizer_id, settings, through, due_at, created_at, ended_at, version
		FROM series WHERE organizer_id = ?`},
	{"no_shows", `SELECT id, player_id, tournament_id, round, board, match_id, at, appeal, appealed_at, verdict, answer, decided_by,
		decided_at FROM no_shows WHERE player_id = ?`},
	{"devices", `SELECT d.match_id, d.device, d.network, d.at FROM match_devices d WHERE EXISTS (
		SELECT 1 FROM matches m WHERE m.id = d.match_id
			AND (m.first_player = ? AND d.seat = ` + seatFirst + ` OR m.second_player = ? AND d.seat = ` + seatSecond + `))
		ORDER BY d.at`},
	{"fair_play_acceptances", "SELECT player_id, version, lang, text_hash, at FROM fair_play_acceptances WHERE player_id = ?"},
	{"fair_play_signals", "SELECT id, player_id, match_id, kind, at, move, detail FROM signals WHERE player_id = ?"},
	{"attestations", `SELECT issuer_id, kind, how, issued, expires, note, guardian, revoked_at, revoked_code
		FROM attestations WHERE player_id = ? ORDER BY issued`},
	{"person_marks", "SELECT at FROM person_marks WHERE player_id = ?"},
	{"telemetry", "SELECT match_id, no, at, kind, move, number, hash FROM telemetry WHERE player_id = ? ORDER BY match_id, no"},
	{"watched", "SELECT match_id, accepted_at, opened_at, absent_at, signed_at, verdict, checks FROM watches WHERE player_id = ?"},
	{"watches", "SELECT match_id, seat, accepted_at, opened_at, signed_at, verdict, checks FROM watches WHERE steward_id = ?"},
	{"reviews", `SELECT id, place, status, opened_at, decided_at, closed_at, upheld, excluded_until
		FROM reviews WHERE player_id = ? ORDER BY opened_at`},
	{"match_choices", "SELECT match_id, seat, player_id, engine, rating, done, body FROM match_choices WHERE player_id = ? ORDER BY match_id"},
	{"dossiers", "SELECT place, at, p, adjusted, concern, earlier, body FROM dossiers WHERE player_id = ? ORDER BY at"},
	{"play_reports_made", "SELECT match_id, at, text FROM play_reports WHERE reporter_id = ? ORDER BY at"},
	{"play_reports_about", "SELECT match_id, at FROM play_reports WHERE player_id = ? ORDER BY at"},
	{"fair_play_looks", `SELECT v.place, p.handle AS by_handle, v.at
		FROM dossier_views v JOIN players p ON p.id = v.by_player WHERE v.player_id = ? ORDER BY v.at`},
	{"fair_play_looks_of_mine", "SELECT place, at FROM dossier_views WHERE by_player = ? ORDER BY at"},
	{"arbiter_counts", "SELECT month, name, n FROM arbiter_counts WHERE player_id = ? ORDER BY month, name"},
	{"match_facts", `SELECT f.match_id, f.kind, f.demand, f.at, f.move, f.number
		FROM match_facts f JOIN matches m ON m.id = f.match_id
		WHERE m.first_player = ? AND f.seat = ` + seatFirst + ` OR m.second_player = ? AND f.seat = ` + seatSecond + ` ORDER BY f.at`},
	{"analysis_refusals", "SELECT id, match_id, player_id, at, position FROM analysis_refusals WHERE player_id = ?"},
	{"passkeys", `SELECT id, name, aaguid, backup_eligible, backed_up, sign_count, created_at, used_at
		FROM passkeys WHERE player_id = ? ORDER BY created_at`},
	{"check_ins", "SELECT match_id, no, policy, means, synced, at FROM check_ins WHERE player_id = ? ORDER BY at"},
	{"check_in_codes", "SELECT match_id, issued_at, expires_at, used_at FROM check_in_codes WHERE player_id = ? ORDER BY issued_at"},
	{"erasure", "SELECT asked_at, due_at FROM erasures WHERE player_id = ?"},
}

// ExportTable is a section with its rows.
type ExportTable struct {
	Name    string
	Columns []string
	Rows    [][]any // numbers, texts, truth values and nil, as the database has them
}

// Export calls f with every section of an account's data.
func (tx *Tx) Export(of player.ID, f func(ExportTable) error) error {
	for _, section := range ExportSections {
		t, err := tx.exportTable(section, of)
		if err != nil {
			return wrap(err, "export %s", section.Name)
		}
		if err := f(t); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) exportTable(section ExportSection, of player.ID) (ExportTable, error) {
	t := ExportTable{Name: section.Name, Rows: [][]any{}}
	rows, err := tx.db.Raw(section.Query, slices.Repeat([]any{string(of)}, strings.Count(section.Query, "?"))...).Rows()
	if err != nil {
		return t, err
	}
	defer rows.Close()
	if t.Columns, err = rows.Columns(); err != nil {
		return t, err
	}
	for rows.Next() {
		row := make([]any, len(t.Columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return t, err
		}
		for i, v := range row {
			if raw, ok := v.([]byte); ok {
				row[i] = string(raw)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	if err := rows.Err(); err != nil {
		return t, err
	}
	return t, tx.nameAccounts(t.Rows)
}

// nameAccounts puts handles in the place of accounts' ids, wherever they stand in texts: in logs and states of ratings.
func (tx *Tx) nameAccounts(rows [][]any) error {
	seen := map[player.ID]bool{}
	for _, row := range rows {
		for _, v := range row {
			text, _ := v.(string)
			for _, id := range idText.FindAllString(text, -1) {
				seen[player.ID(id)] = true
			}
		}
	}
	accounts, err := tx.Players(slices.Collect(maps.Keys(seen))...)
	if err != nil {
		return err
	}
	for _, row := range rows {
		for i, v := range row {
			if text, is := v.(string); is {
				row[i] = idText.ReplaceAllStringFunc(text, func(id string) string {
					if of, known := accounts[player.ID(id)]; known {
						return string(of.Handle)
					}
					return id
				})
			}
		}
	}
	return nil
}

// idText is what NewID makes.
var idText = regexp.MustCompile(`\b[a-z2-7]{16}\b`)

// ExportMatches are the matches whose records an export includes, the latest first.
func (tx *Tx) ExportMatches(of player.ID) ([]Head, error) { return tx.MatchesOf(of, exportMatches) }

// exportMatches bounds the records in an export.
const exportMatches = 10_000
