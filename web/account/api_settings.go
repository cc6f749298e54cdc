package account

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

func (s api) settingsOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /me/settings", player.ScopeRead, s.settings, "One’s settings",
			"Language, appearance, time zone, and how one likes to play."),
		page.Op("PATCH /me/settings", player.ScopeAccount, s.setSettings, "Change one’s settings", "What is left out stays."),
		page.Op("GET /me/profile", player.ScopeRead, s.profile, "What one tells of oneself", "And who may see it."),
		page.Op("PUT /me/profile", player.ScopeAccount, s.setProfile, "Say something of oneself",
			"The whole of it: what is left out is told no more."),
		page.Op("GET /me/days", player.ScopeRead, s.days, "The days on which one cannot play", "Those to come, by one’s own calendar."),
		page.Act("PUT /me/days", player.ScopeAccount, s.setDays, "Say on which days one cannot play",
			"The whole of it. Opponents with whom one arranges a match see it, and arbiters and captains of one’s events."),
		page.Op("GET /me/blocks", player.ScopeRead, s.blocks, "Whom one has blocked", "The latest first."),
		page.Act("PUT /me/blocks/{handle}", player.ScopeAccount, s.block, "Block a player",
			"They cannot challenge, follow or write to one, and see of one’s profile what nobody may."),
		page.Act("DELETE /me/blocks/{handle}", player.ScopeAccount, s.unblock, "Block a player no more", "Nobody is told."),
		page.Op("GET /me/bots", player.ScopeRead, s.bots, "The bots one answers for", "With what they may play."),
		page.Op("POST /me/bots", player.ScopeAccount, s.addBot, "Make a bot",
			"One answers for it. Its tokens are made on the settings page. A person runs at most five.").Creates(),
		page.Op("PUT /me/bots/{handle}/rules", player.ScopeAccount, s.setBotRules, "Say what a bot may play",
			"Of the bots one answers for. Challenges outside of it are refused."),
	}
}

// comforts are how somebody likes to play, by name.
type comforts map[string]string

// DescribeAPI lists them with their values.
func (comforts) DescribeAPI() (string, page.Schema) {
	keys := page.Schema{}
	for _, c := range player.Comforts {
		var values []any
		for _, v := range c.Values {
			values = append(values, v)
		}
		keys[c.Name] = page.Schema{"type": "string", "enum": values, "default": c.Usual}
	}
	return "Comforts", page.Schema{"type": "object", "properties": keys, "additionalProperties": false, "description": "how one likes to play"}
}

type (
	apiOwnSettings struct {
		Lang  *string  `json:"lang" doc:"language; null: that of the browser" enum:"en,uk" example:"uk"`
		Theme string   `json:"theme" doc:"auto follows the device" enum:"auto,light,dark" example:"auto"`
		Zone  string   `json:"zone" doc:"time zone; empty: that of the browser" example:"Europe/Kyiv"`
		Play  comforts `json:"play" doc:"board, pieces, sounds and the like"`
	}
	ownSettingsIn struct {
		Lang  *string   `json:"lang" doc:"language" enum:"en,uk" example:"uk"`
		Theme *string   `json:"theme" doc:"auto follows the device" enum:"auto,light,dark" example:"auto"`
		Zone  *string   `json:"zone" doc:"time zone; empty: that of the browser" example:"Europe/Kyiv"`
		Play  *comforts `json:"play" doc:"those that change of board, pieces, sounds and the like"`
	}
	apiPrivacy struct {
		Profile   string `json:"profile" doc:"who sees name, text, country and links" enum:"everyone,members,clubs,nobody" example:"everyone"`
		History   string `json:"history" doc:"who sees the history of the rating" enum:"everyone,members,clubs,nobody" example:"everyone"`
		Online    string `json:"online" doc:"who sees when one was last here" enum:"everyone,members,clubs,nobody" example:"members"`
		Challenge string `json:"challenge" doc:"who may challenge one" enum:"everyone,members,clubs,nobody" example:"everyone"`
		Follow    string `json:"follow" doc:"who hears when one plays" enum:"everyone,members,clubs,nobody" example:"everyone"`
		Hidden    bool   `json:"hidden" doc:"search engines are asked to leave one’s page out"`
	}
	apiProfile struct {
		Name    string     `json:"name" doc:"as people call one; empty: by the handle" example:"Anna Koval"`
		About   string     `json:"about" doc:"a text" example:"I teach in Lviv"`
		Country string     `json:"country" doc:"ISO 3166, two capital letters; empty: not told" example:"UA"`
		FIDE    string     `json:"fide,omitempty" doc:"number in FIDE’s lists; absent: not told" example:"14100001"`
		Links   []string   `json:"links" doc:"addresses" example:"[\"https://example.org\"]"`
		Privacy apiPrivacy `json:"privacy" doc:"who may see or do what: everyone, members of the site, those of one’s clubs, nobody"`
	}
	profileIn struct {
		apiProfile
	}
	apiBlocks struct {
		Players []player.Handle `json:"players" doc:"the latest first"`
	}
	apiOwnBot struct {
		Handle player.Handle    `json:"handle" doc:"the bot"`
		Rules  page.APIBotRules `json:"rules" doc:"what it may play"`
	}
	apiOwnBots struct {
		Bots []apiOwnBot `json:"bots" doc:"by handle"`
	}
	botIn struct {
		Handle string `json:"handle" doc:"of the new account" example:"robot" max:"20"`
	}
	botRulesIn struct {
		Handle string `path:"handle" doc:"the bot" example:"robot"`
		page.APIBotRules
	}
)

