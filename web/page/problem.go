package page

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/templates/lang"
)

// Problem is what a program is told of a refusal: problem details of RFC 9457, and more.
type Problem struct {
	Type      string         `json:"type" doc:"where refusals are explained, on this site" example:"/api/errors#not-your-turn"`
	Title     string         `json:"title" doc:"what the code means" example:"It is not your turn."`
	Status    int            `json:"status" doc:"status of the answer" example:"422"`
	Detail    string         `json:"detail,omitempty" doc:"what is wrong this time, and what would do" example:"It is not your turn."`
	Code      refusalWord    `json:"code" doc:"what a program tells the refusal by" example:"not-your-turn"`
	Field     string         `json:"field,omitempty" doc:"the first key or parameter at fault" example:"rounds"`
	Faults    []ProblemFault `json:"faults,omitempty" doc:"all that is wrong, key by key" example:"[]"`
	Next      *time.Time     `json:"next,omitempty" doc:"when it is possible again; Retry-After says it in seconds" example:"2027-01-15T18:00:00Z"`
	Overtaken *overtakenBy   `json:"overtaken,omitempty" doc:"who was first, if somebody was" example:"null"`
}

// ProblemFault is what is wrong with a key.
type ProblemFault struct {
	Field  string `json:"field" doc:"the key, with dots for keys within keys" example:"rounds"`
	Why    string `json:"why" doc:"a word for what is wrong with it" example:"range"`
	Detail string `json:"detail" doc:"what would do" example:"rounds: 1 to 20"`
}

// overtakenBy is what programs are told of who was first.
type overtakenBy struct {
	By      string    `json:"by,omitempty" doc:"handle; absent: the site, or a match" example:"olena"`
	Act     string    `json:"act" doc:"what they did" example:"settings"`
	At      time.Time `json:"at" doc:"when"`
	Version int64     `json:"version" doc:"the version now: with it in shown the same is done in sight of it" example:"17"`
	Refused string    `json:"refused,omitempty" doc:"why nothing more can be done" example:"The tournament is over."`
}

// english is what programs are answered in.
func english() lang.Printer { return lang.Printer{Lang: lang.English, Zone: time.UTC} }

// ProblemOf returns what programs are told of an error, and its status.
func ProblemOf(err error) Problem {
	refused, status := Of(err)
	p := Problem{Code: "internal", Status: status, Title: english().T("error.internal")}
	if refused != nil {
		if refused.Kind == refusal.KindUnfit {
			p.Status = http.StatusForbidden
		}
		p.Code, p.Title, p.Detail = refusalWord(refused.Word()), english().T(refused.Code, refused.Args...), refused.Detail
		for _, f := range refused.Faults {
			p.Faults = append(p.Faults, ProblemFault{f.Field, f.Why, f.Text})
		}
		if len(p.Faults) > 0 {
			p.Field = p.Faults[0].Field
		}
		if !refused.Next.IsZero() {
			next := refused.Next.UTC()
			p.Next = &next
		}
	}
	p.Type = "/api/errors#" + string(p.Code)
	in := english()
	if overtaken, is := errors.AsType[*kernel.Overtaken](err); is {
		in.Zone = overtaken.First.At.Location()
		p.Overtaken = overtakenFor(in, overtaken)
	}
	if p.Detail == "" {
		p.Detail = TextOf(in, err)
	}
	return p
}

// sendProblem answers a program.
func sendProblem(c echo.Context, err error) (status int, sendErr error) {
	p := ProblemOf(err)
	c.Response().Header().Set(echo.HeaderContentType, "application/problem+json")
	c.Response().WriteHeader(p.Status)
	return p.Status, c.Echo().JSONSerializer.Serialize(c, p, "")
}

func overtakenFor(in lang.Printer, e *kernel.Overtaken) *overtakenBy {
	told := overtakenBy{By: string(e.Name), Act: string(e.First.Act), At: e.First.At.UTC(), Version: e.Now}
	if e.Refuse != nil {
		told.Refused = TextOf(in, e.Refuse)
	}
	return &told
}

// errValue refuses a value of a program's that means nothing.
var errValue = refusal.Invalid("error.bad-value", "web: a value means nothing")

// BadInput returns the refusal of a request that cannot be read.
func BadInput(format string, args ...any) error {
	return refusal.Told(ErrBadRequest, "", fmt.Sprintf(format, args...))
}

// BadField is BadInput for a key or a parameter.
func BadField(field, format string, args ...any) error {
	detail := fmt.Sprintf(format, args...)
	return refusal.Faulty(ErrBadRequest, []refusal.Fault{{Field: field, Why: "form", Text: detail}}, detail)
}

// BadValue returns the refusal of a value that can be read, but means nothing.
func BadValue(field, detail string) error {
	return refusal.Faulty(errValue, []refusal.Fault{{Field: field, Why: "value", Text: detail}}, detail)
}

// Lacking returns the refusal of a request without a key that is needed.
func Lacking(field string) error {
	return refusal.Faulty(ErrBadRequest, []refusal.Fault{{Field: field, Why: "missing", Text: field + " is needed"}}, field+" is needed")
}

// OfProblem returns the schema of a refusal.
func (b *Schemas) OfProblem() Schema { return b.Of(reflect.TypeFor[Problem]()) }
