package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"chpok.org/chpok/arbiter/tables"
)

// kyivReport is aReport with names that tell one encoding from another.
var kyivReport = strings.NewReplacer("Oksana", "Оксана", "Ivan  ", "Їжак  ", "Petro", "Петро").Replace(aReport)

// saved is a text as programs of different times and systems save it.
func saved(t *testing.T, text string) map[string]string {
	t.Helper()
	list := map[string]string{"UTF-8": text, "UTF-8 with a mark": "\ufeff" + text}
	for name, e := range map[string]encoding.Encoding{
		"windows-1251": charmap.Windows1251, "KOI8-U": charmap.KOI8U,
		"UTF-16": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "UTF-16, big end first": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	} {
		raw, err := e.NewEncoder().String(strings.ReplaceAll(text, "\n", "\r\n"))
		if err != nil {
			t.Fatal(err)
		}
		list[name] = raw
	}
	return list
}

func TestCommandsReadReportsInTheEncodingsPeopleHave(t *testing.T) {
	t.Parallel()
	_, want, _ := runOn(t, kyivReport, "standings")
	if !strings.Contains(want, "Оксана") || !strings.Contains(want, "Їжак") {
		t.Fatalf("the names are not in\n%s", want)
	}
	for name, text := range saved(t, kyivReport) {
		if status, out, errs := runOn(t, text, "standings"); status != 0 || out != want || errs != "" {
			t.Errorf("%s: status %d, %s\n%s", name, status, errs, out)
		}
		if status, out, errs := runOn(t, text, "check"); !strings.Contains(out, "2 rounds checked") || strings.Contains(errs, "not text") {
			t.Errorf("check, %s: status %d, %s%s", name, status, out, errs)
		}
	}
	latin, err := charmap.Windows1250.NewEncoder().String(strings.Replace(aReport, "Ivan ", "Łukáš", 1))
	if err != nil {
		t.Fatal(err)
	}
	if status, out, _ := runOn(t, latin, "standings"); status != 0 || !strings.Contains(out, "Łukáš") {
		t.Errorf("windows-1250: status %d\n%s", status, out)
	}
}

// TestCommandsRefuseWhatIsNoText holds every command that reads a file to one answer: a
// status that is not 0, and the reason, without a word on the other output.
func TestCommandsRefuseWhatIsNoText(t *testing.T) {
	t.Parallel()
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().String(kyivReport)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"standings", "pair", "check", "dry-run", "replay", "record", "draws", "verify-record"} {
		for name, raw := range map[string]string{
			"a picture": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "a program": "\x7fELF\x02\x01\x01\x00", "UTF-16 without a mark": wide,
			"bytes that are no alphabet": "\xa4\xa6\xb1\xa4\xa6\xb1", "an archive": "PK\x03\x04 and then nothing",
			"nothing": "", "blank lines": "\n \n", "a letter to somebody": "Dear Ivan,\nthe report follows.\n",
			"a web page": "<!doctype html>\n<title>Cup</title>\n", "a list": "Іван Франко;1500\nЛеся Українка;1620\n",
		} {
			args := []string{command}
			if command == "dry-run" {
				args = append(args, "--report", "-", "--times", "1")
			}
			status, out, errs := runOn(t, raw, args...)
			if status == 0 || out != "" || len(errs) < 20 || strings.Contains(errs, "panic") {
				t.Errorf("%s, %s: status %d, output %q, errors %q", command, name, status, out, errs)
			}
		}
	}
}

