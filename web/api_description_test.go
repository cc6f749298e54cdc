package web

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

// TestEveryOperationIsDescribed field by field, with an example, and under an ID of its own.
func TestEveryOperationIsDescribed(t *testing.T) {
	t.Parallel()
	b, ids := page.NewSchemas(), map[string]bool{}
	for _, chapter := range (&Server{}).chapters() {
		for _, o := range chapter.Operations {
			at := o.Method + " " + o.Address
			if o.Summary == "" || o.About == "" {
				t.Errorf("%s: nothing says what it does", at)
			}
			if id := operationID(o); ids[id] {
				t.Errorf("%s: a second %s", at, id)
			} else {
				ids[id] = true
			}
			b.Input(o)
			b.Output(o)
			for _, lack := range b.Undescribed(o) {
				t.Errorf("%s: %s", at, lack)
			}
		}
	}
}

func TestTheDescriptionIsValidAndSoIsEveryExample(t *testing.T) {
	t.Parallel()
	doc := described(t)
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	count := 0
	fits := func(at string, content openapi3.Content) {
		t.Helper()
		for kind, media := range content {
			if !strings.HasPrefix(kind, "application/") || kind == "application/problem+json" {
				continue
			}
			if count++; media.Example == nil {
				t.Errorf("%s has no example", at)
			} else if err := media.Schema.Value.VisitJSON(media.Example, openapi3.MultiErrors()); err != nil {
				t.Errorf("the example of %s: %v", at, err)
			}
		}
	}
	for path, item := range doc.Paths.Map() {
		for method, o := range item.Operations() {
			at := method + " " + path
			if o.RequestBody != nil {
				fits(at, o.RequestBody.Value.Content)
			}
			for status, answer := range o.Responses.Map() {
				if status != "default" {
					fits(at+" "+status, answer.Value.Content)
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d examples", count)
	}
}

// described reads the description, and writes it to the file CHPOK_OPENAPI for validators of others.
func described(t *testing.T) *openapi3.T {
	t.Helper()
	text, err := openAPI()
	if err == nil && os.Getenv("CHPOK_OPENAPI") != "" {
		err = os.WriteFile(os.Getenv("CHPOK_OPENAPI"), text, 0o600)
	}
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
		"TournamentSettings": form.Tournament.Write(&cup), "LadderSettings": form.Ladder.Write(&climb), "ChallengeTerms": form.Challenge.Write(&proposal),
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
	if unit := schemas["TournamentSettings"].Value.Properties["entry"].Value.Properties["minAgeDays"]; unit == nil || unit.Value.Description != age {
		t.Errorf("minAgeDays: %v", unit)
	}
	if features := schemas["Features"].Value.Properties; len(features) != 16 || features["kingsRun"].Value.Description == "" {
		t.Errorf("%d features are described", len(features))
	}
}
