package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
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

	mu     sync.Mutex
	served map[string]asset // by name: what was asked for
}

// asset is what a static address is answered with.
type asset struct {
	kind         string
	body, packed []byte // packed: compressed; nil where that saves nothing
}

// shortened are the kinds of files, by extension, that are served without their comments and spaces. Nothing else in them
// is changed: what a browser says of a script can be found in it.
var shortened = map[string]api.Loader{".js": api.LoaderJS, ".css": api.LoaderCSS}

// mostServed bounds the answers that are kept: styles can be joined in more ways than pages do.
const mostServed = 512

func newAssets() *assets {
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
	return &assets{files: files, prefix: "/static/" + hex.EncodeToString(sum.Sum(nil))[:12], served: map[string]asset{}}
}

// open returns the file of a name, compressed once for all who ask.
func (a *assets) open(name string) (asset, error) {
	a.mu.Lock()
	known, found := a.served[name]
	a.mu.Unlock()
	if found {
		return known, nil
	}
	body, err := a.read(name)
	if err != nil {
		return asset{}, err
	}
	if loader, is := shortened[path.Ext(name)]; is {
		short := api.Transform(string(body), api.TransformOptions{Loader: loader, MinifyWhitespace: true, Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone})
		if len(short.Errors) > 0 {
			return asset{}, fmt.Errorf("%s: %s", name, short.Errors[0].Text)
		}
		body = bytes.TrimSpace(short.Code)
	}
	opened := asset{kind: mime.TypeByExtension(path.Ext(name)), body: body}
	if path.Ext(name) == ".woff2" {
		opened.kind = "font/woff2" // missing from the tables of some systems
	}
	if opened.kind == "" {
		opened.kind = "application/octet-stream"
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return asset{}, err
	}
	if _, err := w.Write(body); err != nil {
		return asset{}, err
	}
	if err := w.Close(); err != nil {
		return asset{}, err
	}
	if packed.Len() < len(body)*9/10 {
		opened.packed = packed.Bytes()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.served) < mostServed {
		a.served[name] = opened
	}
	return opened, nil
}

// read returns the text of a file, or of several style sheets in a row; see templates.Styles.
func (a *assets) read(name string) ([]byte, error) {
	if set, isPieces := strings.CutPrefix(name, "img/pieces/"); isPieces {
		if file, known := boardview.PieceFile(strings.TrimSuffix(set, ".svg")); known {
			return []byte(file), nil
		}
	}
	sheets, isStyle := strings.CutPrefix(name, "css/")
	if !isStyle {
		return fs.ReadFile(a.files, name)
	}
	var all []byte
	names := strings.Split(strings.TrimSuffix(sheets, ".css"), "+")
	for i, sheet := range names {
		if slices.Contains(names[:i], sheet) {
			return nil, fs.ErrNotExist // nobody makes a long answer of a short question
		}
		body, err := fs.ReadFile(a.files, "css/"+sheet+".css")
		if err != nil {
			return nil, err
		}
		all = append(all, body...)
	}
	return all, nil
}

// asset returns the address of a static file such as "img/chpok.svg".
func (s *Server) asset(name string) string { return s.static.prefix + "/" + name }

func (s *Server) staticRoutes() []page.Route {
	return []page.Route{
		page.Get(page.StaticPath, s.staticFile, page.Anyone),
		page.Get("/favicon.ico", func(c echo.Context) error { return c.Redirect(http.StatusFound, s.asset("img/chpok.svg")) }, page.Anyone),
		page.Get("/robots.txt", func(c echo.Context) error {
			return c.String(http.StatusOK, "User-agent: *\nDisallow: /api/\nDisallow: /link\nDisallow: /tournaments/*/at/\n")
		}, page.Anyone),
	}
}

func (s *Server) staticFile(c echo.Context) error {
	file, err := s.static.open(c.Param("*"))
	if err != nil {
		return echo.ErrNotFound
	}
	cache := "public, max-age=31536000, immutable"
	if "/static/"+c.Param("hash") != s.static.prefix {
		cache = "no-cache" // asked by a page of another version
	}
	h, body := c.Response().Header(), file.body
	h.Set("Cache-Control", cache)
	if file.packed != nil {
		h.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
		if strings.Contains(c.Request().Header.Get(echo.HeaderAcceptEncoding), "gzip") {
			h.Set(echo.HeaderContentEncoding, "gzip")
			body = file.packed
		}
	}
	return c.Blob(http.StatusOK, file.kind, body)
}
