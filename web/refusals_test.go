package web_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
)

// notTold are packages whose plain errors nobody sees as such: their callers make
// an answer of them, or they are trouble of our own.
var notTold = []string{
	"cmd/", "engine/", "store/", "notice/courier/", "live/", "migrations/", "rating/", "tournament/bundle/", "tournament/roster/", "tournament/swiss/", "tournament/teamswiss/", "tournament/tiebreak/",
	"fairplay/statement.go",                             // chpok verify-record
	"fairplay/screening/", "fairplay/review/dossier.go", // chpok review, chpok-lab
}

// plainErrors are the other sentinels that are no refusals, with who answers for them.
var plainErrors = map[string]string{
	"tables.errNoDeeds":           "chpok log",
	"intake.errPart":              "a sheet without texts of its own",
	"ratings.ErrManyRatings":      "web, with the numbers",
	"ratings.errPreview":          "rolls a transaction back",
	"challenges.errSomebodyWaits": "ends an offer: its maker is paired at once",
	"scene.errUnreadable":         "web/match, as a request it cannot read",
	"entries.errNobodyEntered":    "leaves a roster as it is",
	"rounds.errNotDue":            "ends a sweep",
	"arena.ErrPassNotDue":         "ends a sweep",
	"seats.errRemembers":          "has a command judged again, by the database",
	"judges.errRuled":             "ends a ruling that was made already",
	"kernel.ErrSame":              "ends an act that somebody else has done already",
	"events.errNobody":            "ends a series",
	"judges.errEnded":             "decides a ruling anew",
	"notice.ErrBad":               "a notice we made is incomplete",
	"player.ErrAudience":          "our forms offer no other",
	"player.ErrHasPlayed":         "chpok bot",
	"ledger.ErrBroken":            "a broken log is ours",
	"tournament.errCoverage":      "a pairer is broken",
	"page.ErrPanic":               "a handler is broken",
	"words.errDuration":           "the field says what a duration is",
}

func TestEveryRefusalHasATextInBothLanguages(t *testing.T) {
	t.Parallel()
	all := refusal.All()
	if len(all) < 300 {
		t.Errorf("only %d refusals were found", len(all))
	}
	for _, e := range all {
		for _, l := range lang.All {
			if !(lang.Printer{Lang: l}).Has(e.Code) {
				t.Errorf("%q has no text in %s", e.Code, l)
			}
		}
	}
}

func TestNoSentinelIsLeftWithoutAKind(t *testing.T) {
	storetest.OneAfterAnother(t)
	t.Parallel()
	found := map[string]bool{}
	eachFile(t, func(name string, f *ast.File) {
		if slices.ContainsFunc(notTold, func(p string) bool { return strings.HasPrefix(name, p) }) {
			return
		}
		for _, d := range f.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.VAR {
				continue
			}
			for _, s := range decl.Specs {
				v := s.(*ast.ValueSpec)
				for i, value := range v.Values {
					call, ok := value.(*ast.CallExpr)
					if !ok {
						continue
					}
					sel, ok := call.Fun.(*ast.SelectorExpr)
					if !ok || sel.Sel.Name != "New" && sel.Sel.Name != "Errorf" {
						continue
					}
					if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "errors" && x.Name != "fmt" {
						continue
					}
					found[f.Name.Name+"."+v.Names[i].Name] = true
					if _, known := plainErrors[f.Name.Name+"."+v.Names[i].Name]; !known {
						t.Errorf("%s: %s is no refusal, and nobody answers for it", name, v.Names[i].Name)
					}
				}
			}
		}
	})
	for name := range plainErrors {
		if !found[name] {
			t.Errorf("there is no %s any more", name)
		}
	}
}

// TestRefusalsAreDeclaredOnce: all of them are known from the start, for the list that programs read.
func TestRefusalsAreDeclaredOnce(t *testing.T) {
	t.Parallel()
	cases := []string{"Case", "Later", "Told", "Faulty", "FaultsOf", "All"}
	eachFile(t, func(name string, f *ast.File) {
		for _, d := range f.Decls {
			in, is := d.(*ast.FuncDecl)
			if !is || f.Name.Name == "refusal" {
				continue
			}
			ast.Inspect(in, func(n ast.Node) bool {
				call, is := n.(*ast.CallExpr)
				if !is {
					return true
				}
				if sel, is := call.Fun.(*ast.SelectorExpr); is {
					if x, is := sel.X.(*ast.Ident); is && x.Name == "refusal" && len(call.Args) > 1 && !slices.Contains(cases, sel.Sel.Name) {
						t.Errorf("%s: %s declares a refusal", name, in.Name.Name)
					}
				}
				return true
			})
		}
	})
}

// eachFile shows f every file of the module but tests and generated ones.
func eachFile(t *testing.T, f func(name string, file *ast.File)) {
	t.Helper()
	files := token.NewFileSet()
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go") {
			return err
		}
		file, err := parser.ParseFile(files, filepath.Join("..", name), nil, 0)
		if err == nil {
			f(name, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestWhatIsRefusedLeadsBack to the page of this site it was asked from, and to no other.
func TestWhatIsRefusedLeadsBack(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	cup := n.create("name", "Cup", "format", "knock-out", "pace", "manual")
	for from, back := range map[string]string{
		n.http.URL + cup + "/desk?x=1": cup + "/desk?x=1",
		n.http.URL + "/":               "",
		"https://elsewhere.example/x":  "",
		"":                             "",
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, n.http.URL+cup+"/start", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Origin", n.http.URL)
		req.Header.Set("Referer", from)
		p := n.host.do(req).want(http.StatusConflict).wants("link", "Go home") // nobody has entered
		if got := strings.Contains(p.body, `href="`+back+`" data-typed>Back</a>`); got != (back != "") || p.has("link", "Back") != (back != "") {
			t.Errorf("from %q: a way back: %v", from, got)
		}
	}
}
