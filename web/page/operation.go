package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc64"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/web/form"
)

// Chapter is a part of the API: operations on one subject. Each section of the site has its own (API in its section.go).
type Chapter struct {
	Name, Text string
	Operations []*Operation
}

// Operation is one thing that programs can do. It stands once, in Go, and everything follows from it: the route, what is
// read and checked, the OpenAPI document and the page /api.
//
// To add one, write a handler with a struct of what it takes and a struct of what it answers, and a row in its section's
// table:
//
//	type callIn struct {
//		Match match.ID `path:"id" doc:"the match"`
//		Text  string   `json:"text" doc:"what the arbiter should know" example:"My clock stands still" max:"500"`
//	}
//
//	func (s api) makeCall(c echo.Context, in callIn) (apiCall, error)
//
//	page.Op("POST /matches/{id}/calls", player.ScopePlay, s.makeCall, "Call the arbiter", "What it does, and what follows.").Creates()
//
// A field of the input with the tag path is a part of the address, with query a parameter, with json a key of the body,
// and the one with body:"" is the whole body (body:"optional": may be missing). Every key of a body is required that
// is neither a pointer nor omitempty; unknown ones are refused by name. The tags enum, min and max bound a value: a
// number itself, a text by its length. Every field has a doc, and an example unless its type has one. Types of other
// packages are described in described.go. An answer of type None is 204, and so is a nil pointer. Refusals are those of
// package refusal, as everywhere. Act is Op for what answers with nothing. Every duration is in whole milliseconds
// (form.Millis), every score in points.
type Operation struct {
	Route
	Address string   // with {name} for its parts
	Summary string   // one line
	About   string   // what it does and what follows
	Status  int      // of its answer
	Tables  []string // lists of its answer that can be had as CSV
	streams bool     // it also answers as a stream
	line    string   // the schema of what that tells; empty: it answers only so
	sent    string   // example of what is sent, as JSON; empty: its keys tell one
	in, out reflect.Type
}

// None is the answer of an operation that has nothing to tell: 204.
type None struct{}

// Everyone is the scope of an operation for everybody, with or without a token.
const Everyone player.Scope = ""

// apiRoot is the address of the API.
const apiRoot = "/api/v1"

// Op returns an operation at an address like "GET /matches/{id}", for tokens with a scope and browsers that are signed in.
//
// What differs by type is all that it holds: the compiler makes one for every pair of types.
func Op[In, Out any](address string, scope player.Scope, do func(echo.Context, In) (Out, error), summary, about string) *Operation {
	o := &Operation{Address: address, Summary: summary, About: about, Status: http.StatusOK, in: reflect.TypeFor[In](), out: reflect.TypeFor[Out]()}
	return o.served(scope, func(c echo.Context, read func(into any) error) (any, error) {
		var in In
		if err := read(&in); err != nil {
			return nil, err
		}
		return do(c, in)
	})
}

// served completes an operation, of which Address still begins with the method.
func (o *Operation) served(scope player.Scope, do func(c echo.Context, read func(into any) error) (any, error)) *Operation {
	method, path, _ := strings.Cut(o.Address, " ")
	o.Address = path
	if o.out == reflect.TypeFor[None]() {
		o.Status = http.StatusNoContent
	}
	o.Route = Route{Method: method, Path: apiRoot + strings.NewReplacer("{", ":", "}", "").Replace(path),
		May: SignedIn, Scope: scope, IsAPI: true}
	switch scope {
	case Everyone:
		o.May = Anyone
	case player.ScopeOperate:
		o.May = player.Viewer.MayOperate
	}
	if method == http.MethodGet {
		o.Tables = TablesOf(o.out)
	}
	reads := inputOf(o.in)
	o.Handler = func(c echo.Context) error {
		table, err := o.takeTable(c)
		if err != nil {
			return err
		}
		answer, err := do(c, func(into any) error { return reads.read(c, reflect.ValueOf(into).Elem()) })
		if err != nil || IsDetached(c) {
			return err
		}
		return o.answer(c, answer, table)
	}
	return o
}

// Act returns an operation that answers with nothing: 204. It needs to know no more of the request than who asks.
func Act[In any](address string, scope player.Scope, do func(context.Context, player.Viewer, In) error, summary, about string) *Operation {
	return Op(address, scope, func(c echo.Context, in In) (None, error) {
		return None{}, do(c.Request().Context(), Viewer(c), in)
	}, summary, about)
}

// Creates makes 201 the status of the answer.
func (o *Operation) Creates() *Operation {
	o.Status = http.StatusCreated
	return o
}

