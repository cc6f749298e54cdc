package play

import (
	"encoding/json"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/challenges"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) challengeOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("POST /challenges", player.ScopeChallenge, s.proposeChallenge, "Challenge somebody",
			"A player, a house bot, or whoever has the link (url) if nobody is named; or a rematch, with all as it was and seats "+
				"swapped. Everything left out has its usual value.").Creates(),
		page.Op("GET /challenges/{id}", page.Everyone, s.challengeShown, "A challenge as it stands", "match is set once it is accepted."),
		page.Op("DELETE /challenges/{id}", player.ScopeChallenge, s.answerWith((*challenges.Office).Withdraw), "Take one’s own challenge back", "It stays readable."),
		page.Op("POST /challenges/{id}/accept", player.ScopeChallenge, s.answerWith((*challenges.Office).Accept), "Accept a challenge", "match is the match that begins."),
		page.Op("POST /lobby", player.ScopeChallenge, s.seek, "Be paired with anybody who looks for the same",
			"With one who waits, or as the next one to wait: match is set once there is one. Waiting ends by itself; asked again, it goes on.").Creates(),
		page.Op("POST /matches/{id}/opponent", player.ScopeChallenge, s.another, "Look for another opponent after a match", "On the same terms.").Creates(),
		page.Op("POST /challenges/{id}/decline", player.ScopeChallenge, s.declineChallenge, "Decline a challenge", "It stays readable, with the reason."),
	}
}

// apiTerms is all that is agreed on in a challenge.
type apiTerms struct{ page.RawBody }

// DescribeAPI describes the terms by their form.
func (apiTerms) DescribeAPI() (string, page.Schema) {
	s := form.Challenge.Schema(form.UsualProposal())
	s["description"], s["examples"] = "What is agreed on in a challenge.", []any{map[string]any{"to": "borys", "rated": false, "lateness": 300000}}
	return "ChallengeTerms", s
}

type (
	challengePath struct {
		ID challenge.ID `path:"id" doc:"the challenge"`
	}
	declineIn struct {
		challengePath
		Why challenge.Why `json:"why,omitempty" doc:"the reason, for the challenger" enum:"later,terms,level" example:"later"`
	}
	seekIn struct {
		Preset string `json:"preset" doc:"how long" enum:"quick,evening,long" example:"quick"`
		Rated  *bool  `json:"rated" doc:"absent: whatever the other one wants"`
	}
	playedPath struct {
		ID match.ID `path:"id" doc:"the match that is over"`
	}
	challengeIn struct {
		Terms apiTerms `body:"optional"`
	}
	apiChallenge struct {
		ID         challenge.ID   `json:"id" doc:"address of the challenge"`
		Status     string         `json:"status" doc:"where it is: open, accepted, declined, withdrawn, expired …" example:"open"`
		URL        string         `json:"url" doc:"its page, for whom it is sent to" example:"https://chpok.example/c/7f3gjb2s8n6y"`
		Challenger player.Handle  `json:"challenger" doc:"who challenges"`
		Opponent   *player.Handle `json:"opponent" doc:"who is challenged; null: whoever has the link"`
		First      *player.Handle `json:"first" doc:"who has seat A; null: not known yet"`
		Bots       [2]bool        `json:"bots" doc:"whether challenger and opponent are bots" example:"[false,false]"`
		Created    time.Time      `json:"created" doc:"since when"`
		Expires    time.Time      `json:"expires" doc:"until when it can be accepted"`
		WorstCase  form.Millis    `json:"worstCase" doc:"how long the match may last at most"`
		Why        *challenge.Why `json:"why" doc:"why it was declined, if that was told" enum:"later,terms,level"`
		Match      *match.ID      `json:"match" doc:"the match, once it is accepted"`
		Rematch    *match.ID      `json:"rematch" doc:"the match that it repeats"`
		Terms      apiTerms       `json:"terms" doc:"what is agreed on"`
	}
)

