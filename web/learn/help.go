package learn

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"chpok.org/chpok/docs"
	"chpok.org/chpok/examples"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	learnview "chpok.org/chpok/templates/learn"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) helpRoutes() []page.Route {
	return []page.Route{
		page.Get("/help", s.help, page.Anyone),
		page.Get("/help/:guide", s.guide, page.Anyone),
		page.Get("/help/bot.py", s.exampleBot, page.Anyone),
	}
}

// shelves are the guides by whom they are for, in the order of the page.
var shelves = []struct {
	readers string // of help.for.…
	guides  []string
}{
	{"players", []string{"players", "clubs", "ladders", "leagues", "ratings", "fair-play"}},
	{"organizers", []string{"tournaments", "friday", "arbiter", "evidence", "schedule", "tiebreaks", "swiss", "trf", "embeds", "chats"}},
	{"programs", []string{"bots", "api", "engine"}},
	{"operators", []string{"install", "operations", "secrets", "dpia"}},
	{"developers", []string{"architecture", "inside", "pairing", "rooms", "house"}},
}

// starts are the first steps by who one is, in the order of the page: pages of the site, or places in the guides. Their words are
// help.start.WHO.STEP, with what one finds there.
var starts = []struct {
	who   string
	steps []start
}{
	{"player", []start{{"learn", "/learn"}, {"play", "/play"}, {"guide", "/help/players#find-your-matches"}}},
	{"organizer", []start{{"new", "/tournaments/new"}, {"door", "/help/tournaments#let-players-in"}, {"desk", "/help/tournaments#run-the-event"}}},
	{"club", []start{{"page", "/clubs"}, {"series", "/help/clubs#series"}, {"ladder", "/help/clubs#ladders-and-leagues"}}},
	{"operator", []start{{"install", "/help/install#1-install-the-package"}, {"evening", "/help/install#4-the-first-evening"},
		{"backup", "/help/operations#back-up-and-restore"}}},
	{"programmer", []start{{"bot", "/help/bots#1-the-account-and-its-token"}, {"file", "/help/bot.py"}, {"api", "/api"}}},
}

// start is a step: its part of the keys of texts, and where it is made.
type start struct{ word, address string }

// guide is a document of the folder docs.
type guide struct {
	name, title, html string
	lang              lang.Lang
	sections          []guideSection
}

// guideSection is what stands under a heading, for the search.
type guideSection struct{ id, title, text string }

// guides are the documents as readers of each language see them, by name, rendered once: what is not translated is in English.
// A translation has the places of the English guide, by the order of its headings, so that links lead to them in every language.
var guides = sync.OnceValues(func() (map[lang.Lang]map[string]guide, error) {
	english, err := readGuides(".", lang.English, nil)
	all := map[lang.Lang]map[string]guide{lang.English: english}
	for _, l := range lang.All {
		if l == lang.English {
			continue
		}
		own, failed := readGuides(string(l), l, english)
		if errors.Is(failed, fs.ErrNotExist) {
			failed = nil
		}
		err = errors.Join(err, failed)
		all[l] = maps.Clone(english)
		maps.Copy(all[l], own)
	}
	return all, err
})

func readGuides(folder string, l lang.Lang, english map[string]guide) (map[string]guide, error) {
	files, err := fs.Glob(docs.Guides, path.Join(folder, "*.md"))
	all := map[string]guide{}
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".md")
		raw, failed := fs.ReadFile(docs.Guides, file)
		if failed == nil {
			all[name], failed = readGuide(name, l, raw, english[name].sections)
		}
		err = errors.Join(err, failed)
	}
	return all, err
}

// markdown reads what the guides are written in. Their HTML, of which there is none, would be left out; columns are not aligned, as
// pages take no styles.
var markdown = goldmark.New(goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone))))

// emptyCells are what stands in the text of a table between its full ones.
var emptyCells = regexp.MustCompile(`:?(?: ·){2,} `)