func (s api) settings(c echo.Context, _ noInput) (apiOwnSettings, error) {
	return settingsOf(page.Viewer(c).Settings), nil
}

func settingsOf(set player.Settings) apiOwnSettings {
	out := apiOwnSettings{Lang: page.Optional(set.Lang), Theme: set.Theme, Zone: set.Zone, Play: comforts{}}
	if out.Theme == "" {
		out.Theme = "auto"
	}
	for _, c := range player.Comforts {
		out.Play[c.Name] = set.Play.Of(c.Name)
	}
	return out
}

func (s api) setSettings(c echo.Context, in ownSettingsIn) (out apiOwnSettings, err error) {
	v := page.Viewer(c)
	set := v.Settings
	if in.Lang != nil {
		set.Lang = *in.Lang
	}
	if in.Theme != nil {
		set.Theme = page.Theme(*in.Theme)
	}
	if in.Zone != nil {
		if set.Zone = *in.Zone; set.Zone != "" && civil.Zone(set.Zone) == nil {
			return out, page.BadValue("zone", "zone is one of the IANA database, such as Europe/Kyiv")
		}
	}
	if in.Play != nil {
		for _, name := range slices.Sorted(maps.Keys(*in.Play)) {
			if set.Play, err = set.Play.With(name, (*in.Play)[name]); err != nil {
				return out, err
			}
		}
	}
	err = s.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.SetPlayerSettings(v.ID, set) })
	return settingsOf(set), err
}

func (s api) profile(c echo.Context, _ noInput) (out apiProfile, err error) {
	x, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (player.Profile, error) { return tx.Profile(page.Viewer(c).ID) })
	of := x.Privacy
	return apiProfile{x.Name, x.About, x.Country, x.FIDE, append([]string{}, x.Links...),
		apiPrivacy{string(of.Profile), string(of.History), string(of.Online),
			string(of.Challenge), string(of.Follow), of.Hidden}}, err
}

func (s api) setProfile(c echo.Context, in profileIn) (page.None, error) {
	of := in.Privacy
	x := player.Profile{Name: in.Name, About: in.About, Country: in.Country, FIDE: in.FIDE, Links: in.Links, Privacy: player.Privacy{
		Profile: player.Audience(of.Profile), History: player.Audience(of.History), Online: player.Audience(of.Online),
		Challenge: player.Audience(of.Challenge), Follow: player.Audience(of.Follow), Hidden: of.Hidden,
	}}
	if errors.Is(x.Check(), player.ErrAudience) {
		return page.None{}, page.BadValue("privacy", "each of privacy is everyone, members, clubs or nobody")
	}
	return page.None{}, profiles(s).save(c, x)
}

func (s api) blocks(c echo.Context, _ noInput) (apiBlocks, error) {
	out := apiBlocks{Players: []player.Handle{}}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		order, err := tx.Blocked(page.Viewer(c).ID)
		if err != nil {
			return err
		}
		who, err := tx.Players(order...)
		for _, id := range order {
			out.Players = append(out.Players, who[id].Handle)
		}
		return err
	})
	return out, err
}

func (s api) block(ctx context.Context, by player.Viewer, in playerPath) error {
	return profiles(s).setBlocked(ctx, by, in.Handle, true)
}

func (s api) unblock(ctx context.Context, by player.Viewer, in playerPath) error {
	return profiles(s).setBlocked(ctx, by, in.Handle, false)
}

func (s api) bots(c echo.Context, _ noInput) (out apiOwnBots, err error) {
	out.Bots = []apiOwnBot{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, err := tx.BotsOf(page.Viewer(c).ID)
		if err != nil {
			return err
		}
		for _, b := range list {
			rules, err := tx.BotRules(b.ID)
			if err != nil {
				return err
			}
			out.Bots = append(out.Bots, apiOwnBot{b.Handle, page.APIBotRulesOf(rules)})
		}
		return nil
	})
	return out, err
}

func (s api) addBot(c echo.Context, in botIn) (apiOwnBot, error) {
	made, err := pages(s).makeBot(c.Request().Context(), page.Viewer(c), in.Handle)
	return apiOwnBot{made.Handle, page.APIBotRulesOf(player.DefaultBotRules())}, err
}

func (s api) setBotRules(c echo.Context, in botRulesIn) (out apiOwnBot, err error) {
	ctx := c.Request().Context()
	bot, err := pages(s).managedBy(ctx, page.Viewer(c), player.Handle(in.Handle))
	if err == nil && !bot.Bot {
		err = store.ErrNotFound
	}
	if err != nil {
		return out, err
	}
	rules := in.Rules()
	return apiOwnBot{bot.Handle, page.APIBotRulesOf(rules)}, pages(s).setBotRules(ctx, bot, rules)
}

type apiDaysOff struct {
	Off []string `json:"off" doc:"the days, YYYY-MM-DD" example:"[\"2026-12-24\"]"`
}

func (s api) days(c echo.Context, _ noInput) (out apiDaysOff, err error) {
	id := page.Viewer(c).ID
	out.Off = []string{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, err := tx.DaysOff(id)
		out.Off = append(out.Off, list[id]...)
		return err
	})
	return out, err
}

func (s api) setDays(ctx context.Context, by player.Viewer, in apiDaysOff) error {
	return pages(s).setDays(ctx, by.ID, "", lastDay, in.Off)
}
