package tournament

import (
	"encoding/json"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

// apiSettings is all that is decided about a tournament.
type apiSettings struct{ page.RawBody }

// DescribeAPI describes the settings by their form.
func (apiSettings) DescribeAPI() (string, page.Schema) {
	var usual []tournament.Settings
	for _, f := range tournament.Formats() {
		usual = append(usual, tournament.DefaultSettings(f))
	}
	s := form.Tournament.Schema(usual...)
	s["description"] = "All that is decided about a tournament. A default is named where all formats have the same."
	s["examples"] = []any{map[string]any{"name": "Friday cup", "format": "swiss", "rounds": 5}}
	return "TournamentSettings", s
}

type (
	newTournamentIn struct {
		Settings apiSettings `body:""`
	}
	settingsIn struct {
		event.TournamentPath
		Settings apiSettings `body:""`
	}
	policyIn struct {
		event.TournamentPath
		Policy form.APIPolicy `body:""`
	}
	apiCreated struct {
		ID tournament.ID `json:"id" doc:"address of the tournament"`
	}
)

// readSettings reads the settings of a body; what is missing has the default of its format, as in the form.
func readSettings(in apiSettings) (tournament.Settings, error) {
	var named struct {
		Format string
		Teams  struct{ Boards int }
	}
	if err := json.Unmarshal(in.Raw, &named); err != nil {
		return tournament.Settings{}, page.ValueFault("", err)
	}
	format, err := tournament.ParseFormat(named.Format)
	if err != nil {
		format = tournament.RoundRobin // to report other faults as well
	}
	usual := tournament.DefaultSettings(format)
	if named.Teams.Boards > 0 {
		usual.PlayIn(tournament.Teams{Boards: named.Teams.Boards})
	}
	usual.Envelope = form.EnvelopeNamed("evening")
	if !format.InRounds() { // as in the form
		usual.Envelope = form.EnvelopeNamed("arena")
	}
	if err := page.ReadSettings(in.RawBody, form.Tournament, &usual); err != nil {
		return tournament.Settings{}, err
	}
	if !usual.Format.PairsByScore() {
		usual.Rounds = tournament.DefaultSettings(usual.Format).Rounds // only a Swiss has a choice
	}
	return usual, nil
}

func (s api) create(c echo.Context, in newTournamentIn) (out apiCreated, err error) {
	settings, err := readSettings(in.Settings)
	if err != nil {
		return out, err
	}
	out.ID, err = s.Arbiter.Events.Create(c.Request().Context(), page.Viewer(c), settings, true)
	return out, err
}

// settings answers with the settings; only directors see the entry code and the list.
func (s api) settings(c echo.Context, _ event.TournamentPath) (out apiSettings, err error) {
	t, err := s.SeenTournament(c)
	if err != nil {
		return out, err
	}
	shown := t.Settings
	if !t.May(page.Viewer(c), tournament.ActSettings) {
		shown.Entry.Code, shown.Entry.Conditions.List = "", nil
	}
	out.RawBody, err = page.WrittenBy(form.Tournament, &shown)
	return out, err
}

// replace replaces all settings before the start.
func (s api) replace(c echo.Context, in settingsIn) (out apiSettings, err error) {
	settings, err := readSettings(in.Settings)
	if err != nil {
		return out, err
	}
	if err := s.Arbiter.Events.Change(c.Request().Context(), page.Viewer(c), in.ID, settings); err != nil {
		return out, err
	}
	return s.settings(c, in.TournamentPath)
}

// setPolicy changes the fair-play policy from the next round on.
func (s api) setPolicy(c echo.Context, in policyIn) (out apiSettings, err error) {
	if err := s.Arbiter.Events.SetPolicy(c.Request().Context(), page.Viewer(c), in.ID, in.Policy.Policy); err != nil {
		return out, err
	}
	return s.settings(c, in.TournamentPath)
}
