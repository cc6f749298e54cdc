package review

import "chpok.org/chpok/fairplay"

// Class groups what was noticed by how hard it is to forge.
type Class string

// The classes, the weightiest first.
const (
	ServerFacts  Class = "S1" // what the server itself saw
	ServerTiming Class = "S2" // when moves arrived
	PageAgainst  Class = "S3" // what the page told that speaks against a person at it
	PageFocus    Class = "S4" // that the page was left
	PageSilent   Class = "S5" // that the page told nothing

	// ResultPatterns is what results alone point at. No weight is known for it, so
	// it has none: it tells arbiters where to look.
	ResultPatterns Class = "R"
)

// Classes is every class, in the order of their weight.
var Classes = []Class{ServerFacts, ServerTiming, PageAgainst, PageFocus, PageSilent, ResultPatterns}

// Weight is a log10 likelihood ratio in hundredths: 100 means ten times as
// likely when somebody is helped as when not.
type Weight int

// caps are the most that a class may weigh, however much of it there is. What a
// page tells is forged in an afternoon, and blocking it proves nothing.
var caps = map[Class]Weight{ServerFacts: 300, ServerTiming: 50, PageAgainst: 100, PageFocus: 50, PageSilent: 0, ResultPatterns: 0}

// Cap is the most that the class may weigh.
func (c Class) Cap() Weight { return caps[c] }

// weight is what one kind of evidence can weigh at most, once.
type weight struct {
	class Class
	most  Weight
}

// weights of every kind of evidence there is; a kind counts once, however often
// it happened. Focus has none: it would weigh only as a difference between moves
// of one player, and no moves are measured.
var weights = map[string]weight{
	string(SignalAnalysis):       {ServerFacts, 200},
	string(SignalToken):          {ServerFacts, 200},
	string(SignalWhileAbsent):    {ServerFacts, 200},
	string(SignalSharedDevice):   {ServerFacts, 100},
	string(SignalSecondSession):  {ServerFacts, 100},
	string(SignalCopiedKey):      {ServerFacts, 100},
	string(SignalUnsigned):       {ServerFacts, 0}, // refused, and mostly by the player in another window
	string(SignalMidCheck):       {ServerFacts, 0}, // a slow device or a ringing door; the level falls, and that is enough
	string(SignalSharedNetwork):  {ServerFacts, 0}, // a club evening looks like that
	string(SignalPairedDevice):   {ServerFacts, 0}, // word for the arbiter before the round: families and clubs share machines
	string(SignalPairedNetwork):  {ServerFacts, 0},
	InstantReplies:               {ServerTiming, 50},
	string(SignalFastActs):       {ServerTiming, 0}, // word for the arbiter: it shows a program, not what the program does
	string(SignalPolling):        {ServerTiming, 0},
	string(TellUntrusted):        {PageAgainst, 30},
	string(TellWebdriver):        {PageAgainst, 30},
	string(TellNoPointer):        {PageAgainst, 30},
	string(TellPaste):            {PageAgainst, 30},
	string(TellOtherTab):         {PageAgainst, 30},
	string(TellFocus):            {PageFocus, 0},
	string(fairplay.NoTelemetry): {PageSilent, 0},

	string(SignalQuickLosses):     {ResultPatterns, 0},
	string(SignalQuickLossesMore): {ResultPatterns, 0},
	string(SignalShortWins):       {ResultPatterns, 0},
	string(SignalShortWinsMore):   {ResultPatterns, 0},
}

// IsGrave tells whether a kind of signal is a fact on which a decision can rest.
func (k SignalKind) IsGrave() bool {
	w := weights[string(k)]
	return w.class == ServerFacts && w.most > 0
}

// OpensReview tells whether a kind of signal opens a review by itself.
func (k SignalKind) OpensReview() bool {
	return k.IsGrave() || k == SignalQuickLossesMore || k == SignalShortWinsMore
}

// Evidence is how often each kind was noticed.
type Evidence map[string]int

// Weighed is what a class holds: from Low to High, never a single number.
type Weighed struct {
	Class     Class
	Kinds     []string // those that happened, in no order that means anything
	Low, High Weight
}

// Weigh is the evidence by class, every class with something in it. The classes
// are not summed up: no number says what somebody is.
func (e Evidence) Weigh() []Weighed {
	var out []Weighed
	for _, c := range Classes {
		w := Weighed{Class: c}
		for _, kind := range evidenceKinds {
			if e[kind] > 0 && weights[kind].class == c {
				w.Kinds = append(w.Kinds, kind)
				w.High += weights[kind].most
			}
		}
		if w.High = min(w.High, caps[c]); len(w.Kinds) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// evidenceKinds are the kinds in the order in which pages name them.
var evidenceKinds = []string{
	string(SignalAnalysis), string(SignalToken), string(SignalUnsigned), string(SignalWhileAbsent), string(SignalCopiedKey),
	string(SignalSharedDevice), string(SignalSecondSession), string(SignalMidCheck), string(SignalSharedNetwork),
	string(SignalPairedDevice), string(SignalPairedNetwork),
	InstantReplies, string(SignalFastActs), string(SignalPolling), string(TellUntrusted), string(TellWebdriver),
	string(TellNoPointer), string(TellPaste), string(TellOtherTab), string(TellFocus), string(fairplay.NoTelemetry),
	string(SignalQuickLossesMore), string(SignalShortWinsMore), string(SignalQuickLosses), string(SignalShortWins),
}
