package picture_test

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/web/picture"
)

func studio(t *testing.T) *picture.Studio {
	t.Helper()
	s, err := picture.Open()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// keep writes a picture to the folder CHPOK_SHOTS, if that is set.
func keep(t *testing.T, name string, raw []byte) {
	if dir := os.Getenv("CHPOK_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func decoded(t *testing.T, raw []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// start is a match at the start of its board phase.
func start(t *testing.T, width int) picture.Match {
	t.Helper()
	f := board.DefaultFeatures()
	f.Width = width
	pos, err := board.Start(f, board.StandardRow(width))
	if err != nil {
		t.Fatal(err)
	}
	return picture.Match{
		Position: pos, Site: "Chpok", Event: "Autumn Cup · round 3, board 1", Headline: "Mila wins", Caption: "1. e2–e4",
		Upper: picture.Side{Name: "Ivan", Rating: "1644", HasColor: true, Color: board.Black, Points: "11"},
		Lower: picture.Side{Name: "Mila_of_the_longest_name", Rating: "1702", HasColor: true, Points: "20"},
		Share: 0.645, Rules: "Two kings · 10 files · Hill · Pawns back · Skip · 5+3",
	}
}

// played is the same after some moves, moment by moment.
func played(t *testing.T, width int, acts ...string) []picture.Match {
	t.Helper()
	m := start(t, width)
	all := []picture.Match{m}
	for _, text := range acts {
		a, err := board.ParseAction(text)
		if err != nil {
			t.Fatal(err)
		}
		if m.Position, _, err = m.Position.Play(a); err != nil {
			t.Fatal(err)
		}
		m.Last, m.Caption = []board.Square{a.From(), a.To()}, text
		all = append(all, m)
	}
	return all
}

func bidding(t *testing.T) picture.Match {
	t.Helper()
	m := start(t, 8)
	m.Upper.HasColor, m.Lower.HasColor, m.Share = false, false, 0
	m.Headline, m.Caption = "Bidding", "Ivan: Time 5+3, 4 chips"
	m.Bids = []picture.Bid{
		{Title: "White", Stands: "Mila plays White", Upper: 2, Lower: 3}, {Title: "Time", Stands: "5+3", Upper: 4},
		{Title: "Home row", Stands: "the standard row", Row: "RNBQKBNR"}, {Title: "Features", Stands: "Ten files; king of the hill", Lower: 1},
	}
	return m
}

// near tells whether two colors look alike.
func near(a, b color.Color) bool {
	r1, g1, b1, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	apart := func(x, y uint32) bool { return max(x, y)-min(x, y) > 0x0800 }
	return !apart(r1, r2) && !apart(g1, g2) && !apart(b1, b2)
}

var (
	lightSquare = color.RGBA{0xee, 0xf0, 0xe2, 255}
	darkSquare  = color.RGBA{0x7f, 0xa4, 0x8f, 255}
	white       = color.RGBA{255, 255, 255, 255}
	black       = color.RGBA{0x22, 0x30, 0x2c, 255}
)

// A still of squares of 84 pixels begins below a strip of 63: the middle of the
// square of file f and rank r, from 0, is at (84f+42, 63+84(7-r)+42), the head of a pawn 15 above it.
func TestAPositionIsDrawnWithWhatStandsOnIt(t *testing.T) {
	t.Parallel()
	raw, err := studio(t).Still(played(t, 8, "e2e4")[1])
	if err != nil {
		t.Fatal(err)
	}
	keep(t, "still.png", raw)
	img := decoded(t, raw)
	if got := img.Bounds().Size(); got != image.Pt(8*84, 63+8*84+63+42) {
		t.Fatalf("it is %v", got)
	}
	at := func(file, rank int) color.Color { return img.At(84*file+42, 63+84*(7-rank)+27) }
	marked := color.RGBA{0xe9, 0xd5, 0x95, 255}
	for name, x := range map[string]struct{ got, want color.Color }{
		"d5, empty and light": {at(3, 4), lightSquare}, "d4, empty and dark": {at(3, 3), darkSquare},
		"e2, which was left": {at(4, 1), marked}, "the pawn on e4": {at(4, 3), white}, "the pawn on e7": {at(4, 6), black},
	} {
		if !near(x.got, x.want) {
			t.Errorf("%s: %v, want %v", name, x.got, x.want)
		}
	}
}

func TestBlackSitsBelowWhereAsked(t *testing.T) {
	t.Parallel()
	m := played(t, 8, "e2e4")[1]
	m.AsBlack = true
	raw, err := studio(t).Still(m)
	if err != nil {
		t.Fatal(err)
	}
	// Turned around e4 is the fourth rank from above and the fourth file from the left.
	if img := decoded(t, raw); !near(img.At(84*3+42, 63+84*3+27), white) || !near(img.At(84*3+42, 63+84*1+27), color.RGBA{0xe9, 0xd5, 0x95, 255}) {
		t.Error("the board is not turned")
	}
}

func TestCardsAreAsLargeAsSitesAskForThem(t *testing.T) {
	t.Parallel()
	s := studio(t)
	cards := map[string]func() ([]byte, error){
		"card-6.png":  func() ([]byte, error) { return s.Card(start(t, 6)) },
		"card-8.png":  func() ([]byte, error) { return s.Card(played(t, 8, "e2e4", "e7e5")[2]) },
		"card-10.png": func() ([]byte, error) { return s.Card(start(t, 10)) },
		"card-bids.png": func() ([]byte, error) {
			return s.Card(bidding(t))
		},
		"poster-cup.png": func() ([]byte, error) {
			return s.Poster(picture.Poster{Site: "Chpok", Title: "Autumn Cup of the Kyiv Chess Federation 2026", Lines: []string{"Swiss, 5 rounds, 24 players", "Round 3 of 5 is being played"},
				Table: []picture.Row{{"1", "Mila", "3"}, {"2", "Ivan_the_Terrible_of_Kyiv", "2½"}, {"3", "Olena", "2"}, {"4", "Taras", "2"}, {"5", "Yana", "1½"}}})
		},
		"poster-player.png": func() ([]byte, error) {
			return s.Poster(picture.Poster{Site: "Chpok", Title: "Mila", Big: "1702", Lines: []string{"45 matches: 30 won, 2 drawn, 13 lost"}})
		},
		"poster-site.png": func() ([]byte, error) {
			return s.Poster(picture.Poster{Site: "Chpok", Title: "Торги за правила. Потім гра.", Lines: []string{"Фішками – колір, годинник, ряд і особливості, далі бій за очки."}})
		},
	}
	for name, draw := range cards {
		raw, err := draw()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		keep(t, name, raw)
		if got := decoded(t, raw).Bounds().Size(); got != image.Pt(1200, 630) {
			t.Errorf("%s is %v", name, got)
		}
		if len(raw) > 300_000 {
			t.Errorf("%s has %d bytes", name, len(raw))
		}
	}
}

// TestAYearFillsItsCard for somebody of three matches and of three hundred, on six files and on ten, in both schemes: the board stands
// where it begins, and no quarter of the rest is empty.
func TestAYearFillsItsCard(t *testing.T) {
	t.Parallel()
	few := picture.Year{
		Site: "Шпок", Title: "Тарас · 2026", Score: "3 матчі: виграшів 0, нічиїх 0, поразок 3.", Losses: 3,
		Figures: []picture.Figure{{"1440", "рейтинг (−60)"}, {"1", "різний суперник"}},
		Best:    start(t, 6), About: "Найрівніший матч: Оленка, очки на дошці 11 : 17",
		Bids:   picture.YearList[picture.YearBid]{Title: "Улюблені ставки", Lines: []picture.YearBid{{Chips: 2, Target: "Час", Text: "5+3"}}},
		Rivals: picture.YearList[picture.Row]{Title: "Найчастіші суперники", Lines: []picture.Row{{Name: "Оленка", Value: "+0 =0 −3"}}},
	}
	many := few
	many.Score, many.Wins, many.Draws, many.Losses, many.Best = "300 матчів: виграшів 180, нічиїх 20, поразок 100.", 180, 20, 100, start(t, 10)
	many.Figures = []picture.Figure{{"1893", "рейтинг (+393)"}, {"57", "різних суперників"}, {"12", "перемог поспіль"}, {"31", "клубний вечір"}}
	many.Bids.Lines = []picture.YearBid{{Chips: 11, Target: "Домашній ряд", Row: "RNBQKDBBNR"},
		{Chips: 4, Target: "Особливі правила", Text: "10 вертикалей, Король гори, Люті королі, Відступ пішаків"}, {Chips: 9, Target: "Час", Text: "10+5"}}
	many.Rivals.Lines = []picture.Row{{Name: "Пантелеймон_Кримський_молодший", Value: "+31 =4 −27"}, {Name: "Яна", Value: "+9 =0 −2"}}
	many.Feats = picture.YearList[picture.Feat]{Title: "Досягнення",
		Lines: []picture.Feat{{board.Knight, "Заява після відставання", 25}, {board.King, "Взяття короля", 41}, {board.Queen, "Цілий сезон", 3}}}
	for name, y := range map[string]picture.Year{"few": few, "many": many} {
		for _, dark := range []bool{false, true} {
			y.Dark = dark
			paper, square := color.RGBA{0xf6, 0xf7, 0xf4, 255}, darkSquare
			if dark {
				name, paper, square = name+"-dark", color.RGBA{0x10, 0x15, 0x13, 255}, color.RGBA{0x58, 0x7a, 0x69, 255}
			}
			raw, err := studio(t).Year(y)
			if err != nil {
				t.Fatal(err)
			}
			keep(t, "year-"+name+".png", raw)
			img := decoded(t, raw)
			if got := img.Bounds().Size(); got != image.Pt(1200, 630) || !near(img.At(2, 2), paper) {
				t.Errorf("%s is %v on %v", name, got, img.At(2, 2))
			}
			// 464 for eight ranks, 440 for all files: squares of 58 or 44; 56 below it are for the words.
			size := min(464/8, 440/y.Best.Position.Width())
			if a1 := img.At(48+2, (630-8*size-56)/2+8*size-2); !near(a1, square) {
				t.Errorf("%s: a1 is %v", name, a1)
			}
			left := 48 + size*y.Best.Position.Width() + 48
			for quarter := range 4 {
				inked := 0
				for py := 24 + 150*quarter; py < 24+150*(quarter+1); py++ {
					for px := left; px < 1152; px++ {
						if !near(img.At(px, py), paper) {
							inked++
						}
					}
				}
				if inked < 2000 { // a line of such a text has more
					t.Errorf("%s: of quarter %d only %d pixels are drawn", name, quarter, inked)
				}
			}
		}
	}
}

// shown is what a viewer sees at the last of a GIF's frames.
func shown(t *testing.T, raw []byte) (*gif.GIF, *image.RGBA) {
	t.Helper()
	g, err := gif.DecodeAll(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	img := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for _, f := range g.Image {
		for y := f.Rect.Min.Y; y < f.Rect.Max.Y; y++ {
			for x := f.Rect.Min.X; x < f.Rect.Max.X; x++ {
				if _, _, _, a := f.At(x, y).RGBA(); a > 0 {
					img.Set(x, y, f.At(x, y))
				}
			}
		}
	}
	return g, img
}

// An animation has squares of 48 pixels below a strip of 36.
func TestAnAnimationEndsInTheLastPosition(t *testing.T) {
	t.Parallel()
	s := studio(t)
	moments := append([]picture.Match{bidding(t)}, played(t, 8, "e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "f3g5")...)
	raw, err := s.Animation(moments)
	if err != nil {
		t.Fatal(err)
	}
	keep(t, "match.gif", raw)
	g, img := shown(t, raw)
	if len(g.Image) != 9 || g.Delay[0] != 90 || g.Delay[8] != 400 {
		t.Errorf("%d frames, %v", len(g.Image), g.Delay)
	}
	at := func(file, rank int) color.Color { return img.At(48*file+24, 36+48*(7-rank)+15) }
	if !near(at(4, 1), lightSquare) {
		t.Errorf("e2 is %v", at(4, 1))
	}
	if !near(at(4, 3), white) || !near(at(4, 4), black) || !near(at(6, 0), darkSquare) {
		t.Errorf("e4 %v, e5 %v, g1 %v", at(4, 3), at(4, 4), at(6, 0))
	}
}

// TestAnAnimationIsBounded: of a thousand moments 240 frames at most, and the last of them stays.
func TestAnAnimationIsBounded(t *testing.T) {
	t.Parallel()
	s := studio(t)
	there := played(t, 10, "b1c3", "b8c6", "c3b1", "c6b8")
	var moments []picture.Match
	for len(moments) < 1000 {
		moments = append(moments, there[1:]...)
	}
	last := played(t, 10, "e2e4")[1]
	raw, err := s.Animation(append(moments, last))
	if err != nil {
		t.Fatal(err)
	}
	g, img := shown(t, raw)
	if len(g.Image) > picture.AnimationFrames || len(raw) > 1<<20 {
		t.Errorf("%d frames of %d bytes", len(g.Image), len(raw))
	}
	if !near(img.At(48*4+24, 36+48*4+15), white) {
		t.Error("it does not end with the pawn on e4")
	}
}

func BenchmarkCard(b *testing.B) {
	s, m := benchmark(b)
	for b.Loop() {
		if _, err := s.Card(m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAnimation(b *testing.B) {
	s, m := benchmark(b)
	var all []picture.Match
	for len(all) < picture.AnimationFrames {
		for _, text := range []string{"b1c3", "b8c6", "c3b1", "c6b8"} {
			a, err := board.ParseAction(text)
			if err != nil {
				b.Fatal(err)
			}
			m.Position, _, _ = m.Position.Play(a)
			m.Last, m.Caption = []board.Square{a.From(), a.To()}, text
			all = append(all, m)
		}
	}
	for b.Loop() {
		if _, err := s.Animation(all); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmark(b *testing.B) (*picture.Studio, picture.Match) {
	s, err := picture.Open()
	if err != nil {
		b.Fatal(err)
	}
	pos, err := board.Start(board.DefaultFeatures(), board.StandardRow(8))
	if err != nil {
		b.Fatal(err)
	}
	return s, picture.Match{Position: pos, Site: "Chpok", Upper: picture.Side{Name: "Ivan"}, Lower: picture.Side{Name: "Mila"}}
}
