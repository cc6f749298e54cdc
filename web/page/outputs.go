package page

import (
	"archive/zip"
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/tournament/intake"
)

const csvKind = "text/csv; charset=utf-8"

// SendCSV sends a table as a CSV file.
func SendCSV(c echo.Context, name string, rows [][]string) error {
	text, err := intake.CSV(rows)
	if err != nil {
		return err
	}
	return SendFile(c, name, csvKind, text)
}

// AddRecord adds a record to an archive, as JSON and, if it can be parsed, as text.
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
		return nil // of a newer program: only the JSON
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

// SendFile sends a file to download.
func SendFile(c echo.Context, name, kind string, body []byte) error {
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	return c.Blob(http.StatusOK, kind, body)
}
