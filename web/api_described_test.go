package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// description is the API as a site describes it; all describe it alike.
var description struct {
	sync.Once
	doc *openapi3.T
	err error
}

func (s *site) described() *openapi3.T {
	s.t.Helper()
	description.Do(func() {
		w := httptest.NewRecorder()
		s.web.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v1/openapi.json", nil))
		description.doc, description.err = openapi3.NewLoader().LoadFromData(w.Body.Bytes())
	})
	if description.err != nil {
		s.t.Fatal(description.err)
	}
	return description.doc
}

// operation is what a request asks for, with the values in its path; nil: nothing that is described.
func (s *site) operation(req *http.Request) (*routers.Route, map[string]string) {
	s.t.Helper()
	doc, asked := s.described(), strings.Split(strings.TrimPrefix(req.URL.EscapedPath(), "/api/v1"), "/")
	var found *routers.Route
	var values map[string]string
	for path, item := range doc.Paths.Map() {
		at, of, fits := strings.Split(path, "/"), map[string]string{}, true
		for i := 0; len(at) == len(asked) && fits && i < len(at); i++ {
			if name, is := strings.CutPrefix(at[i], "{"); is {
				of[strings.TrimSuffix(name, "}")] = asked[i]
			} else {
				fits = at[i] == asked[i]
			}
		}
		if len(at) == len(asked) && fits && item.GetOperation(req.Method) != nil && (found == nil || len(of) < len(values)) {
			found = &routers.Route{Spec: doc, Path: path, PathItem: item, Method: req.Method, Operation: item.GetOperation(req.Method)}
			values = of
		}
	}
	return found, values
}

// isAsDescribed is nil for an answer that the description of its operation allows.
func (s *site) isAsDescribed(req *http.Request, status int, header http.Header, body []byte) error {
	s.t.Helper()
	route, values := s.operation(req)
	if route == nil && status >= 400 {
		return nil
	}
	if route == nil {
		return routers.ErrPathNotFound
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: values, Route: route},
		Status:                 status, Header: header, Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	input.SetBodyBytes(body)
	return openapi3filter.ValidateResponse(s.t.Context(), input)
}
