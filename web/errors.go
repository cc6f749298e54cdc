package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/call"
	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/passkey"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/tournament/dryrun"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/series"
)

// What the site itself refuses.
var (
	errSignIn      = errors.New("web: sign in first")
	errForbidden   = errors.New("web: not allowed")
	errCrossOrigin = errors.New("web: request from another site")
	errTooMany     = errors.New("web: too many requests")
	errBadRequest  = errors.New("web: request cannot be read")
	errBusy        = errors.New("web: too much to do")
	errSlow        = errors.New("web: the request came too slowly")
	errScope       = errors.New("web: the token was not made for this")
)

// explanation is how an error is told to a person or a program.
type explanation struct {
	err    error
	status int
	key    string // of the text; what follows its first dot is the API's code
}

// explanations is the one table from errors to what visitors see. An error that
// is not here is ours: 500, logged, an apology.
var explanations = []explanation{
	{store.ErrDown, http.StatusServiceUnavailable, "error.down"}, // whatever is said besides
	{store.ErrNotFound, http.StatusNotFound, "error.not-found"},
	{store.ErrConflict, http.StatusConflict, "error.conflict"},
	{errSignIn, http.StatusUnauthorized, "error.sign-in"},
	{errForbidden, http.StatusForbidden, "error.forbidden"},
	{errCrossOrigin, http.StatusForbidden, "error.cross-origin"},
	{errTooMany, http.StatusTooManyRequests, "error.too-many"},
	{errBadRequest, http.StatusBadRequest, "error.bad-request"},
	{errSlow, http.StatusRequestTimeout, "error.slow"},
	{store.ErrText, http.StatusBadRequest, "error.bad-request"},
	{club.ErrRole, http.StatusBadRequest, "error.bad-request"},
	{errBusy, http.StatusServiceUnavailable, "error.busy"},
	{errScope, http.StatusForbidden, "error.scope"},
	{player.ErrScope, http.StatusUnprocessableEntity, "account.error.scope"},
	{player.ErrScopePerson, http.StatusUnprocessableEntity, "account.error.scope-person"},
	{player.ErrScopeBot, http.StatusUnprocessableEntity, "account.error.scope-bot"},
	{player.ErrManyBots, http.StatusUnprocessableEntity, "account.error.many-bots"},
	{player.ErrMaintainer, http.StatusForbidden, "error.forbidden"},
	{fairplay.ErrUnmet, http.StatusUnprocessableEntity, "fairplay.error.unmet"},
	{arbiter.ErrOtherUnmet, http.StatusConflict, "fairplay.error.other-unmet"},
	{arbiter.ErrKeptOut, http.StatusConflict, "fairplay.error.kept-out"},
	{arbiter.ErrBeingPlayed, http.StatusConflict, "fairplay.error.being-played"},
	{arbiter.ErrNoNetwork, http.StatusUnprocessableEntity, "fairplay.error.no-network"},
	{arbiter.ErrVenues, http.StatusConflict, "fairplay.error.venues"},
	{live.ErrNotPlaying, http.StatusForbidden, "error.forbidden"},
	{arbiter.ErrCheckIn, http.StatusForbidden, "fairplay.error.check-in"},
	{arbiter.ErrCheckInOld, http.StatusForbidden, "passkey.error.old"},
	{arbiter.ErrUnlockFirst, http.StatusForbidden, "passkey.error.unlock-first"},
	{arbiter.ErrChecking, http.StatusConflict, "passkey.error.checking"},
	{arbiter.ErrMidCheckOver, http.StatusConflict, "passkey.error.mid-check-over"},
	{arbiter.ErrTakenOver, http.StatusForbidden, "passkey.error.taken-over"},
	{fairplay.ErrUnsigned, http.StatusForbidden, "passkey.error.unsigned"},
	{fairplay.ErrPageKey, http.StatusUnprocessableEntity, "passkey.error.page-key"},
	{arbiter.ErrNoCheckIn, http.StatusConflict, "passkey.error.no-check-in"},
	{arbiter.ErrCode, http.StatusUnprocessableEntity, "passkey.error.code"},
	{arbiter.ErrOneDevice, http.StatusUnprocessableEntity, "passkey.error.one-device"},
	{arbiter.ErrNoPasskey, http.StatusUnprocessableEntity, "passkey.error.none"},
	{arbiter.ErrTooLong, http.StatusUnprocessableEntity, "passkey.error.too-long"},
	{passkey.ErrAnswer, http.StatusUnprocessableEntity, "passkey.error.answer"},
	{passkey.ErrUnverified, http.StatusUnprocessableEntity, "passkey.error.unverified"},
	{passkey.ErrCounter, http.StatusUnprocessableEntity, "passkey.error.counter"},
	{passkey.ErrNoName, http.StatusConflict, "passkey.error.no-name"},
	{player.ErrPasskeyName, http.StatusUnprocessableEntity, "passkey.error.name"},
	{player.ErrManyPasskeys, http.StatusConflict, "passkey.error.many"},
	{arbiter.ErrReviewRuns, http.StatusConflict, "review.error.runs"},
	{arbiter.ErrReviewStands, http.StatusConflict, "review.error.stands"},
	{arbiter.ErrOfPlay, http.StatusUnprocessableEntity, "review.error.of-play"},
	{arbiter.ErrSteward, http.StatusForbidden, "review.error.steward-opens"},
	{arbiter.ErrReportTwice, http.StatusConflict, "review.error.report-twice"},
	{arbiter.ErrReportMany, http.StatusTooManyRequests, "review.error.report-many"},
	{arbiter.ErrReportWhat, http.StatusUnprocessableEntity, "review.error.report-what"},
	{fairplay.ErrTold, http.StatusBadRequest, "error.bad-request"},
	{fairplay.ErrNotSteward, http.StatusForbidden, "review.error.not-steward"},
	{fairplay.ErrParty, http.StatusForbidden, "staff.error.party"},
	{fairplay.ErrOwnMatch, http.StatusForbidden, "review.error.own-match"},
	{fairplay.ErrWatchOrder, http.StatusConflict, "review.error.watch-order"},
	{fairplay.ErrAway, http.StatusConflict, "review.error.watch-away"},
	{fairplay.ErrWatchNote, http.StatusUnprocessableEntity, "review.error.text"},
	{fairplay.ErrReviewText, http.StatusUnprocessableEntity, "review.error.text"},
	{fairplay.ErrReviewOrder, http.StatusConflict, "review.error.order"},
	{fairplay.ErrAlone, http.StatusConflict, "review.error.alone"},
	{fairplay.ErrInvolved, http.StatusUnprocessableEntity, "review.error.involved"},
	{fairplay.ErrNoGround, http.StatusUnprocessableEntity, "review.error.ground"},
	{fairplay.ErrUnheard, http.StatusConflict, "review.error.unheard"},
	{fairplay.ErrTooLate, http.StatusConflict, "review.error.late"},
	{fairplay.ErrTerm, http.StatusUnprocessableEntity, "review.error.term"},
	{fairplay.ErrPanel, http.StatusUnprocessableEntity, "review.error.panel"},
	{tournament.ErrStewardPlays, http.StatusUnprocessableEntity, "review.error.steward-plays"},

	{player.ErrProfileName, http.StatusUnprocessableEntity, "place.error.name"},
	{player.ErrProfileAbout, http.StatusUnprocessableEntity, "place.error.about"},
	{player.ErrProfileCountry, http.StatusUnprocessableEntity, "place.error.country"},
	{player.ErrProfileLinks, http.StatusUnprocessableEntity, "place.error.links"},
	{challenge.ErrNotWanted, http.StatusUnprocessableEntity, "place.error.not-wanted"},
	{arbiter.ErrHindered, http.StatusConflict, "place.error.hindered"},
	{notice.ErrAddress, http.StatusUnprocessableEntity, "mail.error.address"},
	{errMailOff, http.StatusNotFound, "mail.error.off"},
	{errMailDown, http.StatusUnprocessableEntity, "mail.error.down"},

	{player.ErrHandle, http.StatusUnprocessableEntity, "account.error.handle"},
	{player.ErrPasswordShort, http.StatusUnprocessableEntity, "account.error.password-short"},
	{player.ErrPasswordLong, http.StatusUnprocessableEntity, "account.error.password-long"},
	{player.ErrPasswordPlain, http.StatusUnprocessableEntity, "account.error.password-plain"},
	{player.ErrPasswordMost, http.StatusUnprocessableEntity, "account.error.password-most"},
	{player.ErrTokenName, http.StatusUnprocessableEntity, "account.error.token-name"},
	{player.ErrRole, http.StatusUnprocessableEntity, "account.error.role"},
	{errWrongPassword, http.StatusUnprocessableEntity, "account.error.wrong-password"},
	{errProve, http.StatusUnprocessableEntity, "settings.error.prove"},
	{errWrongCode, http.StatusUnprocessableEntity, "account.error.wrong-code"},
	{errHandleTaken, http.StatusUnprocessableEntity, "account.error.handle-taken"},
	{errSignUpClosed, http.StatusForbidden, "account.error.sign-up-closed"},
	{errLinkUsed, http.StatusGone, "account.error.link-used"},

	{rating.ErrBirthYear, http.StatusUnprocessableEntity, "rating.error.birth-year"},

	{tournament.ErrNotAllowed, http.StatusForbidden, "error.forbidden"},
	{tournament.ErrNotOpen, http.StatusConflict, "tournament.error.not-open"},
	{tournament.ErrStarted, http.StatusConflict, "tournament.error.started"},
	{fairplay.ErrNotIssuer, http.StatusForbidden, "attest.error.not-issuer"},
	{fairplay.ErrOwnWord, http.StatusUnprocessableEntity, "attest.error.own"},
	{fairplay.ErrUnknownIssuer, http.StatusUnprocessableEntity, "attest.error.unknown"},
	{fairplay.ErrTooMany, http.StatusConflict, "attest.error.often"},
	{fairplay.ErrAttestation, http.StatusUnprocessableEntity, "attest.error.bad"},
	{fairplay.ErrRevoked, http.StatusConflict, "attest.error.revoked"},
	{fairplay.ErrGuardian, http.StatusUnprocessableEntity, "attest.error.guardian"},
	{arbiter.ErrPerson, http.StatusUnprocessableEntity, "attest.error.person"},
	{arbiter.ErrCertify, http.StatusUnprocessableEntity, "attest.error.certify"},
	{tournament.ErrNoChat, http.StatusConflict, "chat.error.none"},
	{tournament.ErrChatClosed, http.StatusConflict, "chat.error.closed"},
	{tournament.ErrMuted, http.StatusConflict, "chat.error.muted"},
	{tournament.ErrBadPost, http.StatusUnprocessableEntity, "chat.error.text"},
	{tournament.ErrReported, http.StatusConflict, "chat.error.reported"},
	{tournament.ErrManyScreens, http.StatusConflict, "screen.error.many"},
	{tournament.ErrLinked, http.StatusConflict, "files.error.linked"},
	{tournament.ErrNotPlayable, http.StatusConflict, "files.error.not-playable"},
	{tournament.ErrNotRunning, http.StatusConflict, "tournament.error.not-running"},
	{tournament.ErrFinished, http.StatusConflict, "tournament.error.finished"},
	{tournament.ErrEntered, http.StatusConflict, "tournament.error.entered"},
	{tournament.ErrFull, http.StatusConflict, "tournament.error.full"},
	{tournament.ErrBadName, http.StatusUnprocessableEntity, "tournament.error.bad-name"},
	{tournament.ErrNoEntry, http.StatusNotFound, "tournament.error.no-entry"},
	{tournament.ErrWithdrawn, http.StatusConflict, "tournament.error.withdrawn"},
	{tournament.ErrTooFew, http.StatusConflict, "tournament.error.too-few"},
	{tournament.ErrVarmaSize, http.StatusConflict, "tournament.error.varma-size"},
	{tournament.ErrRoundOpen, http.StatusConflict, "tournament.error.round-open"},
	{tournament.ErrNoRoundsLeft, http.StatusConflict, "tournament.error.no-rounds-left"},
	{tournament.ErrNoBoard, http.StatusNotFound, "tournament.error.no-board"},
	{tournament.ErrBeingPlayed, http.StatusConflict, "tournament.error.being-played"},
	{tournament.ErrNoBye, http.StatusConflict, "tournament.error.no-bye"},
	{tournament.ErrCheckInClosed, http.StatusConflict, "schedule.error.check-in-closed"},
	{tournament.ErrPaused, http.StatusConflict, "schedule.error.paused"},
	{tournament.ErrNotPaused, http.StatusConflict, "schedule.error.not-paused"},
	{tournament.ErrReason, http.StatusUnprocessableEntity, "schedule.error.reason"},
	{tournament.ErrTime, http.StatusUnprocessableEntity, "schedule.error.time"},
	{tournament.ErrCannotFit, http.StatusConflict, "schedule.error.cannot-fit"},
	{tournament.ErrFewPresent, http.StatusConflict, "schedule.error.few-present"},
	{tournament.ErrLineUp, http.StatusConflict, "clubmatch.error.line-up"},
	{tournament.ErrLaidOpen, http.StatusConflict, "clubmatch.error.laid-open"},
	{tournament.ErrNoLineUps, http.StatusConflict, "clubmatch.error.no-line-ups"},
	{arbiter.ErrLineUpSize, http.StatusUnprocessableEntity, "clubmatch.error.size"},
	{arbiter.ErrLineUpTwice, http.StatusUnprocessableEntity, "clubmatch.error.twice"},
	{arbiter.ErrDryRun, http.StatusUnprocessableEntity, "dryrun.error.bounds"},
	{dryrun.ErrPlan, http.StatusUnprocessableEntity, "dryrun.error.plan"},
	{player.ErrBarred, http.StatusForbidden, "schedule.error.barred"},
	{player.ErrAppealed, http.StatusConflict, "schedule.error.appealed"},
	{player.ErrNoAppeal, http.StatusConflict, "schedule.error.no-appeal"},
	{player.ErrAppealText, http.StatusUnprocessableEntity, "schedule.error.appeal-text"},
	{player.ErrAppealLate, http.StatusConflict, "schedule.error.appeal-late"},
	{tournament.ErrLastOwner, http.StatusConflict, "staff.error.last-owner"},
	{tournament.ErrNotStaff, http.StatusConflict, "staff.error.not-staff"},
	{tournament.ErrStaffTwice, http.StatusConflict, "staff.error.twice"},
	{tournament.ErrClosed, http.StatusConflict, "entry.error.closed"},
	{tournament.ErrLate, http.StatusConflict, "entry.error.late"},
	{tournament.ErrCode, http.StatusUnprocessableEntity, "entry.error.code"},
	{tournament.ErrConditions, http.StatusConflict, "entry.error.conditions"},
	{tournament.ErrShutOut, http.StatusForbidden, "entry.error.shut-out"},
	{tournament.ErrNoRequest, http.StatusConflict, "entry.error.no-request"},
	{tournament.ErrBadReason, http.StatusUnprocessableEntity, "entry.error.reason"},
	{tournament.ErrByeLimit, http.StatusConflict, "entry.error.bye-limit"},
	{tournament.ErrDraftOpen, http.StatusConflict, "desk.error.draft-open"},
	{tournament.ErrNoDraft, http.StatusConflict, "desk.error.no-draft"},
	{tournament.ErrDraftUnfit, http.StatusConflict, "desk.error.draft-unfit"},
	{tournament.ErrTable, http.StatusConflict, "desk.error.table"},
	{tournament.ErrDraftTime, http.StatusUnprocessableEntity, "desk.error.draft-time"},
	{tournament.ErrBadEdit, http.StatusUnprocessableEntity, "desk.error.bad-edit"},
	{tournament.ErrFinalized, http.StatusConflict, "desk.error.finalized"},
	{tournament.ErrProvisional, http.StatusConflict, "desk.error.provisional"},
	{tournament.ErrNotFinished, http.StatusConflict, "desk.error.not-finished"},
	{tournament.ErrNotFinalized, http.StatusConflict, "desk.error.not-finalized"},
	{tournament.ErrBegun, http.StatusConflict, "desk.error.begun"},
	{tournament.ErrNoRound, http.StatusConflict, "desk.error.no-round"},
	{tournament.ErrNoResult, http.StatusConflict, "desk.error.no-result"},
	{tournament.ErrNoMoment, http.StatusNotFound, "error.not-found"},
	{tournament.ErrNoPairing, http.StatusConflict, "tournament.error.no-pairing"},

	{ladder.ErrNotAllowed, http.StatusForbidden, "error.forbidden"},
	{ladder.ErrOnLadder, http.StatusConflict, "ladder.error.on-ladder"},
	{ladder.ErrNotOnLadder, http.StatusConflict, "ladder.error.not-on-ladder"},
	{ladder.ErrMembersOnly, http.StatusForbidden, "ladder.error.members-only"},
	{ladder.ErrBot, http.StatusConflict, "ladder.error.bot"},
	{ladder.ErrFull, http.StatusConflict, "ladder.error.full"},
	{ladder.ErrPlaying, http.StatusConflict, "ladder.error.playing"},
	{ladder.ErrVacation, http.StatusConflict, "ladder.error.vacation"},
	{ladder.ErrNoVacation, http.StatusConflict, "ladder.error.no-vacation"},
	{ladder.ErrNoPlace, http.StatusUnprocessableEntity, "ladder.error.no-place"},
	{ladder.ErrNoChallenge, http.StatusConflict, "ladder.error.no-challenge"},
	{ladder.ErrNotNow, http.StatusConflict, "ladder.error.not-now"},
	{ladder.ErrTime, http.StatusUnprocessableEntity, "ladder.error.time"},
	{ladder.ErrManyTimes, http.StatusConflict, "ladder.error.many-times"},
	{ladder.ErrText, http.StatusUnprocessableEntity, "ladder.error.text"},
	{errNoSuchPlayer, http.StatusUnprocessableEntity, "ladder.error.no-player"},

	{club.ErrName, http.StatusUnprocessableEntity, "club.error.name"},
	{club.ErrText, http.StatusUnprocessableEntity, "club.error.text"},
	{club.ErrNotAllowed, http.StatusForbidden, "error.forbidden"},
	{club.ErrJoining, http.StatusBadRequest, "error.bad-request"},
	{club.ErrNote, http.StatusUnprocessableEntity, "club.error.note"},
	{club.ErrReason, http.StatusUnprocessableEntity, "club.error.reason"},
	{club.ErrUntil, http.StatusUnprocessableEntity, "club.error.until"},
	{club.ErrMember, http.StatusConflict, "club.error.member"},
	{club.ErrNoMember, http.StatusConflict, "club.error.no-member"},
	{club.ErrNoRequest, http.StatusConflict, "club.error.no-request"},
	{club.ErrNoBan, http.StatusConflict, "club.error.no-ban"},
	{club.ErrBanned, http.StatusForbidden, "club.error.banned"},
	{club.ErrCode, http.StatusUnprocessableEntity, "club.error.code"},
	{club.ErrBot, http.StatusConflict, "club.error.bot"},
	{club.ErrTitle, http.StatusUnprocessableEntity, "club.error.title"},
	{club.ErrPost, http.StatusUnprocessableEntity, "club.error.post"},
	{club.ErrLastOwner, http.StatusConflict, "club.error.last-owner"},
	{errClubTaken, http.StatusUnprocessableEntity, "club.error.taken"},

	{series.ErrName, http.StatusUnprocessableEntity, "series.error.name"},
	{series.ErrWeekdays, http.StatusUnprocessableEntity, "series.error.weekdays"},
	{series.ErrEvery, http.StatusBadRequest, "error.bad-request"},
	{series.ErrClock, http.StatusUnprocessableEntity, "series.error.time"},
	{series.ErrZone, http.StatusUnprocessableEntity, "series.error.zone"},
	{series.ErrLead, http.StatusUnprocessableEntity, "series.error.lead"},
	{series.ErrDay, http.StatusUnprocessableEntity, "series.error.day"},
	{series.ErrClubMatch, http.StatusUnprocessableEntity, "series.error.club-match"},
	{series.ErrTemplate, http.StatusUnprocessableEntity, "series.error.template"},
	{series.ErrEnded, http.StatusConflict, "series.error.ended"},
	{series.ErrNoDate, http.StatusConflict, "series.error.no-date"},
	{series.ErrDecided, http.StatusConflict, "series.error.decided"},
	{arbiter.ErrNotJudge, http.StatusForbidden, "calls.error.not-judge"},
	{arbiter.ErrBoardChanged, http.StatusConflict, "desk.error.board-changed"},
	{arbiter.ErrCounted, http.StatusConflict, "calls.error.counted"},
	{arbiter.ErrNoBoard, http.StatusConflict, "calls.error.no-board"},
	{arbiter.ErrNoCall, http.StatusConflict, "calls.error.no-arbiter"},
	{arbiter.ErrNoTalk, http.StatusConflict, "calls.error.no-talk"},
	{call.ErrOpen, http.StatusConflict, "calls.error.open"},
	{call.ErrText, http.StatusUnprocessableEntity, "calls.error.text"},
	{call.ErrMessage, http.StatusUnprocessableEntity, "calls.error.message"},
	{call.ErrTooFast, http.StatusTooManyRequests, "calls.error.too-fast"},
	{call.ErrTooMany, http.StatusConflict, "calls.error.too-many"},
	{call.ErrTaken, http.StatusConflict, "calls.error.taken"},
	{call.ErrResolved, http.StatusConflict, "calls.error.settled"},
	{errClock, http.StatusUnprocessableEntity, "calls.error.clock"},
	{tournament.ErrLaterRound, http.StatusConflict, "calls.error.later-round"},

	{challenge.ErrNotAllowed, http.StatusForbidden, "error.forbidden"},
	{challenge.ErrSelf, http.StatusUnprocessableEntity, "challenge.error.self"},
	{challenge.ErrBotRated, http.StatusUnprocessableEntity, "challenge.error.bot-rated"},
	{challenge.ErrTooMany, http.StatusUnprocessableEntity, "challenge.error.many-open"},
	{challenge.ErrTwice, http.StatusConflict, "challenge.error.twice"},
	{challenge.ErrClosed, http.StatusConflict, "challenge.error.closed"},
	{challenge.ErrExpired, http.StatusConflict, "challenge.error.expired"},
	{challenge.ErrNotForYou, http.StatusForbidden, "challenge.error.not-for-you"},
	{challenge.ErrNotOver, http.StatusConflict, "challenge.error.not-over"},
	{challenge.ErrNotPlayed, http.StatusForbidden, "challenge.error.not-played"},
	{errNoPlayer, http.StatusUnprocessableEntity, "challenge.error.no-player"},
	{errChallengeSettings, http.StatusUnprocessableEntity, "challenge.error.settings"},
}

