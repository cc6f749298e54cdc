package store

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
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
		Bot: p.Bot, Credential: string(c), MaintainerID: textOrNull(p.Maintainer), Guest: p.Guest, Unclaimed: p.Unclaimed,
		Lang: p.Settings.Lang, Theme: p.Settings.Theme, Zone: p.Settings.Zone, Play: string(p.Settings.Play), CreatedAt: ms(p.Created),
	}
}

// Player finds an account, ErrNotFound without one.
func (tx *Tx) Player(id player.ID) (player.Player, error) {
	return findOne(tx.db.Where("id = ?", string(id)), playerRow.player, "player %s", id)
}

// Players finds many accounts at once; those that do not exist are missing.
func (tx *Tx) Players(ids ...player.ID) (map[player.ID]player.Player, error) {
	return byID(ids, func(some []string) *gorm.DB { return tx.db.Where("id IN ?", some) },
		func(r playerRow) (player.ID, player.Player) { return player.ID(r.ID), r.player() }, "players")
}

// PlayerByHandle finds an account by its handle, in any case.
func (tx *Tx) PlayerByHandle(h player.Handle) (player.Player, error) {
	p, _, err := tx.PlayerCredential(h)
	return p, err
}

// PlayersByHandle are the accounts with some handles.
func (tx *Tx) PlayersByHandle(handles ...player.Handle) ([]player.Player, error) {
	keys := make([]string, len(handles))
	for i, h := range handles {
		keys[i] = h.Key()
	}
	var out []player.Player
	err := eachOf(keys, func(some []string) *gorm.DB { return tx.db.Where("handle_key IN ?", some) },
		func(r playerRow) { out = append(out, r.player()) })
	return out, wrap(err, "players by handle")
}

// PlayerCredential is PlayerByHandle with the stored password.
func (tx *Tx) PlayerCredential(h player.Handle) (player.Player, player.Credential, error) {
	var row playerRow
	if err := tx.db.Where("handle_key = ?", h.Key()).Take(&row).Error; err != nil {
		return player.Player{}, "", wrap(err, "player %s", h)
	}
	return row.player(), player.Credential(row.Credential), nil
}

// PlayerQuery selects accounts for a list in order of handles.
type PlayerQuery struct {
	Search        string // words, or parts of a handle; empty: all
	All           bool   // even those who asked to be hidden
	People, Bots  bool   // only those
	FollowedBy    player.ID
	Near          int // only those rated about like this; 0: any
	Limit, Offset int
	// Few asks for some that fit, without counting them: of the many that begin with a
	// word, only the first in the order of words are looked at.
	Few bool
}

// FindPlayers is one page of a list, by handle or, of bots, by strength, and the length of the whole list (0 for Few). Guests
// and erased accounts are never in it; those who asked to be hidden are found by their
// whole handle.
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
	total := 0
	if !q.Few {
		var err error
		if total, err = count(db, "count players"); err != nil {
			return nil, 0, err
		}
	}
	order := clause.Expr{SQL: "CASE WHEN handle_key = ? THEN 0 ELSE 1 END, handle_key", Vars: []any{key}}
	if q.Bots {
		order = byStrength(order)
	}
	list, err := findAll(db.Clauses(clause.OrderBy{Expression: order}).Limit(q.Limit).Offset(q.Offset), playerRow.player, "find players")
	return list, total, err
}

// byStrength orders bots by what was measured of them: a rating with games enough behind it, else the level of the house's. Then come
// ratings that say less, and the rest as it was.
func byStrength(rest clause.Expr) clause.Expr {
	const rated = "COALESCE((SELECT s.rating FROM ratings s WHERE s.player_id = players.id AND s.fold_id = " + shownFold
	e := clause.Expr{SQL: rated + " AND NOT s.provisional), 0) DESC, CASE WHEN maintainer_id IS NOT NULL THEN 0", Vars: []any{string(rating.Main)}}
	for _, b := range house.Bots() {
		e.SQL += " WHEN handle_key = ? THEN " + strconv.Itoa(b.Level)
		e.Vars = append(e.Vars, b.Handle.Key())
	}
	e.SQL += " ELSE 0 END DESC, " + rated + "), 0) DESC, " + rest.SQL
	e.Vars = append(append(e.Vars, string(rating.Main)), rest.Vars...)
	return e
}

// Bots are the house's own bots, in order of handles.
func (tx *Tx) Bots() ([]player.Player, error) { return tx.bots("bot AND maintainer_id IS NULL") }

// BotsOf are the bots a person maintains, in order of handles.
func (tx *Tx) BotsOf(id player.ID) ([]player.Player, error) {
	return tx.bots("bot AND maintainer_id = ?", string(id))
}

func (tx *Tx) bots(where string, args ...any) ([]player.Player, error) {
	return findAll(tx.db.Where(where, args...).Order("handle_key"), playerRow.player, "bots")
}

// isOperator is the SQL condition of the partial index of operators.
const isOperator = "role = 'operator'"

// Operators are the accounts that run the site.
func (tx *Tx) Operators() ([]player.ID, error) {
	return scan[[]player.ID](tx.db.Raw("SELECT id FROM players WHERE "+isOperator+" ORDER BY id"), "operators")
}

// CountOperators counts the operators of the site.
func (tx *Tx) CountOperators() (int, error) {
	return count(tx.db.Model(&playerRow{}).Where(isOperator), "count operators")
}

