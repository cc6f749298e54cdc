package play

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/web/page"
)

func (s pages) eventOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /me/events", player.ScopeRead, s.events, "What happens to the account",
			"A stream that stays open: one line of JSON for each event, an empty line every 20 seconds; server-sent events with Accept: "+
				"text/event-stream. At first it tells what waits: open challenges, running matches, and where it is the account’s turn. "+
				"The server ends it within 15 minutes: open it again with the id of the last event as since (or the header Last-Event-ID), "+
				"and nothing is lost, though an event of the last seconds may come twice, with the same id.").Streams(""),
		page.Op("GET /me/challenges", player.ScopeRead, s.ownChallenges, "The account’s open challenges",
			"Those that it may answer, and its own."),
	}
}

type (
	eventsIn struct {
		Since string `query:"since,omitempty" doc:"id of the last event, or a moment of the last week" example:"2026-12-04T18:00:00Z" max:"100"`
		Last  string `query:"last,omitempty" doc:"as Last-Event-ID, for clients that cannot set it" example:"1764353100000" max:"100"`
	}
	apiHappening struct {
		ID        string        `json:"id" doc:"where to go on after a break" example:"1796407200000-turn-4k2j9s7d1m3x-7"`
		At        time.Time     `json:"at" doc:"when"`
		Kind      string        `json:"kind" doc:"what" enum:"challenge,challenge-ended,match,turn,result,notice" example:"turn"`
		Challenge *apiChallenge `json:"challenge,omitempty" doc:"of challenge and challenge-ended"`
		Match     *apiOwnMatch  `json:"match,omitempty" doc:"of match (it has opened), turn and result"`
		Notice    *apiNotice    `json:"notice,omitempty" doc:"of notice: what the account is told besides, as calls and check-ins"`
	}
	apiOwnMatch struct {
		ID       match.ID       `json:"id" doc:"address of the match"`
		Seq      int64          `json:"seq" doc:"number of its last event" example:"7"`
		Status   string         `json:"status" doc:"where it is" enum:"waiting,live,over" example:"live"`
		You      *string        `json:"you" doc:"the account’s seat" enum:"A,B"`
		Opponent page.APIPlayer `json:"opponent" doc:"who plays against it"`
		Deadline *time.Time     `json:"deadline" doc:"when something happens by itself, as a flag; null: never"`
		Result   *string        `json:"result" doc:"A – B; null before the end, and for a void match" example:"1-0"`
		Reason   match.Reason   `json:"reason,omitempty" doc:"why it ended" example:"kings-captured"`
	}
	apiNotice struct {
		Kind string `json:"kind" doc:"a word, as in the settings of notices" example:"round-paired"`
		Text string `json:"text" doc:"in the account’s language" example:"Round 2 of Friday Swiss is paired: you meet Borys."`
		URL  string `json:"url" doc:"where to act on it" example:"https://chpok.example/tournaments/7f3gjb2s8n6y"`
	}
	apiOwnChallenges struct {
		In  []apiChallenge `json:"in" doc:"from others, the latest first"`
		Out []apiChallenge `json:"out" doc:"to others, the latest first"`
	}
)

// How far back a stream resumes, and how much of what it has told it tells again: what another node wrote meanwhile
// may bear a slightly earlier time.
const (
	resumesWithin = 7 * 24 * time.Hour
	toldAgain     = 5 * time.Second
)

// happening is an event of an account. Nothing is stored for it: all of them follow from challenges, matches and
// notices, so they are the same on every node and after every restart.
type happening struct {
	id, kind  string
	at        time.Time
	challenge *challenge.Challenge
	match     *store.Head
	notice    *store.Told
}

// toldByMatch are the notices that a stream tells by events of its own.
var toldByMatch = []notice.Kind{
	notice.Turn, notice.MatchOpened, notice.Result, notice.ChallengeReceived, notice.ChallengeAccepted, notice.ChallengeDeclined,
}

// happenings are the events of an account since a moment, the earliest first; with waits also those of what waits.
func happenings(h store.Happened, of player.ID, since time.Time, waits bool) (list []happening) {
	add := func(x happening, ref string, waiting bool) {
		if !x.at.Before(since) || waits && waiting {
			x.id = strconv.FormatInt(x.at.UnixMilli(), 10) + "-" + x.kind + "-" + ref
			list = append(list, x)
		}
	}
	for _, c := range h.Challenges {
		add(happening{kind: "challenge", at: c.Created, challenge: &c}, string(c.ID), c.Status == challenge.Open)
		if c.Status != challenge.Open {
			add(happening{kind: "challenge-ended", at: c.Closed, challenge: &c}, string(c.ID), false)
		}
	}
	for _, m := range h.Matches {
		add(happening{kind: "match", at: m.OpenedAt, match: &m}, string(m.ID), m.Status != match.Over)
		switch at := string(m.ID) + "-" + strconv.FormatInt(m.Seq, 10); {
		case m.Status == match.Over:
			add(happening{kind: "result", at: m.LastAt, match: &m}, at, false)
		case m.WaitsFor(of):
			add(happening{kind: "turn", at: m.LastAt, match: &m}, at, true)
		}
	}
	for _, n := range h.Notices {
		if n.Kind != 0 && !slices.Contains(toldByMatch, n.Kind) {
			add(happening{kind: "notice", at: n.At, notice: &n}, n.ID, false)
		}
	}
	slices.SortStableFunc(list, func(a, b happening) int { return a.at.Compare(b.at) })
	return list
}

