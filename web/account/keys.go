package account

import (
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/oauth"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// errProve asks a viewer with passkeys but no password to sign in again.
var errProve = refusal.Invalid("settings.error.prove", "web: sign in again first")

// ownKeys are all keys to an account: sessions, tokens, bots with their tokens, passkeys and the calendar link.
type ownKeys struct {
	sessions  []player.Session
	tokens    []player.Token
	bots      []player.Player
	botTokens map[player.ID][]player.Token
	botRules  map[player.ID]player.BotRules
	passkeys  []player.Passkey
	calendar  time.Time // when the link was made; zero: none
}

func (s pages) readKeys(c echo.Context) (own ownKeys, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		own, err = keysOf(tx, page.Viewer(c).ID)
		return err
	})
	return own, err
}

func keysOf(tx *store.Tx, of player.ID) (own ownKeys, err error) {
	own.botTokens, own.botRules = map[player.ID][]player.Token{}, map[player.ID]player.BotRules{}
	if own.sessions, err = tx.Sessions(of); err != nil {
		return own, err
	}
	if own.tokens, err = tx.Tokens(of); err != nil {
		return own, err
	}
	if own.passkeys, err = tx.Passkeys(of); err != nil {
		return own, err
	}
	if own.calendar, err = tx.CalendarLinkSince(of); err != nil {
		return own, err
	}
	if own.bots, err = tx.BotsOf(of); err != nil {
		return own, err
	}
	for _, b := range own.bots {
		if own.botTokens[b.ID], err = tx.Tokens(b.ID); err != nil {
			return own, err
		}
		if own.botRules[b.ID], err = tx.BotRules(b.ID); err != nil {
			return own, err
		}
	}
	return own, nil
}

// show adds the keys to the settings page; current is the session of the request.
func (own ownKeys) show(p lang.Printer, current string, now time.Time, view *accountview.SettingsView) {
	others := 0
	for _, x := range own.sessions {
		if !x.IsOver(now) {
			if x.ID != current {
				others++
			}
			view.Sessions = append(view.Sessions, accountview.SessionLine{ID: x.ID, Device: words.Device(p, x.Device), Address: x.Address,
				Since: p.When(x.Created), Used: p.Ago(x.Used), Current: x.ID == current})
		}
	}
	end := func(value, text string, usual bool) {
		view.Ends = append(view.Ends, templates.Choice{Value: value, Text: text, Chosen: usual})
	}
	if others > 0 {
		end(endSessions, p.T("settings.end.sessions", "Count", p.Int(others)), true)
	}
	for _, t := range own.tokens {
		view.Tokens = append(view.Tokens, tokenLine(p, t, now))
		end(endToken+t.ID, p.T("settings.end.token", "Name", t.Name), true)
	}
	for _, b := range own.bots {
		line := accountview.BotLine{Handle: string(b.Handle), URL: words.PlayerURL(b.Handle), Rules: botRuleFields(p, b.Handle, own.botRules[b.ID], "")}
		for _, t := range own.botTokens[b.ID] {
			line.Tokens = append(line.Tokens, tokenLine(p, t, now))
			end(endToken+t.ID, p.T("settings.end.bot-token", "Name", t.Name, "Bot", string(b.Handle)), true)
		}
		view.Bots = append(view.Bots, line)
	}
	if !own.calendar.IsZero() {
		end(endCalendar, p.T("settings.end.calendar", "Date", p.Day(own.calendar)), false)
	}
	for _, k := range own.passkeys {
		end(endPasskey+k.ID, p.T("settings.end.passkey", "Name", k.Name), false)
	}
}

// Keys that the form of a new password can end.
const (
	endSessions = "sessions"
	endToken    = "token:"
	endCalendar = "calendar"
	endPasskey  = "passkey:"
)

// endings are the choices of that form. A key that it did not show, because it is newer, ends or stays as usual.
type endings struct{ shown, chosen []string }

func endingsOf(form url.Values) endings { return endings{form["shown"], form["end"]} }

func (e endings) ends(key string, usual bool) bool {
	if slices.Contains(e.shown, key) {
		return slices.Contains(e.chosen, key)
	}
	return usual
}

// endKeys ends keys that a thief of the old password may have made.
func endKeys(tx *store.Tx, of player.ID, current string, e endings) error {
	own, err := keysOf(tx, of)
	if err != nil {
		return err
	}
	var errs []error
	if e.ends(endSessions, true) {
		errs = append(errs, tx.DropSessions(of, current))
	}
	for _, list := range append([][]player.Token{own.tokens}, slices.Collect(maps.Values(own.botTokens))...) {
		for _, t := range list {
			if e.ends(endToken+t.ID, true) {
				errs = append(errs, tx.DropToken(t.Player, t.ID))
			}
		}
	}
	if e.ends(endCalendar, false) {
		errs = append(errs, tx.DropCalendarLink(of))
	}
	for _, k := range own.passkeys {
		if e.ends(endPasskey+k.ID, false) {
			errs = append(errs, tx.DropPasskey(of, k.ID))
		}
	}
	return errors.Join(errs...)
}

