package web

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"maps"
	"net/http"
	"sync"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/form"
)

//go:embed openapi.json
var openAPIFile []byte

// sourceHere stands in openapi.json for the address of the source code.
const sourceHere = "SOURCE_URL"

// openAPI returns openapi.json with the schemas of settings filled in from their form tables.
var openAPI = sync.OnceValues(func() ([]byte, error) {
	var doc map[string]any
	if err := json.Unmarshal(openAPIFile, &doc); err != nil {
		return nil, err
	}
	var events []tournament.Settings
	for _, f := range tournament.Formats() {
		events = append(events, tournament.DefaultSettings(f))
	}
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	for name, described := range map[string]form.Schema{
		"NewTournament":  form.Tournament.Schema(events...),
		"LadderSettings": form.Ladder.Schema(ladder.DefaultSettings()),
		"NewChallenge":   form.Challenge.Schema(form.UsualProposal()),
	} {
		maps.Copy(schemas[name].(map[string]any), described)
	}
	maps.Copy(schemas["Policy"].(map[string]any)["properties"].(map[string]any), form.PolicySchema())
	maps.Copy(schemas["Envelope"].(map[string]any)["properties"].(map[string]any), form.EnvelopeSchema())
	return json.Marshal(doc)
})

func (s *Server) apiDescription(c echo.Context) error {
	text, err := openAPI()
	if err != nil {
		return err
	}
	source, err := json.Marshal(s.Config.SourceURL)
	if err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, bytes.Replace(text, []byte(sourceHere), bytes.Trim(source, `"`), 1))
}
