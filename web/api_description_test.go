package web

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/form"
)

func TestOpenAPIDescribesExactlyTheRoutes(t *testing.T) {
	t.Parallel()
	doc := described(t)
	described := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			described[method+" "+path] = true
		}
	}
	parameter := regexp.MustCompile(`:([a-z]+)`)
	for _, r := range (&Server{}).apiRoutes() {
		path, ok := strings.CutPrefix(r.Path, "/api/v1")
		if !ok {
			t.Errorf("%s is not below /api/v1", r.Path)
		}
		key := r.Method + " " + parameter.ReplaceAllString(path, "{$1}")
		if !described[key] {
			t.Errorf("openapi.json does not describe %s", key)
		}
		delete(described, key)
	}
	for key := range described {
		t.Errorf("openapi.json describes %s, which is no route", key)
	}
}

func TestOpenAPIIsValid(t *testing.T) {
	t.Parallel()
	doc := described(t)
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func described(t *testing.T) *openapi3.T {
	t.Helper()
	text, err := openAPI()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestTheDescriptionFitsTheSettingsThatAreShown(t *testing.T) {
	t.Parallel()
	cup, climb, proposal := tournament.DefaultSettings(tournament.KnockOut), ladder.DefaultSettings(), form.UsualProposal()
	cup.Name, climb.Name = "Cup", "Stairs"
	schemas := described(t).Components.Schemas
	for name, shown := range map[string]any{
		"NewTournament": form.Tournament.Write(&cup), "LadderSettings": form.Ladder.Write(&climb), "NewChallenge": form.Challenge.Write(&proposal),
	} {
		raw, err := json.Marshal(shown)
		if err != nil {
			t.Fatal(err)
		}
		var body map[string]any
		if err := json.Unmarshal(raw, &body); err != nil {
			t.Fatal(err)
		}
		schema := schemas[name].Value
		if err := schema.VisitJSON(body); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if body["rated"] = "loud"; schema.VisitJSON(body) == nil {
			t.Errorf("%s: rated is any word", name)
		}
		for key, property := range schema.Properties {
			if says := property.Value.Description; property.Ref == "" && property.Value.Type.Is("string") && (says == "" || strings.Contains(says, lang.Missing)) {
				t.Errorf("%s: %s is described by %q", name, key, says)
			}
		}
	}
	const age = "Account age a player needs to enter, in days; 0 for none"
	if unit := schemas["NewTournament"].Value.Properties["entry"].Value.Properties["minAgeDays"]; unit == nil || unit.Value.Description != age {
		t.Errorf("minAgeDays: %v", unit)
	}
}
