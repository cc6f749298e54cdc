package intake

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
)

// Limits of a workbook: a small file may unpack to a very large one.
const (
	mostUnpacked = 16 << 20 // bytes of one part
	mostCells    = 200_000
	mostColumns  = 64
)

// book is the parts of a workbook by name.
type book map[string]*zip.File

// firstSheet returns the first sheet of a workbook as lines, with tabs between the cells.
func firstSheet(raw []byte) (string, error) {
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return "", ErrSheet
	}
	b := book{}
	for _, f := range z.File {
		b[f.Name] = f
	}
	name, err := b.first()
	if err != nil {
		return "", ErrSheet
	}
	shared, err := b.shared()
	if err != nil {
		return "", ErrSheet
	}
	text, err := b.rows(name, shared)
	if err != nil {
		return "", ErrSheet
	}
	return Clean(text)
}

var errPart = errors.New("intake: no such part")

// part gives one part to read, as long as it is within the limits.
func (b book) part(name string, read func(*xml.Decoder) error) error {
	f, there := b[name]
	if !there {
		return errPart
	}
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	return read(xml.NewDecoder(&bounded{r, mostUnpacked}))
}

// bounded fails, rather than ends, where a part is longer than it may be.
type bounded struct {
	r    io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, errPart
	}
	return n, err
}

// first names the part of the first sheet.
func (b book) first() (name string, err error) {
	var id string
	err = b.part("xl/workbook.xml", func(d *xml.Decoder) error {
		var x struct {
			Sheets []struct {
				ID string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
			} `xml:"sheets>sheet"`
		}
		err := d.Decode(&x)
		if err == nil && len(x.Sheets) == 0 {
			err = errPart
		}
		if err == nil {
			id = x.Sheets[0].ID
		}
		return err
	})
	if err != nil {
		return "", err
	}
	err = b.part("xl/_rels/workbook.xml.rels", func(d *xml.Decoder) error {
		var x struct {
			Relationships []struct {
				ID     string `xml:"Id,attr"`
				Target string `xml:"Target,attr"`
			} `xml:"Relationship"`
		}
		if err := d.Decode(&x); err != nil {
			return err
		}
		for _, r := range x.Relationships {
			if r.ID == id {
				name = strings.TrimPrefix(r.Target, "/")
				if !strings.HasPrefix(r.Target, "/") {
					name = path.Join("xl", r.Target)
				}
				return nil
			}
		}
		return errPart
	})
	return name, err
}

// rich is a text that may be in pieces of different looks.
type rich struct {
	Text   string   `xml:"t"`
	Pieces []string `xml:"r>t"`
}

func (x rich) String() string { return x.Text + strings.Join(x.Pieces, "") }

// shared are the texts that cells refer to by number.
func (b book) shared() (texts []string, err error) {
	err = b.part("xl/sharedStrings.xml", func(d *xml.Decoder) error {
		var x struct {
			Items []rich `xml:"si"`
		}
		err := d.Decode(&x)
		for _, i := range x.Items {
			texts = append(texts, i.String())
		}
		return err
	})
	if errors.Is(err, errPart) && b["xl/sharedStrings.xml"] == nil {
		err = nil // a sheet of numbers alone
	}
	return texts, err
}

type cell struct {
	Place  string `xml:"r,attr"`
	Type   string `xml:"t,attr"`
	Value  string `xml:"v"`
	Inline rich   `xml:"is"`
}

func (b book) rows(name string, shared []string) (string, error) {
	var out strings.Builder
	w := csv.NewWriter(&out)
	w.Comma = '\t'
	cells := 0
	err := b.part(name, func(d *xml.Decoder) error {
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			start, is := token.(xml.StartElement)
			if !is || start.Name.Local != "row" {
				continue
			}
			var row struct {
				Cells []cell `xml:"c"`
			}
			if err := d.DecodeElement(&row, &start); err != nil {
				return err
			}
			if cells += len(row.Cells); cells > mostCells {
				return errPart
			}
			fields, err := fieldsOf(row.Cells, shared)
			if err == nil && len(fields) > 0 {
				err = w.Write(fields)
			}
			if err != nil {
				return err
			}
		}
	})
	w.Flush()
	return out.String(), err
}

func fieldsOf(cells []cell, shared []string) (fields []string, err error) {
	for _, c := range cells {
		text := c.Value
		switch c.Type {
		case "s":
			n, err := strconv.Atoi(c.Value)
			if err != nil || n < 0 || n >= len(shared) {
				return nil, errPart
			}
			text = shared[n]
		case "inlineStr":
			text = c.Inline.String()
		case "e", "b":
			text = ""
		}
		at := column(c.Place, len(fields))
		if at >= mostColumns {
			continue
		}
		for len(fields) <= at {
			fields = append(fields, "")
		}
		fields[at] = strings.Join(strings.Fields(text), " ") // a cell may have several lines
	}
	return fields, nil
}

// column is the index of the column in a place such as B7; next without one.
func column(place string, next int) int {
	n := 0
	for _, r := range place {
		if r < 'A' || r > 'Z' || n > mostColumns {
			break
		}
		n = n*26 + int(r-'A') + 1
	}
	if n == 0 {
		return next
	}
	return n - 1
}
