package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	boardview "chpok.org/chpok/templates/board"
	"chpok.org/chpok/web/page"
)

//go:embed static
var staticFiles embed.FS

// assets are the static files, which browsers may keep forever because their addresses carry a hash. One hash covers
// all files, so that modules can import each other by relative address.
type assets struct {
	files  fs.FS
	prefix string // "/static/HASH"
}

func newAssets() assets {
	files, err := fs.Sub(staticFiles, "static")
	if err != nil {
		panic(err) // the folder is embedded
	}
	sum := sha256.New()
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(files, name)
		sum.Write([]byte(name + "\x00"))
		sum.Write(body)
		return err
	})
	if err != nil {
		panic(err)
	}
	for _, c := range player.Comforts {
		for _, name := range c.Values {
			if file, isSet := boardview.PieceFile(name); isSet {
				sum.Write([]byte(file))
			}
		}
	}
	return assets{files, "/static/" + hex.EncodeToString(sum.Sum(nil))[:12]}
}

// asset returns the address of a static file such as "img/chpok.svg".
func (s *Server) asset(name string) string { return s.static.prefix + "/" + name }

func (s *Server) staticRoutes() []page.Route {
	return []page.Route{
		page.Get("/static/:hash/*", s.staticFile, page.Anyone),
		page.Get("/favicon.ico", func(c echo.Context) error { return c.Redirect(http.StatusFound, s.asset("img/chpok.svg")) }, page.Anyone),
		page.Get("/robots.txt", func(c echo.Context) error {
			return c.String(http.StatusOK, "User-agent: *\nDisallow: /api/\nDisallow: /link\nDisallow: /tournaments/*/at/\n")
		}, page.Anyone),
	}
}

func (s *Server) staticFile(c echo.Context) error {
	name := c.Param("*")
	body, err := fs.ReadFile(s.static.files, name)
	if set, isPieces := strings.CutPrefix(name, "img/pieces/"); isPieces {
		if file, known := boardview.PieceFile(strings.TrimSuffix(set, ".svg")); known {
			body, err = []byte(file), nil
		}
	}
	if err != nil {
		return echo.ErrNotFound
	}
	cache := "public, max-age=31536000, immutable"
	if "/static/"+c.Param("hash") != s.static.prefix {
		cache = "no-cache" // asked by a page of another version
	}
	c.Response().Header().Set("Cache-Control", cache)
	kind := mime.TypeByExtension(path.Ext(name))
	if path.Ext(name) == ".woff2" {
		kind = "font/woff2" // missing from the tables of some systems
	}
	if kind == "" {
		kind = "application/octet-stream"
	}
	return c.Blob(http.StatusOK, kind, body)
}
