package store

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
)

type playerRow struct {
	ID           string `gorm:"primaryKey"`
	Handle       string
	HandleKey    string
	Role         string
	Bot          bool
	Credential   string
	MaintainerID *string
	Guest        bool
	Unclaimed    bool
	Lang         string
	Theme        string
	Zone         string
	Play         string
	CreatedAt    int64 `gorm:"autoCreateTime:false"`
}

func (playerRow) TableName() string { return "players" }

func (r playerRow) player() player.Player {
	role, _ := player.ParseRole(r.Role) // the schema lets no other word in
	return player.Player{
		ID: player.ID(r.ID), Handle: player.Handle(r.Handle), Role: role, Bot: r.Bot,
		Maintainer: player.ID(textOf(r.MaintainerID)), Guest: r.Guest, Unclaimed: r.Unclaimed, Created: at(r.CreatedAt),
		Settings: player.Settings{Lang: r.Lang, Theme: r.Theme, Zone: r.Zone, Play: player.ParsePlay(r.Play)},
	}
}

func rowOfPlayer(p player.Player, c player.Credential) playerRow {
	return playerRow{
		ID: string(p.ID), Handle: string(p.Handle), HandleKey: p.Handle.Key(), Role: p.Role.String(),
		Bot: p.Bot, Credential: string(c), MaintainerID: textOrNull(string(p.Maintainer)), Guest: p.Guest, Unclaimed: p.Unclaimed,
		Lang: p.Settings.Lang, Theme: p.Settings.Theme, Zone: p.Settings.Zone, Play: string(p.Settings.Play), CreatedAt: ms(p.Created),
	}
}

// Player finds an account, ErrNotFound without one.
func (tx *Tx) Player(id player.ID) (player.Player, error) {
	var row playerRow
	if err := tx.db.Where("id = ?", string(id)).Take(&row).Error; err != nil {
		return player.Player{}, fmt.Errorf("store: player %s: %w", id, err)
	}
	return row.player(), nil
}

// Players finds many accounts at once; those that do not exist are missing.
func (tx *Tx) Players(ids ...player.ID) (map[player.ID]player.Player, error) {
	out := make(map[player.ID]player.Player, len(ids))
	for len(ids) > 0 {
		n := min(len(ids), 500)
		var rows []playerRow
		if err := tx.db.Where("id IN ?", texts(ids[:n])).Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("store: players: %w", err)
		}
		for _, r := range rows {
			out[player.ID(r.ID)] = r.player()
		}
		ids = ids[n:]
	}
	return out, nil
}

// PlayerByHandle finds an account by its handle in any case.
func (tx *Tx) PlayerByHandle(h player.Handle) (player.Player, error) {
	p, _, err := tx.PlayerCredential(h)
	return p, err
}

// PlayersByHandle are those of some handles that exist.
func (tx *Tx) PlayersByHandle(handles ...player.Handle) ([]player.Player, error) {
	var out []player.Player
	for len(handles) > 0 {
		n := min(len(handles), 500)
		keys := make([]string, n)
		for i, h := range handles[:n] {
			keys[i] = h.Key()
		}
		var rows []playerRow
		if err := tx.db.Where("handle_key IN ?", keys).Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("store: players by handle: %w", err)
		}
		for _, r := range rows {
			out = append(out, r.player())
		}
		handles = handles[n:]
	}
	return out, nil
}

// PlayerCredential is PlayerByHandle with the stored password.
func (tx *Tx) PlayerCredential(h player.Handle) (player.Player, player.Credential, error) {
	var row playerRow
	if err := tx.db.Where("handle_key = ?", h.Key()).Take(&row).Error; err != nil {
		return player.Player{}, "", fmt.Errorf("store: player %s: %w", h, err)
	}
	return row.player(), player.Credential(row.Credential), nil
}

// PlayerQuery selects accounts for a list in the order of handles.
type PlayerQuery struct {
	Search        string // words, or parts of a handle; empty: all
	All           bool   // also those who asked to be hidden
	People, Bots  bool   // only those
	FollowedBy    player.ID
	Near          int // only who is rated about like this; 0: any
	Limit, Offset int
	// Few asks for some that fit, not for how many: of a word that very many begin with,
	// those are looked at whose words come first.
	Few bool
}