// Sends gives an example of what is sent, as JSON, where not all of its keys go together.
func (o *Operation) Sends(example string) *Operation {
	o.sent = example
	return o
}

// Streams says that the operation also answers as a stream of lines with this schema (described.go), or only as one, of
// what it answers: empty.
func (o *Operation) Streams(line string) *Operation {
	if o.streams, o.line = true, line; line == "" {
		o.Tables = nil // of what never ends
	}
	return o
}

// answer sends what an operation answers, or one of its tables. What everybody may read has an ETag.
func (o *Operation) answer(c echo.Context, out any, table string) error {
	if v := reflect.ValueOf(out); o.Status == http.StatusNoContent || v.Kind() == reflect.Pointer && v.IsNil() {
		return c.NoContent(http.StatusNoContent)
	}
	var text []byte
	var err error
	if e, is := out.(interface{ exact() []byte }); is {
		text = e.exact()
	} else if table != "" {
		text, err = intake.CSV(tableRows(reflect.ValueOf(out), table))
	} else {
		text, err = json.Marshal(out)
	}
	if err != nil {
		return fmt.Errorf("web: answer of %s %s: %w", o.Method, o.Address, err)
	}
	if o.Method == http.MethodGet {
		tag := `W/"` + strconv.FormatUint(crc64.Checksum(text, tagTable), 36) + `"`
		c.Response().Header().Set("ETag", tag)
		if strings.Contains(c.Request().Header.Get("If-None-Match"), tag) {
			return c.NoContent(http.StatusNotModified)
		}
	}
	if table != "" {
		return SendFile(c, "", strings.ReplaceAll(table, ".", "-")+".csv", csvKind, text)
	}
	return c.JSONBlob(o.Status, text)
}

var tagTable = crc64.MakeTable(crc64.ECMA)

// Paged is what a list takes: how long it is at most, and where it goes on.
type Paged struct {
	Limit *int   `query:"limit" doc:"how many lines at most" example:"50" min:"1" max:"500"`
	After string `query:"after,omitempty" doc:"where to go on: next of the answer before" example:"100" max:"20"`
}

// Most is how many lines are asked for; usual if nothing is said.
func (p Paged) Most(usual int) int {
	if p.Limit == nil {
		return usual
	}
	return *p.Limit
}

// Offset is how many lines were seen.
func (p Paged) Offset() (int, error) {
	if p.After == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(p.After)
	if err != nil || n < 0 || n > 1_000_000 {
		return 0, BadValue("after", "after is next of the answer before")
	}
	return n, nil
}

// Next is where the list goes on after so many lines in all; nil at its end.
func (p Paged) Next(seen, total int) *string {
	if seen >= total {
		return nil
	}
	next := strconv.Itoa(seen)
	return &next
}

// PageOf returns the lines of a list that are asked for, and where it goes on.
func PageOf[T any](p Paged, usual int, list []T) (lines []T, next *string, err error) {
	from, err := p.Offset()
	if err != nil {
		return nil, nil, err
	}
	from = min(from, len(list))
	to := min(from+p.Most(usual), len(list))
	return append([]T{}, list[from:to]...), p.Next(to, len(list)), nil
}

// RawBody is JSON that a table of package form reads and writes. The type that embeds it describes it.
type RawBody struct{ Raw json.RawMessage }

// Exact is JSON that is sent as it stands, to the byte. The type that embeds it describes it.
type Exact struct{ Raw json.RawMessage }

func (e Exact) exact() []byte { return e.Raw }

// UnmarshalJSON keeps the JSON.
func (r *RawBody) UnmarshalJSON(raw []byte) error {
	r.Raw = append(json.RawMessage{}, raw...)
	return nil
}

// MarshalJSON writes the JSON.
func (r RawBody) MarshalJSON() ([]byte, error) { return r.Raw, nil }

// WrittenBy returns settings as their table writes them.
func WrittenBy[S any](t form.Table[S], s *S) (RawBody, error) {
	raw, err := json.Marshal(t.Write(s))
	return RawBody{raw}, err
}

// ReadSettings reads the body into settings; those that it does not name stay.
func ReadSettings[S any](r RawBody, t form.Table[S], s *S) error {
	if r.Raw == nil {
		return nil
	}
	err := t.Parse(r.Raw, s)
	if errors.Is(err, setting.ErrSettings) {
		return err
	}
	return ValueFault("", err)
}

// Schema is a part of the OpenAPI document.
type Schema = form.Schema