func (s pages) proposeChallenge(c echo.Context, in challengeIn) (out apiChallenge, err error) {
	asked := form.UsualProposal()
	if err := page.ReadSettings(in.Terms.RawBody, form.Challenge, &asked); err != nil {
		return out, err
	}
	ctx, v := c.Request().Context(), page.Viewer(c)
	var made challenge.Challenge
	if asked.Rematch != "" {
		made, err = s.Arbiter.Challenges.Rematch(ctx, v, asked.Rematch)
	} else {
		made, err = s.Arbiter.Challenges.Send(ctx, v, asked.To, asked.Settings)
	}
	if err != nil {
		return out, err
	}
	return s.challengeShown(c, challengePath{made.ID})
}

// seek pairs the caller with somebody who looks for the same, or lets them wait.
func (s pages) seek(c echo.Context, in seekIn) (out apiChallenge, err error) {
	wish := challenge.SeekAny
	if in.Rated != nil && *in.Rated {
		wish = challenge.SeekRated
	} else if in.Rated != nil {
		wish = challenge.SeekUnrated
	}
	settings, _ := challenge.ForAnyone(in.Preset, wish) // the enum admits presets alone
	made, err := s.Arbiter.Challenges.Pair(c.Request().Context(), page.Viewer(c), settings)
	if err != nil {
		return out, err
	}
	return s.challengeShown(c, challengePath{made.ID})
}

func (s pages) another(c echo.Context, in playedPath) (out apiChallenge, err error) {
	made, err := s.Arbiter.Challenges.PlayAnother(c.Request().Context(), page.Viewer(c), in.ID)
	if err != nil {
		return out, err
	}
	return s.challengeShown(c, challengePath{made.ID})
}

// answerWith returns the handler of a way to close a challenge.
func (s pages) answerWith(do answer) func(echo.Context, challengePath) (apiChallenge, error) {
	return func(c echo.Context, in challengePath) (apiChallenge, error) {
		closed, err := do(s.Arbiter.Challenges, c.Request().Context(), page.Viewer(c), in.ID)
		if err != nil {
			return apiChallenge{}, err
		}
		return s.challengeShown(c, challengePath{closed.ID})
	}
}

// declineChallenge declines a challenge, with the reason.
func (s pages) declineChallenge(c echo.Context, in declineIn) (apiChallenge, error) {
	closed, err := s.Arbiter.Challenges.Decline(c.Request().Context(), page.Viewer(c), in.ID, in.Why)
	if err != nil {
		return apiChallenge{}, err
	}
	return s.challengeShown(c, challengePath{closed.ID})
}

func (s pages) challengeShown(c echo.Context, in challengePath) (out apiChallenge, err error) {
	f, err := s.readChallenge(c.Request().Context(), in.ID)
	if err != nil {
		return out, err
	}
	return s.asAPI(c, f)
}

// asAPI writes a challenge as the API shows it.
func (s pages) asAPI(c echo.Context, f directChallenge) (apiChallenge, error) {
	handle := func(id player.ID) *player.Handle {
		if id == "" {
			return nil
		}
		h := f.who[id].Handle
		return &h
	}
	terms := form.Challenge.Write(&form.Proposal{Settings: f.Settings})
	delete(terms, "to")
	delete(terms, "rematch")
	raw, err := json.Marshal(terms)
	return apiChallenge{
		ID: f.ID, Status: f.StatusAt(s.Now()).String(), URL: s.Address(c, words.ChallengeURL(f.ID)),
		Challenger: f.who[f.Challenger].Handle, Opponent: handle(f.Opponent), First: handle(f.Seats()[0]),
		Bots: [2]bool{f.who[f.Challenger].Bot, f.who[f.Opponent].Bot}, Created: f.Created, Expires: f.Expires,
		WorstCase: form.MillisOf(f.Settings.WorstCase()), Why: page.Optional(f.Why), Match: page.Optional(f.Match), Rematch: page.Optional(f.Rematch),
		Terms: apiTerms{page.RawBody{Raw: raw}},
	}, err
}
