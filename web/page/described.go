package page

import (
	"reflect"
	"slices"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/call"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/web/form"
)

// known describes types of other packages to programs. A name makes it a component.
var known = map[reflect.Type]func() (name string, s Schema){
	reflect.TypeFor[time.Time](): func() (string, Schema) {
		return "", Schema{"type": "string", "format": "date-time", "examples": []any{"2027-01-15T18:00:00Z"}}
	},
	reflect.TypeFor[form.Millis]():        func() (string, Schema) { return "", Schema{"type": "integer", "examples": []any{300000}} },
	reflect.TypeFor[match.ID]():           idOf("5n2rkq3v0d8t"),
	reflect.TypeFor[tournament.ID]():      idOf("8h1ptm4x6c2z"),
	reflect.TypeFor[ladder.ID]():          idOf("3b7wfs9y1g5j"),
	reflect.TypeFor[club.ID]():            idOf("6d4vnc8r2k0m"),
	reflect.TypeFor[call.ID]():            idOf("1q9xzt5h7p3w"),
	reflect.TypeFor[challenge.ID]():       idOf("7f3gjb2s8n6y"),
	reflect.TypeFor[player.Handle]():      idOf("anna"),
	reflect.TypeFor[tournament.EntryID](): func() (string, Schema) { return "", Schema{"type": "integer", "examples": []any{3}} },
	reflect.TypeFor[fairplay.Assurance](): func() (string, Schema) {
		return "", Schema{"type": "string", "enum": []any{"open", "declared", "verified", "supervised"}}
	},
	reflect.TypeFor[APIResult]():             func() (string, Schema) { return "", resultSchema() },
	reflect.TypeFor[bidding.TimeControl]():   func() (string, Schema) { return "TimeControl", timeControlSchema() },
	reflect.TypeFor[board.Action]():          func() (string, Schema) { return "", actSchema() },
	reflect.TypeFor[board.Features]():        func() (string, Schema) { return "Features", featuresSchema() },
	reflect.TypeFor[bidding.Envelope]():      func() (string, Schema) { return "Envelope", envelopeSchema() },
	reflect.TypeFor[form.APIPolicy]():        func() (string, Schema) { return "Policy", policySchema() },
	reflect.TypeFor[notation.Record]():       func() (string, Schema) { return "Record", recordSchema() },
	reflect.TypeFor[prize.Fund]():            func() (string, Schema) { return "PrizeFund", fundSchema() },
	reflect.TypeFor[prize.Category]():        func() (string, Schema) { return "PrizeCategory", categorySchema() },
	reflect.TypeFor[tournament.ReportHead](): func() (string, Schema) { return "ReportHead", reportHeadSchema() },
	reflect.TypeFor[fairplay.Reason]():       func() (string, Schema) { return "Reason", reasonSchema() },
}

// rawSchema describes what stands as raw JSON in answers and bodies (the tag schema).
func rawSchema(b *Schemas, name string) Schema {
	switch name {
	case "State":
		return stateSchema()
	case "Bid":
		return bidSchema()
	case "Act":
		return actSchema()
	case "Event":
		return eventSchema(b)
	case "Events":
		return Schema{"type": "array", "items": b.component("Event")}
	}
	panic("web: no schema is called " + name)
}

func idOf(example string) func() (string, Schema) {
	return func() (string, Schema) { return "", Schema{"type": "string", "examples": []any{example}} }
}

// closed is an object that has exactly these keys and may lack the optional ones.
func closed(doc string, keys Schema, optional ...string) Schema {
	must := []any{}
	for key := range keys {
		if !slices.Contains(optional, key) {
			must = append(must, key)
		}
	}
	slices.SortFunc(must, func(a, b any) int {
		if a.(string) < b.(string) {
			return -1
		}
		return 1
	})
	s := Schema{"type": "object", "properties": keys, "additionalProperties": false}
	if doc != "" {
		s["description"] = doc
	}
	if len(must) > 0 {
		s["required"] = must
	}
	return s
}

// says is a value of a type with its description and an example.
func says(kind, doc string, example any, more ...any) Schema {
	s := Schema{"type": kind, "description": doc, "examples": []any{example}}
	for i := 0; i+1 < len(more); i += 2 {
		s[more[i].(string)] = more[i+1]
	}
	return s
}

func enumOf(of ...string) (list []any) {
	for _, word := range of {
		list = append(list, word)
	}
	return list
}

func seatSchema(doc string) Schema {
	return Schema{"type": "string", "enum": enumOf("A", "B"), "description": doc}
}

