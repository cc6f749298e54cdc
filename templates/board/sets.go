package board

import (
	"context"
	"embed"
	"regexp"
	"strings"
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

// drawing is one piece of a set, by its letter.
func drawing(set, letter string) string {
	file, _ := PieceFile(set)
	for _, found := range symbol.FindAllStringSubmatch(file, -1) {
		if found[1] == letter {
			return found[2]
		}
	}
	return ""
}
