package duel

import (
	"fmt"
	"strings"

	"chpok.org/chpok/engine/board"
)

// UnknownFeaturesError names the features a variants file cannot express.
type UnknownFeaturesError struct{ Features []string }

func (e *UnknownFeaturesError) Error() string {
	return "a variants file cannot say " + strings.Join(e.Features, ", ")
}

// Known returns features without those that a variants file cannot say: somebody who asks a program about a game with
// them asks about the game without.
func Known(f board.Features) board.Features {
	f.Castlings, f.FierceKings, f.CornerBishops, f.RemoveOwn = 0, false, false, false
	return f
}

// variantsFile describes Chpok's board phase to Fairy-Stockfish, which knows neither points
// nor claims, nor any feature the error names.
func variantsFile(f board.Features) (string, error) {
	var unknown []string
	for name, on := range map[string]bool{
		"castlings": f.Castlings > 0, "fierceKings": f.FierceKings, "cornerBishops": f.CornerBishops, "removeOwn": f.RemoveOwn,
	} {
		if on {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		return "", &UnknownFeaturesError{unknown}
	}
	var b strings.Builder
	line := func(key, value string) { fmt.Fprintf(&b, "%s = %s\n", key, value) }
	b.WriteString("[chpok]\n")
	line("maxFile", fmt.Sprint(f.Width))
	line("maxRank", "8")
	line("pieceToCharTable", "-")
	for _, piece := range []string{"rook = r", "bishop = b", "knight = n", "commoner = k", "customPiece1 = d:FD"} {
		b.WriteString(piece + "\n")
	}
	if f.MightyQueens {
		line("amazon", "q")
	} else {
		line("queen", "q")
	}
	if f.PawnsBack {
		line("customPiece2", "p:mfWmbWcefFifmnD")
		line("pawnTypes", "p")
	} else {
		line("pawn", "p")
	}
	line("castling", "false")
	line("extinctionValue", "loss")
	line("extinctionPieceTypes", "k")
	line("stalemateValue", "loss")
	line("nMoveRule", "0")
	line("nFoldRule", "0")
	line("doubleStepRegionWhite", "*2")
	line("doubleStepRegionBlack", "*7")
	promotions := "kqrbdn"
	if f.NoKingPromotion {
		promotions = "qrbdn"
	}
	line("promotionPieceTypes", promotions)
	if f.NoEnPassant {
		line("enPassantRegion", "-")
	}
	if f.SkipMoves {
		line("pass", "true")
	}
	if f.NewbornPawns {
		line("pieceDrops", "true")
		line("firstRankPawnDrops", "true")
		line("dropRegionWhite", "*1 *2")
		line("dropRegionBlack", "*7 *8")
	}
	flags(line, f)
	return b.String(), nil
}

func flags(line func(key, value string), f board.Features) {
	if !f.KingOfTheHill && !f.KingsRun {
		return
	}
	white, black := "", ""
	if f.KingOfTheHill {
		for _, file := range [2]int{(f.Width - 1) / 2, f.Width / 2} {
			white += fmt.Sprintf(" %c5", 'a'+file)
			black += fmt.Sprintf(" %c4", 'a'+file)
		}
	}
	if f.KingsRun {
		white, black = white+" *8", black+" *1"
	}
	line("flagPiece", "k")
	line("flagRegionWhite", strings.TrimSpace(white))
	line("flagRegionBlack", strings.TrimSpace(black))
}

// fen writes a position for Fairy-Stockfish: a CFEN without what only Chpok knows, and
// newborn pawns as a pocket.
func fen(p *board.Position) string {
	fields := strings.Fields(p.String())
	pocket := ""
	if p.Features().NewbornPawns {
		pocket = "[" + strings.Repeat("P", p.BirthsLeft(board.White)) + strings.Repeat("p", p.BirthsLeft(board.Black)) + "]"
	}
	return fmt.Sprintf("%s%s %s - %s 0 %d", fields[0], pocket, fields[1], fields[2], p.FullMove())
}
