package tournament

import (
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

// readSettings reads the settings of a body; what is missing has the default of its format, as in the form.
func readSettings(c echo.Context) (tournament.Settings, error) {
	var raw json.RawMessage
	if err := page.ReadJSON(c, &raw, false); err != nil {
		return tournament.Settings{}, err
	}
	var named struct{ Format string }
	if err := json.Unmarshal(raw, &named); err != nil {
		return tournament.Settings{}, page.BodyFault(err)
	}
	format, err := tournament.ParseFormat(named.Format)
	if err != nil {
		format = tournament.RoundRobin // to report other faults as well
	}
	usual := tournament.DefaultSettings(format)
	usual.Envelope = form.EnvelopeNamed("evening")
	if !format.InRounds() { // as in the form
		usual.Envelope = form.EnvelopeNamed("arena")
	}
	if err := form.Tournament.Parse(raw, &usual); err != nil {
		return tournament.Settings{}, page.SettingsFault(err)
	}
	if !usual.Format.PairsByScore() {
		usual.Rounds = tournament.DefaultSettings(usual.Format).Rounds // only a Swiss has a choice
	}
	return usual, nil
}

func (s api) apiCreateTournament(c echo.Context) error {
	settings, err := readSettings(c)
	if err != nil {
		return err
	}
	id, err := s.Arbiter.Events.Create(c.Request().Context(), page.Viewer(c), settings, true)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, map[string]tournament.ID{"id": id})
}

// apiSettings answers with the settings; only directors see the entry code and the list.
func (s api) apiSettings(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	shown := t.Settings
	if !t.May(page.Viewer(c), tournament.ActSettings) {
		shown.Entry.Code, shown.Entry.Conditions.List = "", nil
	}
	return c.JSON(http.StatusOK, form.Tournament.Write(&shown))
}

// apiChangeTournament replaces all settings before the start.
func (s api) apiChangeTournament(c echo.Context) error {
	settings, err := readSettings(c)
	if err != nil {
		return err
	}
	if err := s.Arbiter.Events.Change(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), settings); err != nil {
		return err
	}
	return s.apiSettings(c)
}

// apiSetPolicy changes the fair-play policy from the next round on.
func (s api) apiSetPolicy(c echo.Context) error {
	var in form.APIPolicy
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	if err := s.Arbiter.Events.SetPolicy(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), in.Policy); err != nil {
		return err
	}
	return s.apiSettings(c)
}
