package board

// Features are the extraordinary features of a game (Rules 7), comparable with ==. The
// usual game is DefaultFeatures, not the zero value.
type Features struct {
	Width     int // files, 6…10 (7.1)
	MoveLimit int // the game ends after Black's move of this number, 10…999 (7.2)
	Undos     int // for each player, 0…5 (7.3)

	// MovePoints are the points for each move of a piece, 0…9, by Kind from Pawn to
	// Dragon (7.4).
	MovePoints [kinds]int

	Castlings int // for each player, 0…5 (7.5)

	KingOfTheHill   bool // 7.6
	KingsRun        bool // 7.7
	FierceKings     bool // 7.8
	MightyQueens    bool // 7.9
	CornerBishops   bool // 7.10
	PawnsBack       bool // 7.11
	NewbornPawns    bool // 7.12
	RemoveOwn       bool // 7.13
	SkipMoves       bool // 7.14
	NoKingPromotion bool // 7.15
	NoEnPassant     bool // 7.16
}

// DefaultFeatures returns the defaults of section 7.
func DefaultFeatures() Features {
	return Features{Width: 8, MoveLimit: 888, Castlings: 1}
}

// The codes of a FeatureError.
const (
	BadFeatures    = "bad-features"
	UnknownFeature = "unknown-feature"
)

// FeatureError says what is wrong with a features record. Code is UnknownFeature if a
// key is not in section 7, else BadFeatures.
type FeatureError struct {
	Code     string
	Problems []Problem
}

func (e *FeatureError) Error() string { return joinProblems(e.Problems) }

// Validate returns nil, or a *FeatureError that lists every value out of bounds.
func (f Features) Validate() error {
	if problems := f.problems(); len(problems) > 0 {
		return &FeatureError{BadFeatures, problems}
	}
	return nil
}

func (f Features) problems() (problems []Problem) {
	check := func(key string, n, low, high int) {
		if n < low || n > high {
			problems = append(problems, problem("bounds", "%s is %d…%d, not %d", "Key", key, "Low", low, "High", high, "N", n))
		}
	}
	check("width", f.Width, MinWidth, MaxWidth)
	check("moveLimit", f.MoveLimit, 10, 999)
	check("undos", f.Undos, 0, 5)
	if f.MovePoints[NoKind] != 0 {
		problems = append(problems, problem("move-points-none", "movePoints: no piece has no type"))
	}
	for k := Pawn; k <= Dragon; k++ {
		check("movePoints."+k.String(), f.MovePoints[k], 0, 9)
	}
	check("castlings", f.Castlings, 0, 5)
	return problems
}

// switches lists the features that are on or off, in the order of section 7.
func (f *Features) switches() [11]struct {
	key string
	on  *bool
} {
	return [11]struct {
		key string
		on  *bool
	}{
		{"kingOfTheHill", &f.KingOfTheHill},
		{"kingsRun", &f.KingsRun},
		{"fierceKings", &f.FierceKings},
		{"mightyQueens", &f.MightyQueens},
		{"cornerBishops", &f.CornerBishops},
		{"pawnsBack", &f.PawnsBack},
		{"newbornPawns", &f.NewbornPawns},
		{"removeOwn", &f.RemoveOwn},
		{"skipMoves", &f.SkipMoves},
		{"noKingPromotion", &f.NoKingPromotion},
		{"noEnPassant", &f.NoEnPassant},
	}
}

// SwitchKeys returns the keys of the features that are on or off (7.6 to 7.16), in the
// order of section 7.
func SwitchKeys() (keys []string) {
	for _, s := range new(Features).switches() {
		keys = append(keys, s.key)
	}
	return keys
}

// Switch returns the switch of a key, nil if there is none.
func (f *Features) Switch(key string) *bool {
	for _, s := range f.switches() {
		if s.key == key {
			return s.on
		}
	}
	return nil
}

// rules is a features record as positions carry it: small and comparable, with a bit
// for each switch.
type rules struct {
	movePoints [kinds]uint8
	moveLimit  uint16
	on         uint16 // bit i is switches()[i]
	width      uint8
	undos      uint8
	castlings  uint8
}

const (
	kingOfTheHill = 1 << iota
	kingsRun
	fierceKings
	mightyQueens
	cornerBishops
	pawnsBack
	newbornPawns
	removeOwn
	skipMoves
	noKingPromotion
	noEnPassant
)

// compile takes valid features.
func compile(f Features) rules {
	r := rules{
		moveLimit: uint16(f.MoveLimit), width: uint8(f.Width), undos: uint8(f.Undos), castlings: uint8(f.Castlings),
	}
	for k, n := range f.MovePoints {
		r.movePoints[k] = uint8(n)
	}
	for i, s := range f.switches() {
		if *s.on {
			r.on |= 1 << i
		}
	}
	return r
}

func (r rules) features() Features {
	f := Features{
		Width: int(r.width), MoveLimit: int(r.moveLimit), Undos: int(r.undos), Castlings: int(r.castlings),
	}
	for k, n := range r.movePoints {
		f.MovePoints[k] = int(n)
	}
	for i, s := range f.switches() {
		*s.on = r.on&(1<<i) != 0
	}
	return f
}
