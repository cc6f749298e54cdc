package store

import (
	"strconv"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
)

// The numbers of states in SQL. They stand in its text and not among the arguments: a partial
// index serves only queries whose text shows that its condition holds.
var (
	matchWaiting, matchBidding     = number(match.Waiting), number(match.Bidding)
	matchPlaying, matchOver        = number(match.Playing), number(match.Over)
	wonByFirst, wonBySecond, drawn = number(match.FirstWins), number(match.SecondWins), number(match.Draw)
	seatFirst, seatSecond          = number(match.First), number(match.Second)
	levelOpen                      = number(fairplay.Open)

	ratedLoss, ratedDraw, ratedWin = number(rating.Loss), number(rating.Draw), number(rating.Win)
	foldShown, foldMaking          = number(ShownFold), number(MakingFold)
	foldMonthly, foldDropped       = number(MonthlyFold), number(DroppedFold)

	analysisUnderWay, analysisDone, analysisMined = number(AnalysisUnderWay), number(AnalysisDone), number(AnalysisMined)

	choicesUnderWay, choicesDone, choicesJudged = number(ChoicesUnderWay), number(ChoicesDone), number(ChoicesJudged)

	eventFinished                               = number(tournament.Finished)
	levelVerified                               = number(fairplay.Verified)
	eventDraft, eventRegistration, eventRunning = number(tournament.Draft), number(tournament.Registration), number(tournament.Running)

	formatArena   = number(tournament.Arena)
	entryActive   = number(tournament.Active)
	resultPending = number(tournament.Pending)

	challengeOpen, challengeAccepted = number(challenge.Open), number(challenge.Accepted)
	challengeExpired                 = number(challenge.Expired)
)

func number[State ~int | ~uint8](s State) string { return strconv.Itoa(int(s)) }
