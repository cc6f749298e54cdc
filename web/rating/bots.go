package rating

import (
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	ratingview "chpok.org/chpok/templates/rating"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// botFacts are what a list says of a bot besides its rating.
type botFacts struct {
	maintainer player.Player   // none: it is the site's
	rules      player.BotRules // if it has a maintainer
	last       []rating.Result
}

// lastOfBot is over how many matches the score of a bot is told: their matches are not rated outside of events.
const lastOfBot = 50

// readBots reads them for the bots of a list.
func readBots(tx *store.Tx, bots []player.Player) (map[player.ID]botFacts, error) {
	var ids []player.ID
	for _, b := range bots {
		ids = append(ids, b.Maintainer)
	}
	who, err := tx.Players(ids...)
	if err != nil {
		return nil, err
	}
	facts := map[player.ID]botFacts{}
	for _, b := range bots {
		f := botFacts{maintainer: who[b.Maintainer]}
		if f.last, err = tx.ResultsOf(b.ID, lastOfBot); err != nil {
			return nil, err
		}
		if b.Maintainer != "" {
			if f.rules, err = tx.BotRules(b.ID); err != nil {
				return nil, err
			}
		}
		facts[b.ID] = f
	}
	return facts, nil
}

// halves are the half points of the last matches.
func (f botFacts) halves() (n int) {
	for _, r := range f.last {
		n += int(r)
	}
	return n
}

func botLine(p lang.Printer, x player.Player, r store.Rating, f botFacts) ratingview.BotLine {
	line := ratingview.BotLine{Bot: templates.Link{Text: words.PlayerName(p, x), URL: words.PlayerURL(x.Handle)},
		Answers: templates.Link{Text: p.T("bots.of-site")}, Strength: words.PublishedRating(p, r.Rating)}
	if n := len(f.last); n > 0 {
		line.Score = p.N("bots.scored", n, "Percent", p.Int((100*f.halves()+n)/(2*n)))
	}
	if b, is := house.Named(x.Handle); is && x.IsHouse() {
		level := p.T("play.level", "Level", b.Level, "Of", house.Levels)
		if line.Strength = level; r.Rating > 0 && !r.Provisional {
			line.Strength = words.PublishedRating(p, r.Rating) + " · " + level
		}
	}
	if f.maintainer.ID != "" {
		line.Answers = templates.Link{Text: string(f.maintainer.Handle), URL: words.PlayerURL(f.maintainer.Handle)}
		line.Plays = botPlays(p, f.rules)
	}
	return line
}

// botPlays says whom a bot plays, and what.
func botPlays(p lang.Printer, r player.BotRules) string {
	parts := []string{p.T("bots.plays." + string(r.From))}
	if low := r.Ratings[0]; low > 0 {
		parts = append(parts, p.T("bots.plays.low", "Low", words.Itoa(low)))
	}
	if high := r.Ratings[1]; high > 0 {
		parts = append(parts, p.T("bots.plays.high", "High", words.Itoa(high)))
	}
	if r.Longest > 0 {
		parts = append(parts, p.T("bots.plays.longest", "Time", p.Duration(r.Longest)))
	}
	return p.T("bots.plays", "What", strings.Join(append(parts, p.N("bots.plays.at-once", r.AtOnce)), ", "))
}

type (
	botsIn struct {
		page.Paged
		Search string `query:"q,omitempty" doc:"a part of a handle" example:"an" max:"40"`
	}
	apiBot struct {
		Handle     player.Handle     `json:"handle" doc:"the bot"`
		Maintainer *player.Handle    `json:"maintainer" doc:"who answers for it; null: the site"`
		Level      *int              `json:"level" doc:"of the site’s own bots, from 1 to 8; null: another’s" example:"3"`
		Rating     *float64          `json:"rating" doc:"by rated events, in points; null: none" example:"1612.5"`
		Last       apiBotScore       `json:"last" doc:"how it did in its last matches"`
		Rules      *page.APIBotRules `json:"rules" doc:"what it plays; null: everybody and everything"`
	}
	apiBotScore struct {
		Matches int     `json:"matches" doc:"how many, up to 50" example:"20"`
		Points  float64 `json:"points" doc:"it scored in them" example:"12.5"`
	}
	apiBots struct {
		Bots []apiBot `json:"bots" doc:"the strongest first: by a rating that is not provisional, the site’s own else by level, then by provisional ratings"`
		Next *string  `json:"next" doc:"after of the rest; null at the end" example:"50"`
	}
)

func (s api) bots(c echo.Context, in botsIn) (out apiBots, err error) {
	from, err := in.Offset()
	if err != nil {
		return out, err
	}
	out.Bots = []apiBot{}
	q := store.PlayerQuery{Search: in.Search, Bots: true, Limit: in.Most(100), Offset: from}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		found, total, err := tx.FindPlayers(q)
		if err != nil {
			return err
		}
		ratings, err := tx.Ratings(IdsOf(found)...)
		if err != nil {
			return err
		}
		facts, err := readBots(tx, found)
		for _, x := range found {
			out.Bots = append(out.Bots, apiBotOf(x, ratings[x.ID], facts[x.ID]))
		}
		out.Next = in.Next(from+len(found), total)
		return err
	})
	return out, err
}

func apiBotOf(x player.Player, r store.Rating, f botFacts) apiBot {
	out := apiBot{Handle: x.Handle, Maintainer: page.Optional(f.maintainer.Handle), Rating: page.Optional(points(r.Rating)),
		Last: apiBotScore{len(f.last), float64(f.halves()) / 2}}
	if b, is := house.Named(x.Handle); is && x.IsHouse() {
		out.Level = &b.Level
	}
	if f.maintainer.ID != "" {
		rules := page.APIBotRulesOf(f.rules)
		out.Rules = &rules
	}
	return out
}
