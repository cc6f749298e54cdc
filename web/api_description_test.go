package web

import (
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

func TestOpenAPIDescribesExactlyTheRoutes(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(openAPI)
	if err != nil {
		t.Fatal(err)
	}
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
	doc, err := openapi3.NewLoader().LoadFromData(openAPI)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
}
