package main

import (
	"bytes"
	"image/png"
	"os"
	"reflect"
	"testing"

	"chpok.org/chpok/cmd/internal/cli"
)

func TestThePiecesOfPicturesAreThoseOfThePages(t *testing.T) {
	t.Parallel()
	var drawn bytes.Buffer
	if err := (&piecesCmd{}).Run(t.Context(), cli.IO{Out: &drawn}); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open("../../web/picture/pieces.png")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	got, err := png.Decode(&drawn)
	kept, keptErr := png.Decode(file)
	if err != nil || keptErr != nil || !reflect.DeepEqual(got, kept) {
		t.Errorf("web/picture/pieces.png is not up to date: run make generate (%v, %v)", err, keptErr)
	}
}

func TestASpriteThatIsDrawnOtherwiseIsRefused(t *testing.T) {
	t.Parallel()
	for _, sprite := range []string{
		"", `<svg><symbol id="pc-K"><path d="M1 1h2" class="pc-z"/></symbol></svg>`, `<svg><symbol id="pc-K"><path d="M1 1h2" class="pc-f"/></symbol></svg>`,
	} {
		if _, err := readPieces(sprite); err == nil {
			t.Errorf("%q is taken", sprite)
		}
	}
}
