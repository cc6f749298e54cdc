package rating_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"chpok.org/chpok/rating"
)

// growing is FIDE's list as text of so many players, of whom each line is made when it is read.
type growing struct {
	players, made int
	rest          []byte
	given         int64
}

func (g *growing) Read(into []byte) (int, error) {
	if len(g.rest) == 0 {
		switch {
		case g.made == 0:
			g.rest = fmt.Appendf(nil, "%-15s%-61s%s\r\n", "ID Number", "Name", "Fed Sex Tit  WTit OTit           FOA NOV26 Gms K  B-day Flag")
		case g.made > g.players:
			return 0, io.EOF
		default:
			g.rest = fmt.Appendf(nil, "%-15d%-61s%-37s%-6d%-4d%-3d1999  \r\n", 10_000_000+g.made, fmt.Sprintf("Player, Number%d", g.made),
				"UKR M", 1400+g.made%1000, 3, 20)
		}
		g.made++
	}
	n := copy(into, g.rest)
	g.rest = g.rest[n:]
	g.given += int64(n)
	return n, nil
}

// TestAListOfFIDEsSizeIsReadAsItComes: half a million players, seventy megabytes. What was read ahead of the player who is
// shown is never more than the buffer of 64 KB, and what is kept does not grow with the list.
func TestAListOfFIDEsSizeIsReadAsItComes(t *testing.T) {
	const players, buffer = 500_000, 64 << 10
	line := int64(len(fmt.Sprintf("%-15s%-61s%-37s%-6s%-4s%-3s1999  \r\n", "", "", "", "", "", "")))
	live := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	list, shown, sum := &growing{players: players}, 0, 0
	before, most := live(), uint64(0)
	err := rating.ReadFIDE(list, func(r rating.Row) error {
		shown++
		sum += r.Rating
		if ahead := list.given - int64(shown)*line; ahead > buffer+2*line {
			return fmt.Errorf("%d bytes ahead of player %d", ahead, shown)
		}
		if want := fmt.Sprintf("Number%d", shown); shown%100_000 == 0 {
			if most = max(most, live()); !strings.HasSuffix(r.Name, want) {
				return fmt.Errorf("player %d is %q", shown, r.Name)
			}
		}
		return nil
	})
	if err != nil || shown != players || sum != players/1000*(1400*1000+999*1000/2) {
		t.Errorf("%d players with %d points: %v", shown, sum, err)
	}
	if most > before+1<<20 {
		t.Errorf("%d bytes are kept, %d before", most, before)
	}
}