// sinceOf reads where a stream goes on: an id of an event or a moment; with neither it tells what waits from now on.
func sinceOf(text string, now time.Time) (since time.Time, waits bool, err error) {
	if text == "" {
		return now, true, nil
	}
	stamp, _, isID := strings.Cut(text, "-")
	if n, err := strconv.ParseInt(stamp, 10, 64); err == nil && isID && len(stamp) > 4 {
		since = time.UnixMilli(n).Add(-toldAgain)
	} else if since, err = time.Parse(time.RFC3339, text); err != nil {
		return since, false, page.BadValue("since", "since is the id of an event, or a time like 2026-12-04T18:00:00Z")
	}
	if earliest := now.Add(-resumesWithin); since.Before(earliest) {
		since = earliest
	}
	return since, false, nil
}

func (s pages) events(c echo.Context, in eventsIn) (apiHappening, error) {
	me := page.Viewer(c)
	since, waits, err := sinceOf(cmp.Or(c.Request().Header.Get("Last-Event-ID"), in.Last, in.Since), s.Now())
	if err != nil {
		return apiHappening{}, err
	}
	sub := s.Live.Subscribe(c.Request().Context(), live.PlayerTopic(me.ID))
	told := map[string]bool{}
	return apiHappening{}, s.Stream(c, page.Wakes{News: sub.Tell}, func(ctx context.Context, _ string) ([]page.Frame, error) {
		sub.Take()
		now := s.Now()
		h, err := store.Get(ctx, s.Store, func(tx *store.Tx) (store.Happened, error) { return tx.HappenedSince(me.ID, since) })
		if err != nil {
			return nil, err
		}
		fresh, known := []happening{}, map[string]bool{}
		for _, x := range happenings(h, me.ID, since, waits) {
			if known[x.id] = true; !told[x.id] {
				fresh = append(fresh, x)
			}
		}
		// What was told at first is older than what is looked at from here on.
		told, waits = known, false
		if from := now.Add(-toldAgain); from.After(since) {
			since = from
		}
		return s.framesOf(c, ctx, me.ID, fresh)
	})
}

// framesOf writes events as the API shows them.
func (s pages) framesOf(c echo.Context, ctx context.Context, me player.ID, list []happening) ([]page.Frame, error) {
	if len(list) == 0 {
		return nil, nil
	}
	who, err := store.Get(ctx, s.Store, func(tx *store.Tx) (map[player.ID]player.Player, error) {
		var ids []player.ID
		for _, x := range list {
			switch {
			case x.challenge != nil:
				ids = append(ids, x.challenge.Challenger, x.challenge.Opponent)
			case x.match != nil:
				ids = append(ids, x.match.Players[:]...)
			}
		}
		return tx.Players(ids...)
	})
	if err != nil {
		return nil, err
	}
	p, frames := s.Printer(c), make([]page.Frame, len(list))
	for i, x := range list {
		out := apiHappening{ID: x.id, At: x.at.UTC(), Kind: x.kind}
		switch {
		case x.challenge != nil:
			shown, err := s.asAPI(c, directChallenge{Challenge: *x.challenge, who: who})
			if err != nil {
				return nil, err
			}
			out.Challenge = &shown
		case x.match != nil:
			out.Match = ownMatch(*x.match, me, who)
		default:
			out.Notice = &apiNotice{x.notice.Kind.Name(), x.notice.Text(p.T), s.Address(c, x.notice.URL)}
		}
		text, err := json.Marshal(out)
		if err != nil {
			return nil, err
		}
		frames[i] = page.Frame{ID: x.id, Data: string(text)}
	}
	return frames, nil
}

func ownMatch(h store.Head, me player.ID, who map[player.ID]player.Player) *apiOwnMatch {
	other := h.SeatOf(me).Other()
	v := &apiOwnMatch{
		ID: h.ID, Seq: h.Seq, Status: h.Status.String(), You: page.Letter(h.SeatOf(me)),
		Opponent: page.APIPlayer{Handle: who[h.Players[other.Index()]].Handle, Bot: h.Bots[other.Index()]},
		Deadline: page.Optional(h.Deadline),
	}
	if h.Status == match.Over {
		v.Reason, v.Result = h.Result.Reason, page.Optional(tournament.ResultOf(h.Result, time.Time{}).Kind.String())
	}
	return v
}

func (s pages) ownChallenges(c echo.Context, _ struct{}) (apiOwnChallenges, error) {
	out, me := apiOwnChallenges{In: []apiChallenge{}, Out: []apiChallenge{}}, page.Viewer(c).ID
	var open []challenge.Challenge
	who, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[player.ID]player.Player, error) {
		var err error
		if open, err = tx.WaitingChallenges(me, s.Now()); err != nil {
			return nil, err
		}
		var ids []player.ID
		for _, x := range open {
			ids = append(ids, x.Challenger, x.Opponent)
		}
		return tx.Players(ids...)
	})
	if err != nil {
		return out, err
	}
	for _, x := range open {
		shown, err := s.asAPI(c, directChallenge{Challenge: x, who: who})
		if err != nil {
			return out, err
		}
		if x.Challenger == me {
			out.Out = append(out.Out, shown)
		} else {
			out.In = append(out.In, shown)
		}
	}
	return out, nil
}
