package page

import (
	"archive/zip"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/tournament/intake"
)

const csvKind = "text/csv; charset=utf-8"

// SendCSV sends a table of something as a CSV file.
func SendCSV(c echo.Context, of, name string, rows [][]string) error {
	text, err := intake.CSV(rows)
	if err != nil {
		return err
	}
	return SendFile(c, of, name, csvKind, text)
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

// SendFile sends a file of something to download.
func SendFile(c echo.Context, of, name, kind string, body []byte) error {
	Download(c, of, name)
	return c.Blob(http.StatusOK, kind, body)
}

// Download tells browsers to save the answer, under a name that says what it is of.
func Download(c echo.Context, of, name string) {
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+FileName(of, name)+`"`)
}

// maxFileName bounds what comes before the last part of a file's name.
const maxFileName = 60

// FileName returns the name of a file of something, in plain letters that every system keeps: "spring-swiss-log.csv". Names in
// scripts that have no such letters are left out.
func FileName(of, name string) string {
	begin := ""
	for _, word := range fold.Words(of) {
		word = strings.Map(func(r rune) rune {
			if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
				return r
			}
			return -1
		}, word)
		if word != "" && len(begin)+len(word) < maxFileName {
			begin += word + "-"
		}
	}
	return begin + name
}
