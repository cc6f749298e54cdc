package board

import (
	"context"
	"embed"
	"regexp"
	"strings"
	"sync"
)

//go:embed pieces/*.svg
var pieceFiles embed.FS

// usualPieces is the set of everybody who has not chosen another one.
const usualPieces = "carved"

// PieceFile is the file of a piece set; false: there is none of that name.
func PieceFile(set string) (string, bool) {
	text, err := pieceFiles.ReadFile("pieces/" + set + ".svg")
	return string(text), err == nil
}

type piecesKey struct{}

// WithPieces has pages rendered with a piece set.
func WithPieces(ctx context.Context, set string) context.Context {
	return context.WithValue(ctx, piecesKey{}, set)
}

// drawings are the symbols of the set that pages are rendered with.
func drawings(ctx context.Context) string {
	set, _ := ctx.Value(piecesKey{}).(string)
	file, known := PieceFile(set)
	if !known {
		file, _ = PieceFile(usualPieces)
	}
	_, file, _ = strings.Cut(file, "<defs>")
	file, _, _ = strings.Cut(file, "</defs>")
	return file
}

var symbol = regexp.MustCompile(`(?s)<symbol id="pc-(\w)"[^>]*>(.*?)</symbol>`)

// symbols are the pieces of each set, by the name of the set and the letter.
var symbols = sync.OnceValue(func() map[string]map[string]string {
	files, err := pieceFiles.ReadDir("pieces")
	if err != nil {
		panic(err) // embedded
	}
	sets := map[string]map[string]string{}
	for _, f := range files {
		set := strings.TrimSuffix(f.Name(), ".svg")
		file, _ := PieceFile(set)
		sets[set] = map[string]string{}
		for _, found := range symbol.FindAllStringSubmatch(file, -1) {
			sets[set][found[1]] = found[2]
		}
	}
	return sets
})

// drawing is one piece of a set, by its letter.
func drawing(set, letter string) string { return symbols()[set][letter] }
