package words_test

import (
	"testing"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

// Points of a Keizer are sums of thirds and halves of values: halves are decimals there, as what stands beside them.
func TestPointsOfOneTableAreWrittenOneWay(t *testing.T) {
	t.Parallel()
	en, uk := lang.Printer{Lang: lang.English}, lang.Printer{Lang: lang.Ukrainian}
	for _, x := range []struct {
		format tournament.Format
		points tournament.Score
		en, uk string
	}{
		{tournament.Keizer, 245, "24.5", "24,5"},
		{tournament.Keizer, 167, "16.7", "16,7"},
		{tournament.Keizer, 70, "7", "7"},
		{tournament.Swiss, 25, "2½", "2½"},
		{tournament.Swiss, 5, "½", "½"},
	} {
		of := &tournament.Tournament{}
		of.Format = x.format
		if got := words.PointsText(en, of, x.points); got != x.en {
			t.Errorf("%v %d: %q, want %q", x.format, x.points, got, x.en)
		}
		if got := words.PointsText(uk, of, x.points); got != x.uk {
			t.Errorf("%v %d: %q, want %q", x.format, x.points, got, x.uk)
		}
	}
}