// refusalStatus is how a page says why the last thing was not done; nothing when it was.
func refusalStatus(p lang.Printer, err error) (status int, why string) {
	if err == nil {
		return http.StatusOK, ""
	}
	status, key, _ := explain(err)
	return status, errorText(p, key, err)
}

// errorText is the text of a key that explain has found. Who is kept from a level
// reads until when; others what is missing.
func errorText(p lang.Printer, key string, err error) string {
	var unmet *fairplay.UnmetError
	var provisional *tournament.ProvisionalError
	var reviews *arbiter.ReviewsError
	var party *fairplay.PartyError
	var many *tooManyError
	var refusal *match.Refusal
	switch {
	case errors.As(err, &many):
		return p.T(key, "Wait", p.Duration(many.wait))
	case key == refusedKey && errors.As(err, &refusal):
		return refusalText(p, refusal)
	case errors.As(err, &unmet) && !unmet.Until.IsZero():
		return p.T("fairplay.remedy."+string(fairplay.DemandAdmission), "Date", p.DateTime(unmet.Until))
	case errors.As(err, &provisional):
		return p.T("desk.error.provisional-until", "Date", p.Moment(provisional.Until))
	case errors.As(err, &reviews) && reviews.Count > 0:
		return p.T("desk.error.reviews", "Count", p.Int(reviews.Count))
	case errors.As(err, &party):
		return partyText(p, key, party)
	case unmet != nil:
		return p.T(key) + " " + demandTexts(p, unmet)
	}
	return p.T(key)
}

