package review

import "chpok.org/chpok/fairplay"

// Class groups evidence by how hard it is to forge.
type Class string

// The classes, heaviest first.
const (
	ServerFacts  Class = "S1" // what the server itself saw
	ServerTiming Class = "S2" // when moves arrived
	PageAgainst  Class = "S3" // the page reported what speaks against a person using it
	PageFocus    Class = "S4" // the player left the page
	PageSilent   Class = "S5" // the page reported nothing

	// ResultPatterns are patterns of results. Nobody knows their weight, so they have
	// none: they show arbiters where to look.
	ResultPatterns Class = "R"
)

// Classes lists every class, heaviest first.
var Classes = []Class{ServerFacts, ServerTiming, PageAgainst, PageFocus, PageSilent, ResultPatterns}

// Weight is a log10 likelihood ratio in hundredths: 100 means ten times as likely for
// somebody with outside help as without.
type Weight int

// caps limits what a class may weigh in total. Reports of pages are forged in an
// afternoon, and blocking them proves nothing.
var caps = map[Class]Weight{ServerFacts: 300, ServerTiming: 50, PageAgainst: 100, PageFocus: 50, PageSilent: 0, ResultPatterns: 0}

// Cap returns the most that the class may weigh.
func (c Class) Cap() Weight { return caps[c] }

// weight is the most that one kind of evidence weighs.
type weight struct {
	class Class
	most  Weight
}

// weights has every kind of evidence; a kind counts once, however often it occurred.
// Focus weighs nothing: only its difference between a player's moves could, and that is
// not measured.
var weights = map[string]weight{
	string(SignalAnalysis):       {ServerFacts, 200},
	string(SignalToken):          {ServerFacts, 200},
	string(SignalWhileAbsent):    {ServerFacts, 200},
	string(SignalSharedDevice):   {ServerFacts, 100},
	string(SignalSecondSession):  {ServerFacts, 100},
	string(SignalCopiedKey):      {ServerFacts, 100},
	string(SignalUnsigned):       {ServerFacts, 0}, // refused, and mostly by the player in another window
	string(SignalMidCheck):       {ServerFacts, 0}, // a slow device, a doorbell; losing the level is enough
	string(SignalSharedNetwork):  {ServerFacts, 0}, // a club evening looks like that
	string(SignalPairedDevice):   {ServerFacts, 0}, // a hint before the round: families and clubs share machines
	string(SignalPairedNetwork):  {ServerFacts, 0},
	InstantReplies:               {ServerTiming, 50},
	string(SignalFastActs):       {ServerTiming, 0}, // a hint: it shows a program, not what it does
	string(SignalPolling):        {ServerTiming, 0},
	string(TelemetryUntrusted):   {PageAgainst, 30},
	string(TelemetryWebdriver):   {PageAgainst, 30},
	string(TelemetryNoPointer):   {PageAgainst, 30},
	string(TelemetryPaste):       {PageAgainst, 30},
	string(TelemetryOtherTab):    {PageAgainst, 30},
	string(TelemetryFocus):       {PageFocus, 0},
	string(fairplay.NoTelemetry): {PageSilent, 0},

	string(SignalQuickLosses):     {ResultPatterns, 0},
	string(SignalQuickLossesMore): {ResultPatterns, 0},
	string(SignalShortWins):       {ResultPatterns, 0},
	string(SignalShortWinsMore):   {ResultPatterns, 0},
}

// IsGrave reports whether k is a fact on which a decision can rest.
func (k SignalKind) IsGrave() bool {
	w := weights[string(k)]
	return w.class == ServerFacts && w.most > 0
}

// OpensReview reports whether k opens a review by itself.
func (k SignalKind) OpensReview() bool {
	return k.IsGrave() || k == SignalQuickLossesMore || k == SignalShortWinsMore
}

// Evidence counts occurrences by kind.
type Evidence map[string]int

// Weighed is the evidence of one class. Its weight is a range, never a single number.
type Weighed struct {
	Class     Class
	Kinds     []string // in the order of evidenceKinds
	Low, High Weight
}

// Weigh returns the evidence by class, without empty classes. There is no sum: no number
// says what somebody is.
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
		w.High = min(w.High, caps[c])
		if len(w.Kinds) > 0 {
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
	InstantReplies, string(SignalFastActs), string(SignalPolling), string(TelemetryUntrusted), string(TelemetryWebdriver),
	string(TelemetryNoPointer), string(TelemetryPaste), string(TelemetryOtherTab), string(TelemetryFocus), string(fairplay.NoTelemetry),
	string(SignalQuickLossesMore), string(SignalShortWinsMore), string(SignalQuickLosses), string(SignalShortWins),
}
