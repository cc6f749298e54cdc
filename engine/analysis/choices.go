package analysis

import (
	"context"
	"math"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// Choice is what a position offered to whoever moved.
type Choice struct {
	Best    float64        // share of the point that the best action promises
	Actions []board.Action // the best first
	Losses  []float64      // what each gives away of that, in ten-thousandths; of the best, 0
	IsWhole bool           // every possible action is there
}

// Weigh returns what every action of a position is worth, by a search of so many positions that remembers nothing of
// others, so that it comes out the same for everybody. A position that is over offers nothing. In a few positions lines of
// forced actions are so many that even eight times as many positions do not reach every action.
func Weigh(ctx context.Context, e *search.Engine, root search.Root, nodes int) (c Choice, err error) {
	if _, over := root.Over(); over {
		return Choice{}, nil
	}
	legal := len(root.Position.Moves(nil))
	var lines []search.Line
	for most := 8 * nodes; len(lines) < legal && nodes <= most; nodes *= 2 {
		e.Forget()
		lines = e.Search(ctx, root, search.Limits{Nodes: nodes, Lines: legal}, nil)
		if err := ctx.Err(); err != nil {
			return Choice{}, err
		}
	}
	for i, l := range lines {
		worth := math.Round(search.Expected(l.Score)*1e4) / 1e4
		if i == 0 {
			c.Best = worth
		}
		c.Actions = append(c.Actions, l.Actions[0])
		c.Losses = append(c.Losses, max(0, math.Round((c.Best-worth)*1e4)/1e4))
	}
	c.IsWhole = len(lines) == legal
	return c, nil
}