func seatOrNull(doc string) Schema { return orNull(seatSchema(doc)) }

// perSeat is {"A":…,"B":…}.
func perSeat(doc string, example int) Schema {
	of := func() Schema { return Schema{"type": "integer", "examples": []any{example}} }
	return closed(doc, Schema{"A": of(), "B": of()})
}

// resultSchema describes a result; there is one kind of it everywhere.
func resultSchema() Schema {
	return Schema{"type": "string", "enum": enumOf("1-0", "0-1", "1/2-1/2", "+/-", "-/+", "-/-"),
		"description": "first – second; +/-, -/+ and -/- are forfeits"}
}

func timeControlSchema() Schema {
	return closed("A time control as it is bid for.", Schema{
		"minutes":   says("integer", "for all moves", 5, "minimum", bidding.MinMinutes, "maximum", bidding.MaxMinutes),
		"increment": says("integer", "seconds for each move", 3, "minimum", bidding.MinIncrement, "maximum", bidding.MaxIncrement),
	})
}

// featuresSchema describes each feature of the engine's list by its rule.
func featuresSchema() Schema {
	english := lang.Printer{Lang: lang.English, Zone: time.UTC}
	rule := func(key string) string { return english.T("rules.feature." + key) }
	keys := Schema{}
	for _, b := range bidding.Bounds {
		if b.Features == nil || b.Feature == "movePoints" {
			continue
		}
		f := board.DefaultFeatures()
		usual := *b.Features(&f)[0]
		keys[b.Feature] = says("integer", rule(b.Feature), usual, "minimum", b.Widest[0], "maximum", b.Widest[1], "default", usual)
	}
	points := Schema{}
	for k := board.Pawn; k <= board.Dragon; k++ {
		points[k.String()] = Schema{"type": "integer", "minimum": 0, "maximum": 9, "default": 0}
	}
	keys["movePoints"] = Schema{"type": "object", "properties": points, "additionalProperties": false,
		"description": rule("movePoints"), "examples": []any{map[string]any{"N": 6}}}
	for _, key := range board.SwitchKeys() {
		keys[key] = Schema{"type": "boolean", "description": rule(key), "default": false}
	}
	return Schema{"type": "object", "properties": keys, "additionalProperties": false,
		"examples":    []any{map[string]any{"kingOfTheHill": true}},
		"description": "The extraordinary features of a game (rules 7). Only what differs from the defaults is named."}
}

// envelopeSchema describes what bidding may decide, from the engine's own list of bounds.
func envelopeSchema() Schema {
	keys := form.EnvelopeSchema()
	keys["forbidden"] = Schema{"type": "array", "items": Schema{"type": "string", "enum": enumOf(board.SwitchKeys()...)},
		"description": "features that no bid may switch on", "examples": []any{[]any{"skipMoves"}}}
	keys["rows"] = Schema{"description": "the home rows that a bid may name besides the standard one, or any", "examples": []any{"any"},
		"anyOf": []any{Schema{"type": "string", "const": "any"}, Schema{"type": "array", "items": Schema{"type": "string"}}}}
	keys["defaults"] = featuresSchema()
	keys["presets"] = Schema{"type": "array", "items": timeControlSchema(), "description": "time controls that are offered for bids"}
	return Schema{"type": "object", "properties": keys, "additionalProperties": false,
		"description": "The limits of bidding (rules D9, D20). What is left out is as wide as the rules allow; it is answered in full.",
		"examples":    []any{map[string]any{"chips": 8, "minutes": []any{3, 10}, "widths": []any{8}, "rows": "any"}}}
}

// policySchema describes a fair-play policy. The units of its times are in its keys, as it is
// part of what is signed.
func policySchema() Schema {
	keys := form.PolicySchema()
	keys["level"] = Schema{"type": "string", "enum": enumOf("open", "declared", "verified", "supervised"),
		"description": "how well it is assured that people play"}
	keys["moves"] = Schema{"type": "string", "enum": enumOf("any", "board", "signed"), "description": "by which way moves may come"}
	keys["prizes"] = Schema{"type": "boolean", "description": "only written: what an event with prizes demands, at verified and above"}
	return Schema{"type": "object", "properties": keys, "additionalProperties": false, "required": []any{"level"},
		"description": "What matches demand of their players: a level and what tightens it. What is left out is the level’s; it is answered " +
			"in full. Times in it are in the units of their keys: seconds, minutes, days.",
		"examples": []any{map[string]any{"level": "declared"}}}
}