// partyText says who can decide what somebody is a party to.
func partyText(p lang.Printer, key string, e *fairplay.PartyError) string {
	can := "staff.error.party.operator"
	switch {
	case len(e.Names) > 0 && e.MayAsk:
		can = "staff.error.party.names-or-ask"
	case len(e.Names) > 0:
		can = "staff.error.party.names"
	case e.MayAsk:
		can = "staff.error.party.ask"
	}
	return p.T(key) + " " + p.T(can, "Names", strings.Join(e.Names, ", "))
}

// refusedKey is the text of what the judge of a match refuses and does not name.
const refusedKey = "match.refused.other"

// explain finds the status and text key of an error; false for one of ours.
func explain(err error) (status int, key string, known bool) {
	for _, e := range explanations {
		if errors.Is(err, e.err) {
			return e.status, e.key, true
		}
	}
	var refusal *match.Refusal
	if errors.As(err, &refusal) {
		return http.StatusConflict, refusedKey, true
	}
	var he *echo.HTTPError
	if errors.As(err, &he) {
		switch he.Code {
		case http.StatusNotFound:
			return he.Code, "error.not-found", true
		case http.StatusMethodNotAllowed:
			return he.Code, "error.method", true
		case http.StatusRequestEntityTooLarge:
			return he.Code, "error.too-large", true
		case http.StatusBadRequest, http.StatusUnsupportedMediaType:
			return he.Code, "error.bad-request", true
		}
	}
	return http.StatusInternalServerError, "error.internal", false
}

