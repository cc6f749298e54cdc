package page

import (
	"archive/zip"
	"net/http"
	"time"

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

// AddFile adds a file of a moment to an archive; without one, it would be of 1980.
func AddFile(z *zip.Writer, name string, at time.Time, body []byte) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at})
	if err != nil {
		return err
	}
	_, err = w.Write(body)
	return err
}

// AddRecord adds a record to an archive, as JSON and, if it can be parsed, as text.
func AddRecord(z *zip.Writer, name string, at time.Time, raw []byte) error {
	if err := AddFile(z, name+".json", at, raw); err != nil {
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
	return AddFile(z, name+".txt", at, text)
}

// SendFile sends a file to download.
func SendFile(c echo.Context, name, kind string, body []byte) error {
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	return c.Blob(http.StatusOK, kind, body)
}