func recordSchema() Schema {
	return Schema{"type": "object", "required": []any{"chpok", "first", "actions"}, "additionalProperties": true,
		"description": "A match as a record of rules 11, with the times of its acts; chpok replay reads it.",
		"properties": Schema{
			"chpok":      says("integer", "version of the form", 1),
			"first":      seatSchema("who bids first"),
			"chips":      says("integer", "of each player", 10),
			"extraChips": Schema{"type": "object", "additionalProperties": Schema{"type": "integer"}, "description": "of a handicap, by seat"},
			"defaults":   featuresSchema(),
			"actions": Schema{"type": "array", "items": Schema{"type": "object", "additionalProperties": true},
				"description": "bids, draws and acts in order, as in the events of a match"},
		},
		"examples": []any{map[string]any{"chpok": 1, "first": "A", "actions": []any{map[string]any{"by": "A",
			"bid": map[string]any{"target": "white", "chips": 1}}}}}}
}

func reasonSchema() Schema {
	return closed("Why a match achieved less than it demanded, or a remark.", Schema{
		"key":  says("string", "which reason it is", "bot"),
		"seat": says("integer", "whom it concerns: 1 is A, 2 is B, 0 both", 1),
		"caps": Schema{"type": "string", "enum": enumOf("open", "declared", "verified", "supervised"),
			"description": "the level that it leaves"},
		"move":   says("integer", "after which move", 12),
		"demand": says("string", "what was not met", "check_in"),
		"at":     Schema{"type": "string", "format": "date-time", "description": "when", "examples": []any{"2027-01-15T18:00:00Z"}},
	}, "caps", "move", "demand", "at")
}

// stateSchema describes a state as chpok replay --legal prints it.
func stateSchema() Schema {
	stakes := Schema{}
	for t := bidding.White; t <= bidding.Features; t++ {
		stakes[t.String()] = Schema{"type": "array", "items": Schema{"type": "integer"}, "minItems": 2, "maxItems": 2,
			"description": "chips of A and B", "examples": []any{[]any{1, 0}}}
	}
	target := enumOf("white", "time", "homeRow", "features")
	bidding := closed("Bidding: chips buy what the game is played on.", Schema{
		"phase":    Schema{"type": "string", "const": "bidding"},
		"turn":     seatOrNull("who may bid; null while a draw is due"),
		"chips":    perSeat("chips left", 10),
		"stakes":   closed("chips on each target", stakes),
		"white":    seatOrNull("who has White so far"),
		"time":     orNull(timeControlSchema()),
		"row":      says("string", "the home row so far", "RNBQKBNR"),
		"features": featuresSchema(),
		"pending": Schema{"type": "array", "items": Schema{"type": "string", "enum": target},
			"description": "targets that a random draw will decide", "examples": []any{[]any{}}},
	})
	onBoard := closed("The board phase.", Schema{
		"phase": Schema{"type": "string", "const": "board"},
		"turn":  seatOrNull("who is to move"),
		"white": seatSchema("who has White"),
		"cfen": says("string", "the position: as FEN, with D for dragons, points and what else the rules keep (rules 12)",
			"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - 1/1 0/0 0/0 1"),
		"points": perSeat("points so far", 0),
		"undos":  perSeat("takebacks left", 0),
		"claims": closed("what may be claimed now", Schema{"win": seatOrNull("who may claim a win"),
			"draw": Schema{"type": "boolean", "description": "whether a draw may be claimed"}}),
		"legal": Schema{"type": "array", "items": Schema{"type": "string"}, "description": "every legal act, as it is sent",
			"examples": []any{[]any{"e2e4", "g1f3"}}},
	}, "legal")
	over := closed("After the end.", Schema{
		"phase":  Schema{"type": "string", "const": "finished"},
		"result": Schema{"type": "string", "enum": enumOf("A", "B", "draw", "both-lose", "void"), "description": "who won, by the rules"},
		"reason": says("string", "why it ended", "resignation"),
		"points": perSeat("final points", 0),
	})
	return Schema{"description": "A match as chpok replay --legal prints it.", "oneOf": []any{bidding, onBoard, over}}
}

func bidSchema() Schema {
	return closed("A bid (rules 5.3): chips on a target, and with a raise its outcome.", Schema{
		"target":    Schema{"type": "string", "enum": enumOf("white", "time", "homeRow", "features"), "description": "what the chips are for"},
		"chips":     says("integer", "how many", 1, "minimum", 1),
		"minutes":   says("integer", "of a raise on time", 5),
		"increment": says("integer", "of a raise on time, in seconds", 3),
		"row":       says("string", "of a raise on homeRow", "RNBQKBNR"),
		"features":  featuresSchema(),
	}, "minutes", "increment", "row", "features")
}