// TestATableSavedAgainByASpreadsheetIsRead: programs for tables write the separators, the
// decimal comma and the encoding of their country.
func TestATableSavedAgainByASpreadsheetIsRead(t *testing.T) {
	t.Parallel()
	text := "rank;number;player;club;rating;score;BH;SB\n" +
		"1;2;\"Їжак \"\"Лев\"\" О'Коннор\";\"Київ; центр\";1500;1,5;12,5;-\n"
	for name, raw := range saved(t, text) {
		file := filepath.Join(t.TempDir(), "standings.csv")
		if err := os.WriteFile(file, []byte(raw), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := readStandings(file, tables.FinalTable{})
		if err != nil || len(got.Lines) != 1 {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		if l := got.Lines[0]; l.Name != `Їжак "Лев" О'Коннор` || l.Score != 15 || l.Values[0] != "12.5" || l.Values[1] != "-" {
			t.Errorf("%s: %+v", name, l)
		}
	}
	for name, raw := range map[string]string{"a picture": "\x89PNG\x00", "one word": "rank", "another table": "a;b\n1;2\n"} {
		file := filepath.Join(t.TempDir(), "standings.csv")
		if err := os.WriteFile(file, []byte(raw), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := readStandings(file, tables.FinalTable{}); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// readers are all places that read bytes from outside, by file, with what keeps foreign
// encodings out of each. What people bring goes through package intake.
var readers = map[string]string{
	"cmd/chpok/input.go":                "asText gives all but bundles to intake",
	"web/page/intake.go":                "BroughtText gives files and fields to intake",
	"web/middleware.go":                 "isUTF8 refuses other bodies; files pass on to intake or bundle",
	"web/tries.go":                      "hashes the body that middleware has read, and reads back what it wrote itself",
	"web/page/operation_read.go":        "JSON, which isUTF8 has seen",
	"web/form/json.go":                  "a part of such JSON",
	"web/fairplay/reviews.go":           "JSON, which isUTF8 has seen",
	"web/desk/tournaments.go":           "the name of the file that BroughtText reads",
	"tournament/bundle/bundle.go":       "every part through intake.Strict",
	"tournament/intake/sheet.go":        "the place itself",
	"tournament/roster/roster.go":       "lines of text",
	"rating/rows.go":                    "text",
	"rating/fide.go":                    "FIDE's list is longer than memory; legible takes what is not UTF-8 for Latin-1",
	"cmd/chpok/check.go":                "text of readText",
	"arbiter/tables/log.go":             "text of readText",
	"engine/board/features_json.go":     "JSON inside a record or body",
	"engine/notation/text_read.go":      "JSON inside a record",
	"fairplay/canonical.go":             "JSON inside a record",
	"fairplay/screening/calibration.go": "JSON of readText",
	"notice/telegram/api.go":            "JSON, whose reader lets nothing pass that is not UTF-8; only commands and codes are made of it",
	"web/outside/prints.go":             "the program itself",
}

// ownReaders are folders that read what this program has written, or talk to programs.
var ownReaders = []string{"web/picture/", "ops/", "engine/duel/", "migrations/", "store/", "cmd/chpok/health.go", "cmd/chpok-lab/",
	"notice/courier/couriertest/", "notice/telegram/telegramtest/", "client/"}

// TestNothingReadsPastTheIntake walks the tree for calls that read bytes or parse what was
// read, so that a new door for files is seen.
func TestNothingReadsPastTheIntake(t *testing.T) {
	t.Parallel()
	reads := map[string]bool{"io.ReadAll": true, "os.ReadFile": true, "os.Open": true, "bufio.NewScanner": true, "bufio.NewReader": true,
		"json.NewDecoder": true, "csv.NewReader": true, "xml.NewDecoder": true, "zip.NewReader": true, "base64.NewDecoder": true}
	seen := map[string]bool{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.HasSuffix(name, "_templ.go") {
			return err
		}
		for _, own := range ownReaders {
			if strings.HasPrefix(name, own) {
				return nil
			}
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			f, is := call.Fun.(*ast.SelectorExpr)
			if !is {
				return true
			}
			of, _ := f.X.(*ast.Ident)
			if of != nil && reads[of.Name+"."+f.Sel.Name] || f.Sel.Name == "FormFile" || f.Sel.Name == "MultipartReader" {
				seen[name] = true
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range seen {
		if readers[name] == "" {
			t.Errorf("%s reads bytes: what people bring goes through package intake; name here what keeps other encodings out", name)
		}
	}
	for name := range readers {
		if !seen[name] {
			t.Errorf("%s reads nothing any more", name)
		}
	}
}
