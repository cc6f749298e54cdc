package account

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// Choices of a bot's rules.
var (
	longestChoices = []time.Duration{0, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour}
	atOnceChoices  = []int{1, 2, 4, 8, player.MostAtOnce}
)

// botRuleFields returns the form of a bot's rules.
func botRuleFields(p lang.Printer, of player.Handle, r player.BotRules, wrong string) []templates.Field {
	field := func(name, label string) templates.Field {
		return templates.Field{Name: name, ID: "bot-" + name + "-" + of.Key(), Label: label}
	}
	from, longest, atOnce := field("from", p.T("bots.rules.from")), field("longest", p.T("bots.rules.longest")),
		field("at-once", p.T("bots.rules.at-once"))
	from.Type, longest.Type, atOnce.Type = "select", "select", "select"
	for _, a := range player.Audiences {
		from.Choices = append(from.Choices, templates.Choice{Value: string(a), Text: p.T("place.audience." + string(a)), Chosen: a == r.From})
	}
	for _, d := range longestChoices {
		text := p.T("bots.rules.any")
		if d > 0 {
			text = p.Duration(d)
		}
		longest.Choices = append(longest.Choices, templates.Choice{Value: words.Itoa(int(d.Minutes())), Text: text, Chosen: d == r.Longest})
	}
	for _, n := range atOnceChoices {
		atOnce.Choices = append(atOnce.Choices, templates.Choice{Value: words.Itoa(n), Text: words.Itoa(n), Chosen: n == r.AtOnce})
	}
	low, high := field("low", p.T("bots.rules.low")), field("high", p.T("bots.rules.high"))
	for i, f := range []*templates.Field{&low, &high} {
		f.Max, f.Autocomplete = 4, "off"
		if r.Ratings[i] > 0 {
			f.Value = words.Itoa(r.Ratings[i])
		}
	}
	low.Error, high.Hint = wrong, p.T("bots.rules.bounds")
	return []templates.Field{from, low, high, longest, atOnce}
}

// botRulesOf reads the form of a bot's rules. A rating that is no number is -1.
func botRulesOf(c echo.Context) player.BotRules {
	number := func(name string) int {
		text := strings.TrimSpace(c.FormValue(name))
		n, err := strconv.Atoi(text)
		if text != "" && err != nil {
			return -1
		}
		return n
	}
	return player.BotRules{From: player.Audience(c.FormValue("from")), Ratings: [2]int{number("low"), number("high")},
		Longest: time.Duration(number("longest")) * time.Minute, AtOnce: number("at-once")}
}

// saveBotRules changes whom a bot of the viewer's plays.
func (s pages) saveBotRules(c echo.Context) error {
	bot, err := s.managed(c)
	if err == nil && !bot.Bot {
		err = page.ErrBadRequest
	}
	if err != nil {
		return err
	}
	switch err := s.setBotRules(c.Request().Context(), bot, botRulesOf(c)); {
	case errors.Is(err, player.ErrBotRules):
		return s.showSettings(c, settingsForms{rules: err})
	case err != nil:
		return err
	}
	return s.Redirect(c, "/settings#bots", "flash.saved")
}

func (s pages) setBotRules(ctx context.Context, bot player.Player, rules player.BotRules) error {
	if err := rules.Check(); err != nil {
		return err
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetBotRules(bot.ID, rules) })
}

// showWrongRules shows the rules of a bot as they were sent, with what is wrong.
func (s pages) showWrongRules(c echo.Context, view *accountview.SettingsView, wrong error) {
	for i := range view.Bots {
		b := &view.Bots[i]
		if b.Handle != c.FormValue("bot") {
			continue
		}
		b.IsOpen = true
		b.Rules = botRuleFields(s.Printer(c), player.Handle(b.Handle), botRulesOf(c), s.FormError(c, wrong, player.ErrBotRules))
		for f := range b.Rules {
			if b.Rules[f].Type == "" {
				b.Rules[f].Value = words.Shorten(c.FormValue(b.Rules[f].Name), 10)
			}
		}
	}
}
