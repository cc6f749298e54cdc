package account

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) ownDataRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/data", s.ownData, page.SignedIn),
		page.Get("/settings/data/export.zip", s.exportData, page.SignedIn),
		page.Post("/settings/data/erase", s.askErasure, page.SignedIn),
		page.Post("/settings/data/keep", s.keepAccount, page.SignedIn),
	}
}

func (s pages) ownData(c echo.Context) error { return s.showOwnData(c, nil) }

func (s pages) showOwnData(c echo.Context, refused error) error {
	p, v := s.Printer(c), page.Viewer(c)
	var hindered []persons.Hindrance
	var due time.Time
	var asked bool
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if due, asked, err = tx.ErasureDue(v.ID); err != nil {
			return err
		}
		hindered, err = persons.Hindrances(tx, v.Player)
		return err
	})
	if err != nil {
		return err
	}
	view := accountview.OwnDataView{
		Password: templates.Field{Name: "password", Label: p.T("settings.password-old"), Type: "password", Autocomplete: "current-password",
			Error: s.FormError(c, refused, page.ErrWrongPassword, page.ErrTooMany)},
		Days: p.Int(int(player.ErasureGrace / (24 * time.Hour))),
	}
	if asked {
		view.Due = p.When(due)
	}
	for _, h := range hindered {
		view.Hindrances = append(view.Hindrances, accountview.Hindrance{Text: p.T("place.hindrance." + string(h.Obstacle)),
			Link: templates.Link{Text: p.Event(h.Name), URL: h.URL}})
	}
	sh := s.Shell(c, p.T("place.data"))
	sh.Path, sh.Styles = "/settings/data", []string{"settings.css"}
	return s.Render(c, page.StatusOf(refused), accountview.OwnDataPage(sh, view))
}

// exportData sends all data about the viewer: each table as JSON and CSV, the record of each finished match, and
// their fair-play file of each place where they played.
func (s pages) exportData(c echo.Context) error {
	if err := s.Within(c, page.LimitArchive); err != nil {
		return err
	}
	ctx, v, now := c.Request().Context(), page.Viewer(c), s.Now()
	var archive bytes.Buffer // so that an error gets a page, not half a file
	z := zip.NewWriter(&archive)
	var heads []store.Head
	var places []fairplay.Place
	err := s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if heads, err = tx.ExportMatches(v.ID); err != nil {
			return err
		}
		if places, err = tx.PlacesOf(v.ID); err != nil {
			return err
		}
		return tx.Export(v.ID, func(t store.ExportTable) error { return addTable(z, now, t) })
	})
	if err != nil {
		return err
	}
	for _, head := range heads {
		if head.Status != match.Over {
			continue
		}
		record, err := s.RecordOf(c, head.ID)
		if err != nil {
			s.Log.Warn("record left out of the export", "request", page.RequestID(c), "match", head.ID, "err", err)
			continue
		}
		raw, err := json.Marshal(record)
		if err == nil {
			err = page.AddRecord(z, "matches/"+string(head.ID), now, raw)
		}
		if err != nil {
			return err
		}
	}
	for _, in := range places {
		document, recorded, err := s.Links.ReviewDocument(c, in)
		if err == nil && recorded {
			err = addJSON(z, "fair-play/"+string(in)+"/review", now, document)
		}
		if err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	page.Download(c, "", fmt.Sprintf("chpok-%s.zip", v.Handle))
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Blob(http.StatusOK, "application/zip", archive.Bytes())
}

// addTable adds a table to an archive, as JSON and CSV.
func addTable(z *zip.Writer, at time.Time, t store.ExportTable) error {
	rows := make([]map[string]any, len(t.Rows))
	lines := [][]string{t.Columns}
	for i, row := range t.Rows {
		rows[i] = make(map[string]any, len(row))
		cells := make([]string, len(row))
		for j, value := range row {
			value = readable(t.Columns[j], value)
			rows[i][t.Columns[j]] = value
			if value != nil {
				cells[j] = fmt.Sprint(value)
			}
		}
		lines = append(lines, cells)
	}
	if err := addJSON(z, t.Name, at, rows); err != nil {
		return err
	}
	text, err := intake.CSV(lines)
	if err != nil {
		return err
	}
	return page.AddFile(z, t.Name+".csv", at, text)
}

// addJSON adds a value to an archive as name.json.
func addJSON(z *zip.Writer, name string, at time.Time, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return page.AddFile(z, name+".json", at, append(text, '\n'))
}

// readable formats times, which are stored in milliseconds.
func readable(column string, value any) any {
	n, isNumber := value.(int64)
	isMoment := column == "at" || column == "moment" || column == "since" || strings.HasSuffix(column, "_at")
	if !isNumber || !isMoment {
		return value
	}
	if n == 0 {
		return nil
	}
	return time.UnixMilli(n).UTC().Format(time.RFC3339)
}

// askErasure starts the grace period of an erasure. Signing in again cancels it.
func (s pages) askErasure(c echo.Context) error {
	v, ctx := page.Viewer(c), c.Request().Context()
	switch err := s.checkOwnPassword(c, c.FormValue("password")); {
	case errors.Is(err, page.ErrWrongPassword), errors.Is(err, page.ErrTooMany):
		return s.showOwnData(c, err)
	case err != nil:
		return err
	}
	if _, err := s.Arbiter.Persons.AskErasure(ctx, v); err != nil {
		return err
	}
	s.SetCookie(c, s.SessionCookie(c), "", -1, true)
	return s.Redirect(c, "/", "flash.erasure-asked")
}

// checkOwnPassword returns nil if the viewer knows their password or has none.
func (s pages) checkOwnPassword(c echo.Context, password string) error {
	v, ctx := page.Viewer(c), c.Request().Context()
	var current player.Credential
	err := s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		_, current, err = tx.PlayerCredential(v.Handle)
		return err
	})
	if err != nil || current == "" {
		return err
	}
	if err := s.Count(c, page.LimitSignIn, "own "+string(v.ID)); err != nil {
		return err
	}
	ok, err := s.matches(ctx, current, words.Shorten(password, 200))
	if err == nil && !ok {
		err = page.ErrWrongPassword
	}
	return err
}

func (s pages) keepAccount(c echo.Context) error {
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error {
		return tx.CancelErasure(page.Viewer(c).ID, s.Now())
	})
	if err != nil {
		return err
	}
	return s.Redirect(c, "/settings/data", "flash.erasure-cancelled")
}