func actSchema() Schema {
	return says("string",
		"an act of rules 9: e2e4, e7e8q, Oe1h1 (castling), P@c2 (a newborn pawn), -c2 (remove), -- (skip), undo, claim win, claim draw, resign",
		"e2e4")
}

// eventBodies are the bodies of the events of a match by kind; times in them are as in its log: milliseconds, and
// moments in milliseconds since 1970.
func eventBodies() []struct {
	kind string
	body Schema
} {
	by := seatSchema("who")
	moment := func(doc string) Schema { return says("integer", doc+", in milliseconds since 1970", 1796414400000) }
	span := func(doc string) Schema { return says("integer", doc+", in milliseconds", 60000) }
	arbiter, why := says("string", "handle of the arbiter", "olena"), says("string", "their reason", "The server was away")
	ruling := func(more Schema, optional ...string) Schema {
		keys := Schema{"arbiter": arbiter, "why": why}
		for key, s := range more {
			keys[key] = s
		}
		return closed("", keys, optional...)
	}
	act := closed("", Schema{"by": by, "act": actSchema()})
	return []struct {
		kind string
		body Schema
	}{
		{"opened", closed("", Schema{
			"commitment": says("string", "SHA-256 of the seed of the draws", "9c1185a5c5e9fc54"),
			"seed":       says("string", "that seed, once the match is over", "00ff"),
			"options": closed("what the match is played by", Schema{
				"envelope": envelopeSchema(), "claims": Schema{"type": "string", "enum": enumOf("automatic", "manual"),
					"description": "who claims wins and draws"},
				"startDelay": span("from readiness to the start"), "lateness": span("how long a player is waited for"),
				"bidTime": span("for a bid by correspondence"),
				"meet":    span("to meet for the board after that"), "onClaim": Schema{"type": "boolean",
					"description": "a forfeit is claimed, not given"},
				"byMove":  Schema{"type": "boolean", "description": "a whole match by correspondence: each move has bidTime as well"},
				"untimed": Schema{"type": "boolean", "description": "no clocks"}, "odds": Schema{"type": "boolean",
					"description": "draw odds are bid for"},
				"extra": Schema{"type": "array", "items": Schema{"type": "integer"}, "description": "chips of a handicap, of A and B",
					"examples": []any{[]any{2, 0}}},
				"newcomer": Schema{"type": "array", "items": Schema{"type": "boolean"},
					"description": "who plays their first match, A and B: their clock waits for their first bid",
					"examples":    []any{[]any{false, true}}},
			}, "bidTime", "meet", "onClaim", "byMove", "untimed", "odds", "extra", "newcomer"),
		}, "seed")},
		{"ready", closed("", Schema{"by": by, "seal": says("string", "seal of a bid for draw odds", "ab12"), "sealed": says("integer",
			"that bid, once it is open", 3)}, "seal", "sealed")},
		{"started", closed("", Schema{"odds": seatSchema("who has draw odds"),
			"bids": Schema{"type": "array", "items": Schema{"type": "integer"}, "description": "for them, of A and B", "examples": []any{[]any{3,
				1}}},
			"salts": Schema{"type": "array", "items": Schema{"type": "string"}, "description": "of their seals", "examples": []any{[]any{"a",
				"b"}}}}, "odds", "bids", "salts")},
		{"bid", closed("", Schema{"by": by, "bid": bidSchema()})},
		{"draw", closed("", Schema{"draw": Schema{"type": "string", "enum": enumOf("white", "time"), "description": "what was drawn for"},
			"white": seatSchema("who got White"), "minutes": says("integer", "the time that was drawn", 5), "increment": says("integer",
				"in seconds", 3)}, "white", "minutes", "increment")},
		{"play", act}, {"undo", act}, {"claim", act}, {"resign", act},
		{"flag", closed("", Schema{"flag": seatSchema("whose time ran out")})},
		{"outage", closed("", Schema{"by": seatSchema("whose clock; absent: the wait for the players"), "from": moment("its begin"),
			"to": moment("its end"), "given": span("given back")}, "by")},
		{"ended", closed("", Schema{"outcome": Schema{"type": "string", "enum": enumOf("first", "second", "draw", "both-lose", "void"),
			"description": "who won; first is A"},
			"reason": says("string", "why", "resignation"), "points": Schema{"type": "array", "items": Schema{"type": "integer"},
				"description": "of A and B", "examples": []any{[]any{0, 0}}}})},
		{"appointed", closed("", Schema{"by": by, "at": moment("the time to meet that they name")})},
		{"forfeit-claimed", closed("", Schema{"by": by})},
		{"called", closed("", Schema{"by": by, "stops": Schema{"type": "boolean", "description": "the clocks stand still"}})},
		{"paused", ruling(nil)},
		{"resumed", ruling(Schema{"by": by}, "arbiter", "why", "by")},
		{"clock-set", ruling(Schema{"by": by, "left": span("their time left")})},
		{"taken-back", ruling(Schema{"to": says("integer", "seq of the last event that counts", 12)})},
		{"declared", ruling(Schema{"outcome": Schema{"type": "string", "enum": enumOf("first", "second", "draw", "both-lose"),
			"description": "the result"},
			"reason": says("string", "why it ended", "adjudicated")})},
		{"voided", ruling(Schema{"next": says("string", "id of the match that is played instead", "5n2rkq3v0d8t")}, "next")},
		{"reopened", ruling(Schema{"to": says("integer", "seq of the last event that counts", 12),
			"left": Schema{"type": "array", "items": Schema{"type": "integer"}, "description": "times left of A and B, in milliseconds",
				"examples": []any{[]any{60000, 60000}}}})},
		{"wait-extended", ruling(Schema{"left": span("so much longer")})},
	}
}