// FindPlayers is one page of a list and the length of the whole list (0 of Few). Guests and
// erased accounts are in none; who asked to be hidden is found by the whole handle.
func (tx *Tx) FindPlayers(q PlayerQuery) ([]player.Player, int, error) {
	key := player.Handle(strings.TrimSpace(q.Search)).Key()
	db := tx.db.Model(&playerRow{}).
		Where("NOT guest AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.player_id = players.id AND e.done_at > 0)")
	if !q.All {
		db = db.Where("(handle_key = ? OR NOT EXISTS (SELECT 1 FROM profiles f WHERE f.player_id = players.id AND f.hidden))", key)
	}
	if q.Search != "" {
		most := -1
		if q.Few {
			most = lookedAt
		}
		db = matchingSome(db, foundPlayer, "id", q.Search, most)
	}
	if q.People || q.Bots {
		db = db.Where("bot = ?", q.Bots)
	}
	if q.FollowedBy != "" {
		db = db.Where("id IN (SELECT followed_id FROM follows WHERE player_id = ?)", string(q.FollowedBy))
	}
	if q.Near != 0 {
		db = db.Where("id IN (SELECT player_id FROM ratings WHERE fold_id = "+shownFold+" AND rating BETWEEN ? AND ?)",
			string(rating.Main), 100*(q.Near-nearRating), 100*(q.Near+nearRating))
	}
	var total int64
	var rows []playerRow
	if !q.Few {
		if err := db.Count(&total).Error; err != nil {
			return nil, 0, fmt.Errorf("store: count players: %w", err)
		}
	}
	order := clause.OrderBy{Expression: clause.Expr{SQL: "CASE WHEN handle_key = ? THEN 0 ELSE 1 END, handle_key", Vars: []any{key}}}
	if err := db.Clauses(order).Limit(q.Limit).Offset(q.Offset).Find(&rows).Error; err != nil {
		return nil, 0, fmt.Errorf("store: find players: %w", err)
	}
	out := make([]player.Player, len(rows))
	for i, r := range rows {
		out[i] = r.player()
	}
	return out, int(total), nil
}

// Bots are those that the house plays, in the order of handles.
func (tx *Tx) Bots() ([]player.Player, error) { return tx.bots("bot AND maintainer_id IS NULL") }

// BotsOf are those that a person answers for, in the order of handles.
func (tx *Tx) BotsOf(id player.ID) ([]player.Player, error) {
	return tx.bots("bot AND maintainer_id = ?", string(id))
}

func (tx *Tx) bots(where string, args ...any) ([]player.Player, error) {
	var rows []playerRow
	if err := tx.db.Where(where, args...).Order("handle_key").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: bots: %w", err)
	}
	out := make([]player.Player, len(rows))
	for i, r := range rows {
		out[i] = r.player()
	}
	return out, nil
}

// isOperator says it as the index of operators does: they are few among many.
const isOperator = "role = 'operator'"

// Operators are the accounts that run the site.
func (tx *Tx) Operators() ([]player.ID, error) {
	var ids []player.ID
	if err := tx.db.Raw("SELECT id FROM players WHERE " + isOperator + " ORDER BY id").Scan(&ids).Error; err != nil {
		return nil, fmt.Errorf("store: operators: %w", err)
	}
	return ids, nil
}

// CountOperators is how many accounts run the site.
func (tx *Tx) CountOperators() (int, error) {
	var n int64
	if err := tx.db.Model(&playerRow{}).Where(isOperator).Count(&n).Error; err != nil {
		return 0, fmt.Errorf("store: count operators: %w", err)
	}
	return int(n), nil
}

// AddPlayer creates an account, ErrTaken when the handle is in use.
func (tx *Tx) AddPlayer(p player.Player, c player.Credential) error {
	row := rowOfPlayer(p, c)
	if err := tx.db.Create(&row).Error; err != nil {
		return fmt.Errorf("store: add player: %w", err)
	}
	return tx.indexPlayer(p.ID)
}

func (tx *Tx) changePlayer(id player.ID, what string, values map[string]any) error {
	tx.accounts = true
	r := tx.db.Model(&playerRow{}).Where("id = ?", string(id)).Updates(values)
	if r.Error == nil && r.RowsAffected == 0 {
		r.Error = ErrNotFound
	}
	if r.Error != nil {
		return fmt.Errorf("store: %s: %w", what, r.Error)
	}
	return nil
}

// ConvertToBot makes a bot of an account that has played no match and ends what
// signs a person in; ErrConflict when it has played meanwhile.
func (tx *Tx) ConvertToBot(p player.Player) error {
	tx.accounts = true
	err := guarded(tx.db.Exec(`UPDATE players SET bot = ?, maintainer_id = ?, credential = ''
		WHERE id = ? AND NOT bot AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.first_player = players.id OR m.second_player = players.id)`,
		true, string(p.Maintainer), string(p.ID)))
	for _, table := range []string{"sessions", "tokens", "sign_in_links"} {
		if err == nil {
			err = tx.db.Exec("DELETE FROM "+table+" WHERE player_id = ?", string(p.ID)).Error
		}
	}
	if err != nil {
		return fmt.Errorf("store: convert %s: %w", p.Handle, err)
	}
	return nil
}

