package intake_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"chpok.org/chpok/tournament/intake"
)

const list = "Іван Франко;1500;Дракон\nЛеся Українка;1620;Лев\nГанна Їжак;;\n"

func TestListsAreReadInTheEncodingsPeopleHave(t *testing.T) {
	t.Parallel()
	lists := []string{list, "Ганна Ґалаґан", "ІВАНЕНКО ОЛЕГ\nШЕВЧЕНКО ТАРАС", "Name;Rating\nЄва О’Коннор;1500\n«Шпок» Андрій;1400", "Ян Щур"}
	for name, e := range map[string]encoding.Encoding{
		"utf-8": encoding.Nop, "windows-1251": charmap.Windows1251, "koi8-u": charmap.KOI8U, "x-mac-cyrillic": charmap.MacintoshCyrillic,
		"iso-8859-5": charmap.ISO8859_5,
		"utf-16le":   unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16be": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	} {
		for _, want := range lists {
			for _, end := range []string{"\n", "\r\n", "\r"} {
				raw, err := e.NewEncoder().Bytes([]byte(strings.ReplaceAll(want, "\n", end)))
				if err != nil {
					continue // the encoding has no such letter
				}
				got, found, err := intake.Read(raw)
				if err != nil || got != want || found != name {
					t.Errorf("%s, %q: %q as %s, %v", name, want, got, found, err)
				}
			}
		}
	}
	raw, _ := charmap.CodePage866.NewEncoder().Bytes([]byte("Олег Петренко\nТарас Шевченко"))
	if got, found, err := intake.Read(raw); got != "Олег Петренко\nТарас Шевченко" {
		t.Errorf("ibm866: %q as %s, %v", got, found, err)
	}
	for _, want := range []string{"Müller, Jörg;1500\nÅse Ødegård", "García José"} {
		raw, _ := charmap.Windows1252.NewEncoder().Bytes([]byte(want))
		if got, found, err := intake.Read(raw); got != want {
			t.Errorf("windows-1252: %q as %s, %v", got, found, err)
		}
	}
	raw, _ = charmap.Windows1250.NewEncoder().Bytes([]byte("Łukasz Żuk"))
	if got, found, err := intake.Read(raw); got != "Łukasz Żuk" {
		t.Errorf("windows-1250: %q as %s, %v", got, found, err)
	}
}

func TestListsOfTheWestAreToldFromEachOther(t *testing.T) {
	t.Parallel()
	raw, _ := charmap.ISO8859_2.NewEncoder().Bytes([]byte("Łukasz Żuk, Świętosława Ćma, Jiří Šťastný"))
	if got, found, err := intake.Read(raw); got != "Łukasz Żuk, Świętosława Ćma, Jiří Šťastný" {
		t.Errorf("iso-8859-2: %q as %s, %v", got, found, err)
	}
}

func TestAnotherEncodingCanBeChosen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of   *charmap.Charmap
		text string
	}{
		"windows-1250": {charmap.Windows1250, "Dvořák"}, "windows-1254": {charmap.Windows1254, "Ömer Şahin"},
		"windows-1257": {charmap.Windows1257, "Šarūnas Žukauskas"}, "iso-8859-5": {charmap.ISO8859_5, "Ђорђе Његош"},
	} {
		raw, _ := c.of.NewEncoder().Bytes([]byte(c.text))
		if got, err := intake.ReadAs(raw, name); got != c.text || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestWhatIsNotTextIsRefused(t *testing.T) {
	t.Parallel()
	wide, _ := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().Bytes([]byte(list))
	for name, raw := range map[string][]byte{
		"a picture":                 []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"),
		"UTF-16 without a mark":     wide,
		"UTF-16 cut in a character": []byte("\xff\xfeI\x04\x32"),
		"UTF-8 with bytes lost":     append([]byte(list), 0xd0),
		"a program":                 []byte("\x7fELF\x02\x01\x01\x00"),
		"three letters and a byte that stands for none": []byte("\xb0\xb1\x81\xb2"),
	} {
		if text, as, err := intake.Read(raw); !errors.Is(err, intake.ErrNotText) {
			t.Errorf("%s: %q as %s, %v", name, text, as, err)
		}
	}
}

// workbook packs parts as spreadsheet programs do.
func workbook(t *testing.T, sheet, shared string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range [][2]string{
		{"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"
			xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId7"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Target="styles.xml"/><Relationship Id="rId7" Target="worksheets/sheet3.xml"/></Relationships>`},
		{"xl/worksheets/sheet3.xml", `<worksheet><sheetData>` + sheet + `</sheetData></worksheet>`},
		{"xl/sharedStrings.xml", `<sst>` + shared + `</sst>`},
	} {
		w, err := z.Create(part[0])
		if err == nil {
			_, err = w.Write([]byte(part[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTheFirstSheetOfAWorkbookIsRead(t *testing.T) {
	t.Parallel()
	raw := workbook(t, `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"/>
		<row r="3"><c r="A3" t="s"><v>2</v></c><c r="C3"><v>1500</v></c><c r="D3" t="inlineStr"><is><t>Лев</t></is></c></row>`,
		`<si><t>Name</t></si><si><t>Club</t></si><si><r><t>Іван "Шпок"</t></r><r><t xml:space="preserve"> Франко</t></r></si>`)
	got, as, err := intake.Read(raw)
	want := "Name\tClub\n\"Іван \"\"Шпок\"\" Франко\"\t\t1500\tЛев\n"
	if got != want || as != intake.Workbook || err != nil {
		t.Errorf("%q as %s, %v", got, as, err)
	}
}

func TestAWorkbookThatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	bomb := workbook(t, "", "<si><t>"+strings.Repeat("a", 17<<20)+"</t></si>")
	if len(bomb) > 1<<20 {
		t.Fatalf("%d bytes are no small file", len(bomb))
	}
	for name, raw := range map[string][]byte{
		"an archive of something else":             []byte("PK\x03\x04 and then nothing"),
		"a small file that unpacks to a large one": bomb,
		"a cell without its text":                  workbook(t, `<row><c t="s"><v>5</v></c></row>`, ""),
	} {
		if text, _, err := intake.Read(raw); !errors.Is(err, intake.ErrSheet) {
			t.Errorf("%s: %.40q, %v", name, text, err)
		}
	}
	far := workbook(t, `<row><c r="ZZZZZZZZZ1"><v>5</v></c><c r="A1"><v>6</v></c></row>`, "")
	if got, _, err := intake.Read(far); got != "6\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// FuzzReadIsTextOrARefusal: what is read has no control characters but those of lines.
func FuzzReadIsTextOrARefusal(f *testing.F) {
	f.Add([]byte(list))
	f.Add([]byte("\xff\xfe1\x04"))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		text, as, err := intake.Read(raw)
		if err == nil && (as == "" || strings.ContainsAny(text, "\x00\r")) {
			t.Errorf("%q as %s", text, as)
		}
	})
}