func tokenLine(p lang.Printer, t player.Token, now time.Time) accountview.TokenLine {
	line := accountview.TokenLine{ID: t.ID, Name: t.Name, Since: p.Day(t.Created), Used: p.T("settings.token-unused")}
	if !t.Used.IsZero() {
		line.Used = p.Ago(t.Used)
	}
	switch {
	case t.IsOver(now):
		line.Ends = p.T("settings.token-over", "Date", p.Day(t.Ends))
	case !t.Ends.IsZero():
		line.Ends = p.T("settings.token-until", "Date", p.Day(t.Ends))
	}
	line.Scopes = oauth.Scopes(t.Scopes)
	if target, err := oauth.ParseTarget(t.Target); err == nil {
		line.Application = p.T("settings.token-application", "Who", whoAsks(p, target))
	}
	return line
}

// tokenLives are the choices of a token's life in days; 0: forever.
var tokenLives = []int{30, 90, 365, 0}

const usualTokenLife = 365

func tokenLifeChoices(p lang.Printer) []templates.Choice {
	choices := make([]templates.Choice, len(tokenLives))
	for i, days := range tokenLives {
		choices[i] = templates.Choice{Value: strconv.Itoa(days), Text: p.T("settings.token-days", "Days", p.Int(days)),
			Chosen: days == usualTokenLife}
		if days == 0 {
			choices[i].Text = p.T("settings.token-never")
		}
	}
	return choices
}

// hasProven reports whether the viewer has signed in recently enough.
func (s pages) hasProven(c echo.Context) bool {
	since, _ := c.Get(page.SinceKey).(time.Time)
	return s.Now().Sub(since) <= player.ProvenFor
}

// proof is the field for prove, after a refusal; without a name where nothing is to be proven.
func (s pages) proof(c echo.Context, refused error) templates.Field {
	if s.hasProven(c) {
		return templates.Field{}
	}
	p := s.Printer(c)
	return templates.Field{
		Name: "password", Label: p.T("passkey.password"), Hint: p.T("settings.token-proof"), Type: "password", Autocomplete: "current-password",
		Error: s.FormError(c, refused, page.ErrWrongPassword, page.ErrTooMany, errProve),
	}
}

// prove makes sure that the viewer has not just found an open page: it checks the password or, without one, demands a
// new sign-in by passkey.
func (s pages) prove(c echo.Context) error {
	if s.hasProven(c) {
		return nil
	}
	v := page.Viewer(c)
	has, keys := false, 0
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		_, credential, err := tx.PlayerCredential(v.Handle)
		if err != nil {
			return err
		}
		list, err := tx.Passkeys(v.ID)
		has, keys = credential != "", len(list)
		return err
	})
	switch {
	case err != nil:
		return err
	case !has && keys > 0:
		return errProve
	}
	return s.checkOwnPassword(c, c.FormValue("password"))
}

// addToken renders the page itself, because the secret is shown only once.
func (s pages) addToken(c echo.Context) error {
	name, err := player.ParseTokenName(c.FormValue("name"))
	if err != nil {
		return s.showSettings(c, settingsForms{token: err})
	}
	words, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	of, err := s.managed(c)
	if err != nil {
		return err
	}
	scopes, err := of.ParseScopes(words["scope"])
	if words.Has("scoped") && len(words["scope"]) == 0 {
		err = player.ErrScope
	}
	if err != nil {
		return s.showSettings(c, settingsForms{scope: err})
	}
	t := player.Token{Player: of.ID, Name: name, Scopes: scopes, Created: s.Now()}
	if days, err := strconv.Atoi(words.Get("ends")); words.Has("ends") && (err != nil || !slices.Contains(tokenLives, days)) {
		return page.ErrBadRequest
	} else if days > 0 {
		t.Ends = t.Created.AddDate(0, 0, days)
	}
	switch err := s.prove(c); {
	case errors.Is(err, page.ErrWrongPassword), errors.Is(err, page.ErrTooMany), errors.Is(err, errProve):
		return s.showSettings(c, settingsForms{proof: err})
	case err != nil:
		return err
	}
	var secret player.Secret
	err = s.Store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		secret, err = tx.AddToken(t)
		return err
	})
	if err != nil {
		return err
	}
	return s.showSettings(c, settingsForms{secret: secret, of: of})
}

func (s pages) dropToken(c echo.Context) error {
	of, err := s.managed(c)
	if err != nil {
		return err
	}
	err = s.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.DropToken(of.ID, c.FormValue("id")) })
	if err != nil {
		return err
	}
	return s.Redirect(c, "/settings#s-tokens", "flash.token-ended")
}