// readGuide renders a document; places are the headings of the one that it translates.
func readGuide(name string, l lang.Lang, raw []byte, places []guideSection) (guide, error) {
	g := guide{name: name, title: name, lang: l}
	tree := markdown.Parser().Parse(text.NewReader(raw))
	var images []ast.Node
	section := guideSection{}
	err := ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if len(g.sections) < len(places) {
				n.SetAttributeString("id", []byte(places[len(g.sections)].id))
			}
			id, _ := n.AttributeString("id")
			if len(g.sections) == 0 {
				g.title = plainText(n, raw)
			}
			g.sections = append(g.sections, section)
			section = guideSection{id: fmt.Sprintf("%s", id), title: plainText(n, raw)}
			return ast.WalkSkipChildren, nil
		case *east.TableCell:
			section.text += " · "
		case *ast.Paragraph, *ast.TextBlock:
			section.text += " "
		case *ast.Link:
			n.Destination = []byte(helpAddress(string(n.Destination)))
		case *ast.Image:
			images = append(images, n)
		case *ast.Text:
			section.text += string(n.Segment.Value(raw))
			if n.SoftLineBreak() || n.HardLineBreak() {
				section.text += " "
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			section.text += " " + string(n.Lines().Value(raw))
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return g, err
	}
	g.sections = append(g.sections, section)[1:] // nothing stands above the first heading
	for i, x := range g.sections {
		g.sections[i].text = strings.Trim(emptyCells.ReplaceAllString(strings.Join(strings.Fields(x.text), " "), " · "), " ·")
	}
	for _, n := range images { // what they show is on the site itself
		n.Parent().RemoveChild(n.Parent(), n)
	}
	var out bytes.Buffer
	err = markdown.Renderer().Render(&out, raw, tree)
	g.html = strings.NewReplacer("<table>", `<div class="table" tabindex="0" role="group" aria-label="`+g.title+`"><table>`,
		"</table>", "</table></div>", "<th></th>", "<td></td>", "<th>", `<th scope="col">`, "<pre>", `<pre tabindex="0">`).Replace(out.String())
	return g, err
}

// plainText is what stands in a node.
func plainText(of ast.Node, raw []byte) (out string) {
	for n := of.FirstChild(); n != nil; n = n.NextSibling() {
		if t, is := n.(*ast.Text); is {
			out += string(t.Segment.Value(raw))
		}
		out += plainText(n, raw)
	}
	return out
}

// helpAddress is where a link between the guides leads here; others stay as they are.
func helpAddress(link string) string {
	file, heading, has := strings.Cut(link, "#")
	name, is := strings.CutSuffix(strings.TrimPrefix(file, "../"), ".md") // from a translation to what is not translated
	if !is || strings.Contains(name, "/") {
		return link
	}
	if has {
		heading = "#" + heading
	}
	return "/help/" + name + heading
}

// guidesFor are the guides for readers of a language.
func guidesFor(l lang.Lang) (map[string]guide, error) {
	all, err := guides()
	return all[l], err
}

func (s pages) help(c echo.Context) error {
	p := s.Printer(c)
	all, err := guidesFor(p.Lang)
	if err != nil {
		return err
	}
	view := learnview.HelpView{Search: words.Shorten(strings.TrimSpace(c.QueryParam("q")), 80)}
	for _, of := range starts {
		key := "help.start." + of.who
		card := learnview.HelpStart{Title: p.T(key)}
		for _, step := range of.steps {
			at := key + "." + step.word
			card.Steps = append(card.Steps, learnview.HelpStep{Link: templates.Link{Text: p.T(at), URL: step.address}, About: p.T(at + ".about")})
		}
		view.Starts = append(view.Starts, card)
	}
	for _, shelf := range shelves {
		group := learnview.HelpShelf{Title: p.T("help.for." + shelf.readers)}
		for _, name := range shelf.guides {
			group.Guides = append(group.Guides, learnview.HelpGuide{Lang: string(all[name].lang),
				Link: templates.Link{Text: all[name].title, URL: "/help/" + name}})
		}
		view.Shelves = append(view.Shelves, group)
	}
	if view.Search != "" {
		if view.Hits, err = searchGuides(p.Lang, view.Search); err != nil {
			return err
		}
	}
	return s.Render(c, http.StatusOK, learnview.HelpPage(s.helpShell(c, p.T("help.title")), view))
}

func (s pages) helpShell(c echo.Context, title string) templates.Shell {
	sh := s.Shell(c, title)
	sh.Section, sh.Styles = "learn", []string{"help.css"}
	return sh
}

func (s pages) guide(c echo.Context) error {
	all, err := guidesFor(s.Printer(c).Lang)
	if err != nil {
		return err
	}
	g, known := all[c.Param("guide")]
	if !known {
		return store.ErrNotFound
	}
	return s.Render(c, http.StatusOK, learnview.GuidePage(s.helpShell(c, g.title), string(g.lang), g.html))
}

// exampleBot hands out a whole bot in one file.
func (s pages) exampleBot(c echo.Context) error {
	return page.SendFile(c, "", "bot.py", "text/x-python; charset=utf-8", examples.Bot)
}
