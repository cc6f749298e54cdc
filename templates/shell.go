// Package templates renders pages and fragments from view structs that hold
// ready texts, numbers, flags and addresses. It refuses to decide: no domain
// types, no permission tests, no formatting of time or numbers.
//
// This package is the kit: the shell of every page, and what three or more
// sections show. A section (account, match, tournament …) is a package below it
// and imports the kit, the board and no other section; only home joins some.
// Other packages import a section as SECTIONview: matchview, clubview.
//
// A page family is one FAMILY.templ with its view structs beside the
// components: FAMILYPage(shell, view) is a whole page inside @Layout(shell), a
// FAMILYFragment(view) a piece with a stable DOM id that the page and its feed
// share. Styles of a family stand in web/static/css/FAMILY.css, scripts in
// web/static/js/FAMILY.js; the page names them in Shell.Styles and
// Shell.Scripts. There is no inline script and no style attribute.
package templates

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"chpok.org/chpok/templates/lang"
)

// Shell is what surrounds every page.
type Shell struct {
	Title    string
	Path     string // of this page, with query; where the language form returns to
	Section  string // which entry of the navigation is current: "tournaments", …
	Lang     string
	Theme    string // "light", "dark"; empty: as the system says
	Site     string // what the site is called; empty: as the game
	Mark     string // which of the marks it has: the letter of a piece, or the house's own
	Static   string // prefix of every static address: /static/HASH
	Source   string // where the source code of the site is
	Zone     string // name of the time zone in which times are written
	Viewer   ShellViewer
	Flash    string // one message after a redirect
	SignUp   bool   // whether visitors may create accounts
	NoIndex  bool   // search engines are asked to leave the page out
	Compact  bool   // a page that needs the height: no section links on phones, no footer
	Wide     bool   // a page that needs the width
	Styles   []string
	Scripts  []string
	Holds    bool                        // forms of class command wait for the script that signs what they send
	Play     templ.Attributes            // how the viewer likes to play, for the page to follow
	Mine     string                      // addresses of the viewer and their team in the page's tables, whose lines are marked
	Feed     string                      // address of the page's event stream; empty: none
	KeepFeed bool                        // the stream stays open while the page is hidden
	Card     *Card                       // how other sites show a link to the page; nil: as they like
	Around   func(Shell) templ.Component // what stands around the page
}

// Layout is a page within what stands around every page. That is handed in: a change of it would compile all sections.
func Layout(s Shell) templ.Component { return s.Around(s) }

// Card is what other sites show beside a link; its addresses are whole ones.
type Card struct {
	Title, Text   string
	URL, Picture  string
	Width, Height int    // of the picture
	OEmbed        string // where they learn how to embed it; empty: it cannot be
}

// ShellViewer is who looks, as far as the frame of a page shows it.
type ShellViewer struct {
	Handle     string // empty: a visitor
	Name       string // the handle as it is read
	URL        string
	IsOperator bool
	Guest      bool
	MayClaim   bool // of an account made at a door, which has no password yet
	Unread     int  // notices
	Called     Called
}

// Called is the match to whose board the viewer is called; no URL: none.
type Called struct {
	URL, Text           string
	Mark                string // changes with what is called to
	Clock               string // until when; Deadline 0: nothing runs
	Left, Deadline, Now int64
	Goes                bool // the page goes there by itself
}

// Link is an address with its text.
type Link struct{ Text, URL string }

// Field is one input of a form. Its DOM id is its name.
type Field struct {
	Name, Label, Value, Hint string
	ID                       string // where a page has several of the name; empty: the name
	Error                    string // shown beside the field and announced with it
	Type                     string // text, password, search…, or select, radio, checkbox, textarea, list; empty: text
	Choices                  []Choice
	Autocomplete             string
	Max                      int
	Required                 bool
	Focus                    bool
	IsZone                   bool // a time zone: the browser offers those there are
}

// Choice is one option of a selection.
type Choice struct {
	Value, Text string
	Chosen      bool
	Asks        string // names of fields that are asked for with this choice only, for the style sheet
}

// Paging is where one stands in a long list; empty addresses are no links.
type Paging struct {
	Page, Pages    int
	Previous, Next string
}

// OneWord tells whether a name is to stay on one line: a handle, not a person's full name, nor a word longer than handles are.
func OneWord(name string) bool {
	return !strings.Contains(name, " ") && utf8.RuneCountInString(name) <= 20
}

// SiteName is what a site is called.
func SiteName(ctx context.Context, s Shell) string { return cmp.Or(s.Site, lang.T(ctx, "core.site")) }

// Fragments are the parts of a page that its feed updates, by their ids there.
type Fragments map[string]templ.Component
