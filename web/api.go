package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/web/account"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

// sourceHere stands in the description for the address of the source code.
const sourceHere = "SOURCE_URL"

// aboutAPI is what every program should know.
const aboutAPI = "Tournaments and matches of the game Chpok, for programs.\n\n" +
	"Tokens come from the settings page, from chpok token add HANDLE or, for an application of others, from the account’s " +
	"owner (OAuth 2.1, authorization code with PKCE, no registration: /.well-known/oauth-authorization-server); they go into " +
	"the header Authorization: Bearer TOKEN. Without one, a program reads what everybody may read, from any site (CORS), and " +
	"saves both sides work by sending If-None-Match with the ETag of the answer before.\n\n" +
	"To let a program play, create a bot on the settings page and make a token for it there. GET /me/events tells it of a " +
	"challenge, which POST /challenges/{id}/accept accepts, and of its turn. GET /matches/{id} then has the state: while its " +
	"status is waiting, say that the bot is ready; in the bidding it has chips and stakes; on the board, in legal, every act " +
	"there is. POST /matches/{id}/commands does one of these, with the seq of that state. The example above does all this in " +
	"one file, without any package: python3 bot.py SITE TOKEN. The guide beside it tells it step by step.\n\n" +
	"Everywhere: every duration is a whole number of milliseconds (a time control and a fair-play policy name the unit in " +
	"their keys, as they are part of signed records); every moment is RFC 3339 in UTC; every score is in points, a draw half " +
	"of one; every result is 1-0, 0-1 or 1/2-1/2 from the first player’s side, a forfeit +/-, -/+ or -/-. Seats are A, who " +
	"is named first, and B. Unknown keys and parameters are refused by name. Long lists take limit and after, and answer " +
	"with next until they end. The lists of an answer are tables, too: csv=NAME sends one as CSV, its columns called as the " +
	"keys are.\n\n" +
	"A refusal is a problem of RFC 9457 (application/problem+json) with a code for programs, the key at fault, what would do " +
	"and, if it passes by itself, next and Retry-After. 401 wants a token, 403 is not allowed to this one, 409 has been " +
	"overtaken by others, 422 is understood and not possible, 429 is too often, 503 is busy or down. The parameter shown of " +
	"an act on a tournament, a club or a ladder holds the version that the caller has seen: what others have changed since " +
	"then is not overwritten, the answer is 409 with the code overtaken.\n\n" +
	"A request that changes something may carry the header Idempotency-Key (8 to 100 visible ASCII characters): sent again " +
	"with the same token, key and content within a day, it is answered like the first time and does nothing more; with other " +
	"content it is refused with 409 and the code try-other. After 409 try-lost it was carried out, but the answer is lost.\n\n" +
	"Source code of this site: " + sourceHere

// scopeTexts say what a token with a scope may do.
var scopeTexts = [][2]string{
	{"read", "read everything that the account may see"},
	{"challenge", "arrange one’s own matches: challenges, entries, joining clubs and ladders"},
	{"organize", "hold events: tournaments, ladders, their players, rulings and calls"},
	{"account", "keep the account: profile, settings, notices, whom it follows and blocks, its bots"},
	{"operate", "run the site: roles, sign-up, its name, its mail; for operators"},
	{"play", "move: board:play for people, bot:play for bots"},
}

// describe returns the OpenAPI document of the operations.
func describe(chapters []page.Chapter) map[string]any {
	b := page.NewSchemas()
	problem := form.Schema{"description": "refused; the code says why",
		"content": form.Schema{"application/problem+json": form.Schema{"schema": b.OfProblem()}}}
	paths, tags := form.Schema{}, []any{}
	for _, chapter := range chapters {
		tags = append(tags, form.Schema{"name": chapter.Name, "description": chapter.Text})
		for _, o := range chapter.Operations {
			if paths[o.Address] == nil {
				paths[o.Address] = form.Schema{}
			}
			paths[o.Address].(form.Schema)[strings.ToLower(o.Method)] = describeOperation(b, chapter, o)
		}
	}
	components := form.Schema{}
	for name, s := range b.Components {
		components[name] = s
	}
	return form.Schema{
		"openapi": "3.1.0",
		"info": form.Schema{"title": "Chpok", "version": "1", "description": aboutAPI,
			"license": form.Schema{"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"}},
		"servers": []any{form.Schema{"url": "/api/v1"}}, "tags": tags, "paths": paths,
		"components": form.Schema{"schemas": components, "responses": form.Schema{"Problem": problem},
			"securitySchemes": form.Schema{"token": form.Schema{"type": "http", "scheme": "bearer"}, "application": describeOAuth()}},
	}
}