// AddPlayer creates an account, ErrTaken when the handle is in use.
func (tx *Tx) AddPlayer(p player.Player, c player.Credential) error {
	row := rowOfPlayer(p, c)
	if err := tx.db.Create(&row).Error; err != nil {
		return wrap(err, "add player")
	}
	return tx.indexPlayer(p.ID)
}

func (tx *Tx) changePlayer(id player.ID, what string, values map[string]any) error {
	tx.accounts = true
	return wrap(existing(tx.db.Model(&playerRow{}).Where("id = ?", string(id)).Updates(values)), "%s", what)
}

// ConvertToBot turns an account that has played no match into a bot and ends its
// sessions, tokens and links; ErrConflict when it has played meanwhile.
func (tx *Tx) ConvertToBot(p player.Player) error {
	tx.accounts = true
	err := guarded(tx.db.Exec(`UPDATE players SET bot = ?, maintainer_id = ?, credential = ''
		WHERE id = ? AND NOT bot AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.first_player = players.id OR m.second_player = players.id)`,
		true, string(p.Maintainer), string(p.ID)))
	for _, table := range []string{"sessions", "tokens", "sign_in_links", "grant_codes"} {
		if err == nil {
			err = tx.db.Exec("DELETE FROM "+table+" WHERE player_id = ?", string(p.ID)).Error
		}
	}
	return wrap(err, "convert %s", p.Handle)
}

// ClaimGuest turns a guest, or somebody who came in at a door, into an account of their
// own. The door's code goes with every passkey: whoever found the slip may have added
// one. It fails with ErrTaken when the handle is in use and with ErrConflict when they
// have claimed already.
func (tx *Tx) ClaimGuest(id player.ID, h player.Handle, c player.Credential) error {
	tx.accounts = true
	err := guarded(tx.db.Exec(`UPDATE players SET handle = ?, handle_key = ?, credential = ?, guest = FALSE, unclaimed = FALSE
		WHERE id = ? AND (guest OR unclaimed)`,
		string(h), h.Key(), string(c), string(id)))
	if err != nil {
		return wrap(err, "claim %s", id)
	}
	if err := tx.endSlip(id); err != nil {
		return err
	}
	return tx.indexPlayer(id)
}

// BotRules are what a bot may play: the usual rules if it has none of its own.
func (tx *Tx) BotRules(id player.ID) (player.BotRules, error) {
	rules := player.DefaultBotRules()
	text, err := scan[string](tx.db.Raw("SELECT bot_rules FROM players WHERE id = ?", string(id)), "rules of bot %s", id)
	if err == nil && text != "" {
		err = wrap(json.Unmarshal([]byte(text), &rules), "rules of bot %s", id)
	}
	return rules, err
}

// SetBotRules stores what a bot may play.
func (tx *Tx) SetBotRules(id player.ID, rules player.BotRules) error {
	text, err := json.Marshal(rules)
	if err != nil {
		return err
	}
	return tx.changePlayer(id, "set bot rules", map[string]any{"bot_rules": string(text)})
}

// Learned is the lessons a player has completed, one bit each from the first.
func (tx *Tx) Learned(id player.ID) (uint64, error) {
	done, err := scan[int64](tx.db.Raw("SELECT learned FROM players WHERE id = ?", string(id)), "learned")
	return uint64(done), err
}

// SetLearned stores the completed lessons, see Learned.
func (tx *Tx) SetLearned(id player.ID, done uint64) error {
	return tx.changePlayer(id, "set learned", map[string]any{"learned": int64(done)})
}

// IdleGuests are guests who came before a moment and have had no session since.
func (tx *Tx) IdleGuests(before time.Time, limit int) ([]player.ID, error) {
	return scan[[]player.ID](tx.db.Raw(`SELECT p.id FROM players p WHERE p.guest AND p.created_at < ?
		AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.player_id = p.id AND s.used_at >= ?)
		AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.player_id = p.id) ORDER BY p.created_at LIMIT ?`,
		ms(before), ms(before), limit), "idle guests")
}

// CountMatches counts a player's matches, running ones included.
func (tx *Tx) CountMatches(id player.ID) (int, error) {
	return count(tx.db.Model(&matchRow{}).Where("first_player = ? OR second_player = ?", string(id), string(id)), "count matches")
}

// SetRole changes what an account may do.
func (tx *Tx) SetRole(id player.ID, role player.Role) error {
	return tx.changePlayer(id, "set role", map[string]any{"role": role.String()})
}

// SetCredential changes an account's password. A guest from a door makes the account
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

// texts converts identifiers to strings, which every driver understands.
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

// Setting is a setting of the site, otherwise when it is not set.
func (tx *Tx) Setting(name, otherwise string) (string, error) {
	value, err := findOne(tx.db.Where("name = ?", name), func(r settingRow) string { return r.Value }, "setting %s", name)
	if errors.Is(err, ErrNotFound) {
		return otherwise, nil
	}
	return value, err
}

// SetSetting changes one setting of the site.
func (tx *Tx) SetSetting(name, value string) error {
	err := tx.db.Exec(`INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name)
		DO UPDATE SET value = excluded.value`, name, value).Error
	return wrap(err, "set %s", name)
}

// FirstSetting sets what nobody has set yet and returns what now holds: nodes that start
// together all get the same value.
func (tx *Tx) FirstSetting(name, value string) (string, error) {
	err := tx.db.Exec("INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", name, value).Error
	if err != nil {
		return "", wrap(err, "first %s", name)
	}
	return tx.Setting(name, value)
}
