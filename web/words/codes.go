package words

import (
	"fmt"
	"strings"

	"rsc.io/qr"

	"chpok.org/chpok/templates"
)

// qrQuiet is the empty margin, in modules, that readers need around a code.
const qrQuiet = 4

// QrOf renders an address as a QR code, one rectangle for each run of dark modules in a row.
func QrOf(link, label string) (templates.QR, error) {
	code, err := qr.Encode(link, qr.M)
	if err != nil {
		return templates.QR{}, fmt.Errorf("code of %s: %w", link, err)
	}
	var b strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			run := 0
			for x+run < code.Size && code.Black(x+run, y) {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", x+qrQuiet, y+qrQuiet, run, run)
				x += run
			}
		}
	}
	size := code.Size + 2*qrQuiet
	return templates.QR{Path: b.String(), Box: fmt.Sprintf("0 0 %d %d", size, size), Label: label}, nil
}