// describeOAuth tells how applications of others get tokens.
func describeOAuth() form.Schema {
	authorize, token, _ := account.OAuth()
	scopes := form.Schema{}
	for _, x := range scopeTexts {
		scopes[grantable(player.Scope(x[0]))] = x[1]
	}
	return form.Schema{"type": "oauth2",
		"description": "Authorization code with PKCE (S256), for public clients; client_id is any name or address.",
		"flows":       form.Schema{"authorizationCode": form.Schema{"authorizationUrl": authorize, "tokenUrl": token, "scopes": scopes}}}
}

// grantable is the scope under which an application gets what an operation needs.
func grantable(scope player.Scope) string {
	if scope == player.ScopePlay {
		scope = player.ScopeBoardPlay
	}
	return string(scope)
}

func describeOperation(b *page.Schemas, chapter page.Chapter, o *page.Operation) form.Schema {
	parameters, body, must := b.Input(o)
	list := []any{}
	for _, p := range parameters {
		list = append(list, form.Schema{"name": p.Name, "in": p.In, "required": !p.Optional, "schema": p.Schema,
			"description": p.Schema["description"]})
	}
	about := o.About + "\n\n" + whoMay(o)
	security := []any{form.Schema{}, form.Schema{"token": []any{}}}
	if o.Scope != page.Everyone {
		security = []any{form.Schema{"token": []any{}}, form.Schema{"application": []any{grantable(o.Scope)}}}
	}
	answers := form.Schema{"default": form.Schema{"$ref": "#/components/responses/Problem"}}
	out, mayBeNone := b.Output(o)
	if out == nil || mayBeNone {
		answers["204"] = form.Schema{"description": "done; there is nothing to tell"}
	}
	if out != nil {
		answers[statusText(o.Status)] = form.Schema{"description": "done", "content": answered(b, o, out)}
	}
	says := form.Schema{"tags": []any{chapter.Name}, "operationId": operationID(o), "summary": o.Summary, "description": about,
		"security": security, "responses": answers}
	if len(list) > 0 {
		says["parameters"] = list
	}
	if body != nil {
		says["requestBody"] = form.Schema{"required": must, "content": form.Schema{"application/json": content(b, body)}}
	}
	return says
}

func content(b *page.Schemas, s form.Schema) form.Schema {
	out := form.Schema{"schema": s}
	if example, is := b.Example(s); is {
		out["example"] = example
	}
	return out
}

// answered are the kinds of an operation's answer: JSON, and the two kinds of a stream.
func answered(b *page.Schemas, o *page.Operation, out form.Schema) form.Schema {
	kinds := form.Schema{}
	line, hasList := b.Line(o)
	if hasList {
		kinds["application/json"] = content(b, out)
		if len(o.Tables) > 0 {
			kinds["text/csv"] = form.Schema{"schema": form.Schema{"type": "string", "description": "the list that the parameter csv names"}}
		}
	}
	if line != nil {
		kinds["application/x-ndjson"] = content(b, line)
		kinds["text/event-stream"] = content(b, form.Schema{"type": "string", "example": "id: 7\ndata: {…}\n\n",
			"description": "a line in data of each event, where to go on as its id"})
	}
	return kinds
}

func statusText(status int) string {
	if status == http.StatusCreated {
		return "201"
	}
	return "200"
}

// operationID names an operation for generated clients: getMatchesIdEvents.
func operationID(o *page.Operation) string {
	name := strings.ToLower(o.Method)
	for _, part := range strings.FieldsFunc(o.Address, func(r rune) bool { return strings.ContainsRune("/{}-", r) }) {
		name += strings.ToUpper(part[:1]) + part[1:]
	}
	return name
}

// openAPI returns the OpenAPI document.
var openAPI = sync.OnceValues(func() ([]byte, error) {
	return json.Marshal(describe((&Server{}).chapters()))
})

func (s *Server) apiDescription(c echo.Context) error {
	text, err := openAPI()
	if err != nil {
		return err
	}
	source, err := json.Marshal(s.Config.SourceURL)
	if err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, bytes.Replace(text, []byte(sourceHere), bytes.Trim(source, `"`), 1))
}
