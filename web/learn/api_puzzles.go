package learn

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/player"
	"chpok.org/chpok/web/page"
)

func (s api) puzzleOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /puzzles/next", page.Everyone, s.next, "A puzzle to try",
			"With an account, one about as hard as it can solve and has not tried; else the one after another."),
		page.Op("GET /puzzles/daily", page.Everyone, s.daily, "The puzzle of the day", "One for the whole site."),
		page.Op("GET /puzzles/{id}", page.Everyone, s.puzzle, "One puzzle", "As it stands before the first act."),
		page.Op("POST /puzzles/{id}/tries", player.ScopePlay, s.try, "Try a puzzle",
			"All acts so far, or one of the bids to choose from. The first try is rated, and the first of the day counts for the streak; "+
				"after a right act the answer stands in position, and status asks for the next.").Sends(`{"acts":["e2e4"]}`),
	}
}

type (
	nextIn struct {
		After string `query:"after,omitempty" doc:"the puzzle before, without an account" example:"7a1c03be92d4" max:"20"`
	}
	noInput    struct{}
	puzzlePath struct {
		ID string `path:"id" doc:"the puzzle" example:"7a1c03be92d4"`
	}
	tryIn struct {
		puzzlePath
		Acts  []board.Action `json:"acts,omitempty" doc:"one’s own acts so far" example:"[\"e2e4\"]" max:"10"`
		Raise *int           `json:"raise" doc:"of a bidding: number of the choice, from 0" example:"1" min:"0"`
	}
	apiPuzzleBid struct {
		Bid json.RawMessage `json:"bid" schema:"Bid" doc:"the bid"`
	}
	apiPuzzleChoice struct {
		apiPuzzleBid
		Worth *int `json:"worth" doc:"what one can expect after it, in percent of the point; null until it is tried" example:"54"`
	}
	apiPuzzleTable struct {
		Chips    int               `json:"chips" doc:"of each player" example:"10"`
		Extra    [2]int            `json:"extra" doc:"more chips of A and B" example:"[0,0]"`
		Defaults board.Features    `json:"defaults" doc:"features without a bid"`
		Bids     []apiPuzzleBid    `json:"bids" doc:"what was bid so far, A first"`
		Choices  []apiPuzzleChoice `json:"choices" doc:"one of them is right"`
		Right    *int              `json:"right" doc:"which; null until it is tried" example:"1"`
	}
	apiPuzzle struct {
		ID       string          `json:"id" doc:"address of the puzzle" example:"7a1c03be92d4"`
		Daily    bool            `json:"daily" doc:"it is the puzzle of the day"`
		Theme    string          `json:"theme" doc:"what the answer does" enum:"king,goal,claim,save,piece,raise" example:"king"`
		Rating   int             `json:"rating" doc:"how hard it is" example:"1480"`
		Features board.Features  `json:"features" doc:"of its game"`
		Position *string         `json:"position" doc:"in CFEN; null: it is a bidding" example:"4k3/8/8/8/8/8/4R3/4K3 w - 1/1 0/0 0/0 1"`
		Legal    []string        `json:"legal" doc:"every legal act, while it asks for one" example:"[\"e2e8\"]"`
		Bidding  *apiPuzzleTable `json:"bidding" doc:"null: it is a position"`
		Status   string          `json:"status" doc:"where the try is" enum:"asked,wrong,solved" example:"asked"`
		Answer   []string        `json:"answer" doc:"one’s own acts and the replies, once it is decided" example:"[]"`
		Tried    bool            `json:"tried" doc:"the account has tried it before"`
		Mine     *apiSolver      `json:"mine" doc:"how the account stands; null: none asks"`
	}
	apiSolver struct {
		Rating int `json:"rating" doc:"by puzzles" example:"1512"`
		Streak int `json:"streak" doc:"solved in a row" example:"3"`
		Days   int `json:"days" doc:"days in a row with the puzzle of the day solved; only with that one" example:"5"`
	}
)

func (s api) next(c echo.Context, in nextIn) (out apiPuzzle, err error) {
	next, err := pages(s).nextOf(c.Request().Context(), page.Viewer(c), in.After)
	if err != nil {
		return out, err
	}
	return s.puzzle(c, puzzlePath{next.ID})
}

func (s api) daily(c echo.Context, _ noInput) (out apiPuzzle, err error) {
	today, err := s.Daily.Puzzle(c.Request().Context(), s.Now().In(s.Zone()))
	if err != nil {
		return out, err
	}
	return s.puzzle(c, puzzlePath{today.ID})
}

func (s api) puzzle(c echo.Context, in puzzlePath) (apiPuzzle, error) {
	return s.judged(c, in.ID, attempt{})
}

func (s api) try(c echo.Context, in tryIn) (apiPuzzle, error) {
	switch {
	case (len(in.Acts) > 0) == (in.Raise != nil):
		return apiPuzzle{}, page.BadValue("acts", "acts or raise, one of them, is what is tried")
	case in.Raise != nil:
		return s.judged(c, in.ID, attempt{raise: strconv.Itoa(*in.Raise), isTried: true})
	}
	return s.judged(c, in.ID, attempt{acts: in.Acts, isTried: true})
}

func (s api) judged(c echo.Context, id string, tried attempt) (out apiPuzzle, err error) {
	by := page.Viewer(c)
	j, err := pages(s).judge(c.Request().Context(), by, id, tried)
	switch {
	case err != nil:
		return out, err
	case j.refused != nil && (j.put.What.Table != nil || tried.raise != ""):
		return out, page.BadValue("raise", "raise is the number of a choice of a bidding, from 0")
	case j.refused != nil:
		return out, page.BadValue("acts", "acts: one of them is not legal")
	}
	what, isDecided := j.put.What, j.step.Status != puzzle.Asked
	out = apiPuzzle{ID: j.put.ID, Daily: j.isDaily, Theme: what.Theme.String(), Rating: int(math.Round(j.put.Rating.Rating)),
		Features: what.Features,
		Legal:    []string{}, Status: statusWords[j.step.Status], Answer: []string{}, Tried: j.isKnown}
	if by.HasAccount() {
		out.Mine = &apiSolver{int(math.Round(j.after.Rating.Rating)), j.after.Streak, j.streak}
	}
	if what.Table != nil {
		out.Bidding, err = apiTableOf(*what.Table, isDecided)
		return out, err
	}
	position := j.step.Root.Position
	out.Position = page.Optional(position.CFEN())
	if isDecided {
		for _, a := range what.Answer {
			out.Answer = append(out.Answer, a.String())
		}
		return out, nil
	}
	for _, a := range position.Moves(nil) {
		out.Legal = append(out.Legal, a.String())
	}
	return out, nil
}

var statusWords = map[puzzle.Status]string{puzzle.Asked: "asked", puzzle.Wrong: "wrong", puzzle.Solved: "solved"}

func apiTableOf(t puzzle.Table, isDecided bool) (*apiPuzzleTable, error) {
	out := &apiPuzzleTable{Chips: t.Chips, Extra: t.Extra, Defaults: t.Defaults, Bids: []apiPuzzleBid{}}
	for _, b := range t.Bids {
		raw, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		out.Bids = append(out.Bids, apiPuzzleBid{raw})
	}
	for _, x := range t.Choices {
		raw, err := json.Marshal(x.Bid)
		if err != nil {
			return nil, err
		}
		choice := apiPuzzleChoice{apiPuzzleBid: apiPuzzleBid{raw}}
		if isDecided {
			choice.Worth = &x.Worth
		}
		out.Choices = append(out.Choices, choice)
	}
	if isDecided {
		out.Right = &t.Right
	}
	return out, nil
}
