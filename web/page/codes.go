package page

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// Code is a word by which programs tell a refusal.
type Code struct {
	Word   string
	Status int
	Means  []string // in English; several where several parts of the site refuse by one word
}

// Codes are all words that a refusal can bear, in alphabetical order.
var Codes = sync.OnceValue(func() (list []Code) {
	texts := lang.Patterns(lang.English)
	add := func(word, key string, kind refusal.Kind) {
		status := statuses[kind]
		switch {
		case kind == refusal.KindUnfit:
			status = http.StatusForbidden // as programs are told it
		case word == "too-large":
			status = http.StatusRequestEntityTooLarge
		case word == "method":
			status = http.StatusMethodNotAllowed
		}
		means := texts[key]
		for i := range list {
			if c := &list[i]; c.Word == word && c.Status == status {
				if !slices.Contains(c.Means, means) {
					c.Means = append(c.Means, means)
				}
				return
			}
		}
		list = append(list, Code{word, status, []string{means}})
	}
	for _, e := range refusal.All() {
		add(e.Word(), e.Code, e.Kind)
	}
	// What the engine refuses has its words there.
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		if word, is := strings.CutPrefix(key, words.Refused); is && word != match.Stale && !strings.HasSuffix(word, "-nearest") {
			add(word, key, refusal.KindInvalid)
		}
	}
	for _, err := range []error{fairplay.ErrUnmet, fairplay.ErrUnsigned, fairplay.ErrByToken} {
		e, _ := errors.AsType[*refusal.Error](err)
		add(fairplay.WordOfAssurance, e.Code, e.Kind)
	}
	list = append(list, Code{"internal", http.StatusInternalServerError, []string{texts["error.internal"]}})
	slices.SortFunc(list, func(a, b Code) int { return cmp.Or(strings.Compare(a.Word, b.Word), a.Status-b.Status) })
	return list
})

// refusalWord is one of Codes.
type refusalWord string

// DescribeAPI lists them.
func (refusalWord) DescribeAPI() (string, Schema) {
	var all []any
	for _, c := range Codes() {
		if !slices.Contains(all, any(c.Word)) {
			all = append(all, c.Word)
		}
	}
	return "Code", Schema{"type": "string", "enum": all, "description": "what a program tells a refusal by; /api/errors says what each means"}
}