// ClaimGuest makes an account of a guest, or of who came in at a door, whose code goes
// with every passkey: whoever found the slip may have added one. ErrTaken when the
// handle is in use, ErrConflict when they have become one already.
func (tx *Tx) ClaimGuest(id player.ID, h player.Handle, c player.Credential) error {
	tx.accounts = true
	err := guarded(tx.db.Exec(`UPDATE players SET handle = ?, handle_key = ?, credential = ?, guest = FALSE, unclaimed = FALSE
		WHERE id = ? AND (guest OR unclaimed)`,
		string(h), h.Key(), string(c), string(id)))
	if err != nil {
		return fmt.Errorf("store: claim %s: %w", id, err)
	}
	if err := tx.endSlip(id); err != nil {
		return err
	}
	return tx.indexPlayer(id)
}

// Learned is the lessons that a player has done, as bits from the first.
func (tx *Tx) Learned(id player.ID) (uint64, error) {
	var done int64
	if err := tx.db.Raw("SELECT learned FROM players WHERE id = ?", string(id)).Scan(&done).Error; err != nil {
		return 0, fmt.Errorf("store: learned: %w", err)
	}
	return uint64(done), nil
}

// SetLearned notes them.
func (tx *Tx) SetLearned(id player.ID, done uint64) error {
	return tx.changePlayer(id, "set learned", map[string]any{"learned": int64(done)})
}

// IdleGuests are guests who came before a moment and have no session since.
func (tx *Tx) IdleGuests(before time.Time, limit int) ([]player.ID, error) {
	var ids []player.ID
	err := tx.db.Raw(`SELECT p.id FROM players p WHERE p.guest AND p.created_at < ?
		AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.player_id = p.id AND s.used_at >= ?)
		AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.player_id = p.id) ORDER BY p.created_at LIMIT ?`,
		ms(before), ms(before), limit).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("store: idle guests: %w", err)
	}
	return ids, nil
}

// CountMatches is how many matches a player has, running ones included.
func (tx *Tx) CountMatches(id player.ID) (int, error) {
	var n int64
	if err := tx.db.Model(&matchRow{}).Where("first_player = ? OR second_player = ?", string(id), string(id)).Count(&n).Error; err != nil {
		return 0, fmt.Errorf("store: count matches: %w", err)
	}
	return int(n), nil
}

// SetRole changes what an account may do.
func (tx *Tx) SetRole(id player.ID, role player.Role) error {
	return tx.changePlayer(id, "set role", map[string]any{"role": role.String()})
}

// SetCredential changes an account's password. Who came in at a door makes the account
// their own by it, see ClaimGuest.
func (tx *Tx) SetCredential(id player.ID, c player.Credential) error {
	if err := tx.changePlayer(id, "set password", map[string]any{"credential": string(c), "unclaimed": false}); err != nil {
		return err
	}
	return tx.endSlip(id)
}

// SetPlayerSettings changes how an account sees the site.
func (tx *Tx) SetPlayerSettings(id player.ID, s player.Settings) error {
	return tx.changePlayer(id, "set settings", map[string]any{"lang": s.Lang, "theme": s.Theme, "zone": s.Zone, "play": string(s.Play)})
}

// texts turns identities into what a driver understands.
func texts[T ~string](ids []T) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}

type settingRow struct {
	Name  string `gorm:"primaryKey"`
	Value string
}

func (settingRow) TableName() string { return "settings" }

// Setting is one setting of the site, or what it is when nobody has set it.
func (tx *Tx) Setting(name, otherwise string) (string, error) {
	var row settingRow
	err := tx.db.Where("name = ?", name).Take(&row).Error
	switch {
	case err == nil:
		return row.Value, nil
	case errors.Is(err, ErrNotFound):
		return otherwise, nil
	}
	return "", fmt.Errorf("store: setting %s: %w", name, err)
}

// SetSetting changes one setting of the site.
func (tx *Tx) SetSetting(name, value string) error {
	err := tx.db.Exec(`INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name)
		DO UPDATE SET value = excluded.value`, name, value).Error
	if err != nil {
		return fmt.Errorf("store: set %s: %w", name, err)
	}
	return nil
}

// FirstSetting sets what nobody has set yet, and answers what now holds: of
// several nodes that start together, all get the same.
func (tx *Tx) FirstSetting(name, value string) (string, error) {
	err := tx.db.Exec("INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", name, value).Error
	if err != nil {
		return "", fmt.Errorf("store: first %s: %w", name, err)
	}
	return tx.Setting(name, value)
}
