package board

import (
	"fmt"
	"strings"
)

// Problem is one fault of a position, a row or features. It reads as English; Code and
// Args let others word it differently.
type Problem struct {
	Code string
	Args []any // names and values, alternating
	text string
}

func (p Problem) String() string { return p.text }

// problem makes a Problem; format gets the values of args in order.
func problem(code, format string, args ...any) Problem {
	values := make([]any, 0, len(args)/2)
	for i := 1; i < len(args); i += 2 {
		values = append(values, args[i])
	}
	return Problem{Code: code, Args: args, text: fmt.Sprintf(format, values...)}
}

func joinProblems(problems []Problem) string {
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = p.text
	}
	return strings.Join(texts, "; ")
}