// eventSchema describes an event of a match with the body of each kind.
func eventSchema(b *Schemas) Schema {
	var all []any
	for _, e := range eventBodies() {
		name := "Event-" + e.kind
		b.Components[name] = closed("", Schema{
			"seq":  says("integer", "its number in the match, from 1", 7),
			"at":   Schema{"type": "string", "format": "date-time", "description": "when", "examples": []any{"2027-01-15T18:00:00Z"}},
			"kind": Schema{"type": "string", "const": e.kind}, "body": e.body,
		})
		all = append(all, Ref(name))
	}
	return Schema{"description": "An event of a match: what kind tells what is in its body.", "oneOf": all}
}

func categorySchema() Schema {
	s := closed("Prizes for some of the players.", Schema{
		"kind": Schema{"type": "string", "enum": enumOf("under", "club", "youth", "senior", "board", "reserve"),
			"description": "for whom: rated under a bound, of a club, born since a year, or until one; of an event of teams, the best on a board, or of the reserves"},
		"bound": says("integer", "a rating, a year of birth, or the number of a board", 1500),
		"club":  says("string", "name of the club", "Chess school Lviv"),
		"amounts": Schema{"type": "array", "items": Schema{"type": "integer"},
			"description": "for the first, second …, in the currency’s smallest unit", "examples": []any{[]any{100000}}},
	}, "bound", "club")
	s["examples"] = []any{map[string]any{"kind": "under", "bound": 1500, "amounts": []any{100000}}}
	return s
}

func reportHeadSchema() Schema {
	return closed("What the head of the report file (TRF) tells; what is left out is what the event knows.", Schema{
		"city":       says("string", "where it is held", "Lviv"),
		"federation": says("string", "as FIDE writes it", "UKR"),
		"chief":      says("string", "name of the chief arbiter", "Daria Tkach"),
		"deputies": Schema{"type": "array", "items": Schema{"type": "string"}, "description": "names of the other arbiters",
			"examples": []any{[]any{"Ivan Bondar"}}},
		"timeControl": says("string", "allotted times", "90 min + 30 s a move"),
	}, "city", "federation", "chief", "deputies", "timeControl")
}

func fundSchema() Schema {
	amounts := func(doc string) Schema {
		return Schema{"type": "array", "items": Schema{"type": "integer"}, "description": doc, "examples": []any{[]any{300000, 200000}}}
	}
	return closed("What there is to win; amounts are in the smallest unit of the currency.", Schema{
		"currency": says("string", "ISO 4217", "UAH"),
		"places":   amounts("for the first, second …, never rising"),
		"sharing": Schema{"type": "string", "enum": enumOf("", "equal", "hort"),
			"description": "of the prizes of places and boards among those tied on points; empty: tie-breaks decide"},
		"categories": Schema{"type": "array", "items": categorySchema(), "description": "prizes for some of the players"},
	}, "places", "sharing", "categories")
}