// isRefusal tells an error that a form shows beside its field from one that
// ends the request.
func isRefusal(err error) bool {
	status, _, known := explain(err)
	return known && (status == http.StatusUnprocessableEntity || status == http.StatusConflict)
}

// fail answers a request that came to nothing.
func (s *Server) fail(err error, c echo.Context) {
	if c.Response().Committed || errors.Is(err, context.Canceled) && c.Request().Context().Err() != nil {
		return
	}
	isAPI := strings.HasPrefix(c.Request().URL.Path, "/api/")
	if told := apiErrorOf(err); isAPI && told != nil {
		if err := told.send(c); err != nil {
			s.log.Warn("error not sent", "request", requestID(c), "err", err)
		}
		return
	}
	status, key, known := explain(err)
	request := ""
	if status == http.StatusServiceUnavailable {
		s.log.Error("cannot serve", "request", requestID(c), "method", c.Request().Method, "path", loggedPath(c), "err", err)
	}
	if !known {
		request = requestID(c)
		s.log.Error("request failed", "request", request, "method", c.Request().Method, "path", loggedPath(c), "err", err)
	}
	var sendErr error
	switch {
	case isAPI:
		_, code, _ := strings.Cut(key, ".")
		sendErr = (&apiError{status, strings.TrimPrefix(code, "error."), errorText(lang.Printer{Lang: lang.English, Zone: time.UTC}, key, err)}).send(c)
	case errors.Is(err, errSignIn) && c.Request().Method == get && !isStream(c):
		sendErr = c.Redirect(http.StatusSeeOther, "/sign-in?return="+url.QueryEscape(c.Request().URL.RequestURI()))
	default:
		p := s.printer(c)
		sh := s.shell(c, p.T("error.title"))
		sendErr = s.render(c, status, templates.ErrorPage(sh, errorText(p, key, err), request))
	}
	if sendErr != nil {
		s.log.Warn("error not sent", "request", requestID(c), "err", sendErr)
	}
}
