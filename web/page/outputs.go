package page

import (
	"archive/zip"
	"bytes"
	"encoding/csv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/notation"
)

func SendCSV(c echo.Context, name string, rows [][]string) error {
	var b bytes.Buffer
	// Spreadsheets take a file without this mark for one in an old code page.
	b.WriteString("\ufeff")
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		return err
	}
	return SendFile(c, name, "text/csv; charset=utf-8", b.Bytes())
}

// AddRecord puts a record into an archive, as JSON and as text.
func AddRecord(z *zip.Writer, name string, raw []byte) error {
	w, err := z.Create(name + ".json")
	if err != nil {
		return err
	}
	if _, err := w.Write(raw); err != nil {
		return err
	}
	record, err := notation.ParseRecord(raw)
	if err != nil {
		return nil // of a program that knows more: the JSON is there
	}
	text, err := notation.Text(record)
	if err != nil {
		return nil
	}
	if w, err = z.Create(name + ".txt"); err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
