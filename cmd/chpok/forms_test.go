package main

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// person is an account at the pages of the site, signed in by a link. It sends
// only forms that stand on a page, with what stands in them.
type person struct {
	t    *testing.T
	base string
	http *http.Client
	from string // the address that a proxy tells; empty: there is none
}

func newPerson(t *testing.T, dsn, handle, base string) *person {
	t.Helper()
	return newPersonFrom(t, dsn, handle, base, "")
}

func newPersonFrom(t *testing.T, dsn, handle, base, from string) *person {
	t.Helper()
	p := stranger(t, base)
	p.from = from
	link := chpok(t, "player", "link", handle, "--database-url", dsn, "--base-url", base)
	p.send(strings.TrimPrefix(link, base), "/link")
	return p
}

// stranger is somebody whom the site does not know yet.
func stranger(t *testing.T, base string) *person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &person{t: t, base: base, http: &http.Client{Jar: jar}}
}

// sheet is a page as it came.
type sheet struct {
	path string // after redirects
	body string
	root *html.Node
}

// open asks for a page, which must be there.
func (p *person) open(path string) sheet {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.base+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return p.do(req)
}

// raw is a file that the site hands out.
func (p *person) raw(path string) string {
	p.t.Helper()
	return p.open(path).body
}

func (p *person) do(req *http.Request) sheet {
	p.t.Helper()
	req.Header.Set("Accept-Language", "en")
	req.Header.Set("Accept-Encoding", "identity") // nothing is packed to be unpacked here
	if p.from != "" {
		req.Header.Set("X-Forwarded-For", p.from)
	}
	resp, err := p.http.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	s := sheet{resp.Request.URL.RequestURI(), string(body), root}
	if resp.StatusCode != http.StatusOK {
		p.t.Fatalf("%s %s: status %d: %s", req.Method, req.URL.Path, resp.StatusCode, s.told())
	}
	return s
}

// told is what the page says about something wrong.
func (s sheet) told() string {
	var told []string
	for n := range s.root.Descendants() {
		if role, _ := attrOf(n, "role"); role == "alert" || strings.Contains(classOf(n), "error") {
			told = append(told, textOf(n))
		}
	}
	if len(told) == 0 {
		return textOf(s.root)
	}
	return strings.Join(told, "; ")
}

// send fills in the form of a page that goes to action and sends it: pairs of
// names and values stand instead of what the form has; an empty value leaves a
// box unchecked.
func (p *person) send(page, action string, pairs ...string) sheet {
	p.t.Helper()
	return p.sendFrom(p.open(page), action, pairs...)
}

func (p *person) sendFrom(on sheet, action string, pairs ...string) sheet {
	p.t.Helper()
	form := on.form(action, pairs)
	if form == nil {
		p.t.Fatalf("%s has no form to %s with %v", on.path, action, pairs)
	}
	values := filledIn(form)
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Del(pairs[i])
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			values.Add(pairs[i], pairs[i+1])
		}
	}
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.base+action, strings.NewReader(values.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", p.base)
	return p.do(req)
}

// upload sends a file.
func (p *person) upload(action, name string, file []byte) sheet {
	p.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	if err != nil {
		p.t.Fatal(err)
	}
	_, _ = part.Write(file) // a buffer takes everything
	_ = form.Close()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.base+action, &body)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("Origin", p.base)
	return p.do(req)
}

// form is the form to an action that has every field of the pairs.
func (s sheet) form(action string, pairs []string) *html.Node {
forms:
	for n := range s.root.Descendants() {
		if n.Data != "form" {
			continue
		}
		if to, _ := attrOf(n, "action"); to != action {
			continue
		}
		names := map[string]bool{}
		for field := range n.Descendants() {
			if name, ok := attrOf(field, "name"); ok {
				names[name] = true
			}
		}
		for i := 0; i+1 < len(pairs); i += 2 {
			if !names[pairs[i]] {
				continue forms
			}
			if fixed := hiddenValue(n, pairs[i]); fixed != "" && fixed != pairs[i+1] {
				continue forms
			}
		}
		return n
	}
	return nil
}

func hiddenValue(form *html.Node, name string) string {
	for n := range form.Descendants() {
		kind, _ := attrOf(n, "type")
		if its, _ := attrOf(n, "name"); its == name && kind == "hidden" {
			value, _ := attrOf(n, "value")
			return value
		}
	}
	return ""
}

// filledIn is what a browser would send of a form as it stands.
func filledIn(form *html.Node) url.Values {
	values := url.Values{}
	for n := range form.Descendants() {
		name, named := attrOf(n, "name")
		if _, off := attrOf(n, "disabled"); !named || off {
			continue
		}
		value, _ := attrOf(n, "value")
		switch n.Data {
		case "input":
			kind, _ := attrOf(n, "type")
			_, checked := attrOf(n, "checked")
			if kind == "checkbox" || kind == "radio" {
				if value == "" {
					value = "on"
				}
				if checked {
					values.Add(name, value)
				}
			} else if kind != "file" {
				values.Add(name, value)
			}
		case "textarea":
			values.Add(name, textOf(n))
		case "select":
			values.Add(name, chosen(n))
		}
	}
	return values
}

func chosen(list *html.Node) string {
	first, seen := "", false
	for o := range list.Descendants() {
		if o.Data != "option" {
			continue
		}
		value, _ := attrOf(o, "value")
		if _, is := attrOf(o, "selected"); is {
			return value
		}
		if !seen {
			first, seen = value, true
		}
	}
	return first
}

func attrOf(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func classOf(n *html.Node) string { class, _ := attrOf(n, "class"); return class }

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	text := ""
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Data != "script" && c.Data != "style" && c.Data != "noscript" { // which the parser leaves as it is written
			text += textOf(c)
		}
	}
	return text
}
