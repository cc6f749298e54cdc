package web

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	learnview "chpok.org/chpok/templates/learn"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// apiPage shows what programs can do, from the same operations as the OpenAPI document. Its examples name things of this
// site, so that they run as they stand.
func (s *Server) apiPage(c echo.Context) error {
	view := learnview.APIView{About: strings.Split(strings.Replace(aboutAPI, sourceHere, s.Config.SourceURL, 1), "\n\n"), Scopes: scopeTexts}
	here, err := s.samples(c)
	if err != nil {
		return err
	}
	site := s.Address(c, "/api/v1")
	for _, told := range apiChapters() {
		chapter := told
		chapter.Operations = slices.Clone(told.Operations)
		for i, o := range told.Operations {
			address := site + exampleAddress(o, here)
			if o.Query != "" {
				address = "'" + address + o.Query + "'"
			}
			chapter.Operations[i].Curl = o.Curl + " " + address
		}
		view.Chapters = append(view.Chapters, chapter)
	}
	p := s.Printer(c)
	return s.Render(c, http.StatusOK, learnview.APIPage(s.Shell(c, p.T("core.api.title")), view))
}

// apiErrors shows by which words programs tell refusals.
func (s *Server) apiErrors(c echo.Context) error {
	var list []learnview.APICode
	for _, x := range page.Codes() {
		list = append(list, learnview.APICode{Word: x.Word, Status: words.Itoa(x.Status), Means: strings.Join(x.Means, " / ")})
	}
	p := s.Printer(c)
	return s.Render(c, http.StatusOK, learnview.APIErrorsPage(s.Shell(c, p.T("core.api.errors")), list))
}

// apiChapters are the operations as the page shows them on every site; a command of curl lacks its address.
var apiChapters = sync.OnceValue(func() (list []learnview.APIChapter) {
	b := page.NewSchemas()
	for _, chapter := range (&Server{}).chapters() {
		out := learnview.APIChapter{ID: strings.ToLower(strings.ReplaceAll(chapter.Name, " ", "-")), Name: chapter.Name, Text: chapter.Text}
		for _, o := range chapter.Operations {
			out.Operations = append(out.Operations, viewOperation(b, o))
		}
		list = append(list, out)
	}
	return list
})

// exampleAddress fills in the address of an operation: with things of this site, else with the examples of its parts.
func exampleAddress(o learnview.APIOperation, here map[string]string) string {
	address := o.Address
	for general, one := range here {
		address = strings.Replace(address, general, one, 1)
	}
	for _, f := range o.Takes {
		if f.Where == "path" {
			address = strings.ReplaceAll(address, "{"+f.Name+"}", f.Example)
		}
	}
	return address
}

// samples returns addresses of things that everybody may see, by the first parts of the addresses of operations.
func (s *Server) samples(c echo.Context) (map[string]string, error) {
	here := map[string]string{}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		events, _, err := tx.Tournaments(store.TournamentQuery{Limit: 1})
		if err != nil {
			return err
		}
		for _, t := range events {
			here["/tournaments/{id}"] = "/tournaments/" + string(t.ID)
		}
		ladders, _, err := tx.Ladders(store.LadderQuery{Limit: 1})
		if err != nil {
			return err
		}
		for _, l := range ladders {
			here["/ladders/{id}"] = "/ladders/" + string(l.ID)
		}
		clubs, _, err := tx.Clubs()
		for _, x := range clubs {
			here["/clubs/{id}"] = "/clubs/" + string(x.ID)
		}
		return err
	})
	return here, err
}

func viewOperation(b *page.Schemas, o *page.Operation) learnview.APIOperation {
	view := learnview.APIOperation{ID: operationID(o), Method: o.Method, Address: o.Address, Summary: o.Summary,
		About: o.About + " " + whoMay(o)}
	parameters, body, _ := b.Input(o)
	query := url.Values{}
	for _, p := range parameters {
		field := viewField(p.Name, p.In, p.Schema, !p.Optional)
		if example, is := b.Example(p.Schema); is && p.In == "path" {
			field.Example = jsonText(example, false)
		}
		view.Takes = append(view.Takes, field)
		if example, is := b.Example(p.Schema); is && p.In == "query" && (!p.Optional || p.Name == "reason") {
			query.Set(p.Name, jsonText(example, false))
		}
	}
	if view.Query = query.Encode(); view.Query != "" {
		view.Query = "?" + view.Query
	}
	view.Curl = "curl"
	if o.Method != http.MethodGet {
		view.Curl += " -X " + o.Method
	}
	if o.Scope != page.Everyone {
		view.Curl += ` -H "Authorization: Bearer $CHPOK_TOKEN"`
	}
	if body != nil {
		keys, _ := body["properties"].(form.Schema)
		must, _ := body["required"].([]any)
		for _, name := range slices.Sorted(maps.Keys(keys)) {
			view.Takes = append(view.Takes, viewField(name, "body", keys[name].(form.Schema), slices.Contains(must, any(name))))
		}
		if ref, is := body["$ref"].(string); is {
			view.Takes = append(view.Takes, learnview.APIField{Name: ref[strings.LastIndex(ref, "/")+1:], Where: "body", Kind: "object", Must: true,
				Says: "as the OpenAPI document describes it"})
		}
		if example, is := b.Example(body); is {
			view.Curl += " -H 'Content-Type: application/json' -d '" + strings.ReplaceAll(jsonText(onlyNeeded(example, must, body), false), "'",
				`'\''`) + "'"
		}
	}
	if out, _ := b.Output(o); out != nil {
		if example, is := b.Example(out); is {
			view.Answer = jsonText(example, true)
		}
	}
	return view
}

// onlyNeeded leaves of an example what has to be sent; all of it if nothing has to.
func onlyNeeded(example any, must []any, body form.Schema) any {
	all, is := example.(map[string]any)
	if !is || body["$ref"] != nil || len(must) == 0 {
		return example
	}
	needed := map[string]any{}
	for _, name := range must {
		needed[name.(string)] = all[name.(string)]
	}
	if reason, has := all["reason"]; has { // staff decide little without one
		needed["reason"] = reason
	}
	return needed
}

func jsonText(v any, isWide bool) string {
	if text, is := v.(string); is {
		return text
	}
	raw, err := json.Marshal(v)
	if isWide {
		raw, err = json.MarshalIndent(v, "", " ")
	}
	if err != nil {
		return ""
	}
	return string(raw)
}

func viewField(name, where string, s form.Schema, must bool) learnview.APIField {
	says, _ := s["description"].(string)
	kind, _ := s["type"].(string)
	if list, is := s["type"].([]any); is {
		kind, _ = list[0].(string)
	}
	if kind == "" {
		kind = "object"
	}
	if words, is := s["enum"].([]any); is {
		kind = strings.Trim(jsonText(words, false), "[]")
	}
	return learnview.APIField{Name: name, Where: where, Kind: kind, Says: says, Must: must}
}

// whoMay says which scope a token needs.
func whoMay(o *page.Operation) string {
	if o.Scope == page.Everyone {
		return "For everybody."
	}
	return "Needs the scope " + string(o.Scope) + "."
}
