package learn

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	learnview "chpok.org/chpok/templates/learn"
)

const (
	// helpHits is how many places a search shows.
	helpHits = 20
	// Bytes of a text that are shown before the first word found in it, and from it on.
	snippetBefore, snippetAfter = 90, 180
)

// textWord is a word of a text: where it stands, in bytes, and as it is compared.
type textWord struct {
	from, to int
	folded   string
}

// helpPlace is a section of a guide as it is searched.
type helpPlace struct {
	guide       *guide
	section     guideSection
	title, text []textWord
}

// wordShape is a word with the apostrophes and stress marks inside it.
var wordShape = regexp.MustCompile(`[\p{L}\p{N}\p{M}]+(?:['’ʼ][\p{L}\p{N}\p{M}]+)*`)

func textWords(text string) (list []textWord) {
	for _, at := range wordShape.FindAllStringIndex(text, -1) {
		for _, folded := range fold.Words(text[at[0]:at[1]]) {
			list = append(list, textWord{at[0], at[1], folded})
		}
	}
	return list
}

// helpPlaces are the sections of all guides in each language that they are written in, in the order of the shelves.
var helpPlaces = sync.OnceValues(func() (map[lang.Lang][]helpPlace, error) {
	all, err := guides()
	places := map[lang.Lang][]helpPlace{}
	for l, of := range all {
		for _, shelf := range shelves {
			for _, name := range shelf.guides {
				g := of[name]
				if g.lang != l {
					continue
				}
				for _, x := range g.sections {
					places[l] = append(places[l], helpPlace{guide: &g, section: x, title: textWords(x.title), text: textWords(x.text)})
				}
			}
		}
	}
	return places, err
})

// stems are what words of a text have to begin with to be found by a question: its words in any case, alphabet and spelling. As people
// ask in any form of a word, what changes at its end is left out.
func stems(question string) (list []string) {
	for _, asked := range wordShape.FindAllString(question, -1) {
		for _, word := range fold.Words(asked) {
			drop := 0
			switch letters := len([]rune(asked)); {
			case strings.IndexFunc(asked, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) < 0:
				word = strings.TrimSuffix(word, "s")
			case letters > 6:
				drop = 2
			case letters > 4:
				drop = 1
			}
			list = append(list, word[:max(len(word)-drop, 1)])
		}
	}
	return list[:min(len(list), fold.MaxWords)]
}

func hasStem(words []textWord, stem string) bool {
	return slices.ContainsFunc(words, func(w textWord) bool { return strings.HasPrefix(w.folded, stem) })
}

// searchGuides returns the places that have every word: those in the reader's language first, and of these the ones that have a word in
// their heading. A place counts once, in the first language that has the words.
func searchGuides(reader lang.Lang, question string) ([]learnview.HelpHit, error) {
	all, err := helpPlaces()
	if err != nil {
		return nil, err
	}
	asked := stems(question)
	order := []lang.Lang{reader}
	for _, l := range lang.All {
		if l != reader {
			order = append(order, l)
		}
	}
	var found []learnview.HelpHit
	seen := map[string]bool{}
	for _, l := range order {
		var inTitle, inText []learnview.HelpHit
		for _, place := range all[l] {
			url := "/help/" + place.guide.name + "#" + place.section.id
			isHit, isTitle := len(asked) > 0 && !seen[url], false
			for _, stem := range asked {
				has := hasStem(place.title, stem)
				isTitle = isTitle || has
				isHit = isHit && (has || hasStem(place.text, stem))
			}
			if !isHit {
				continue
			}
			seen[url] = true
			hit := learnview.HelpHit{Guide: place.guide.title, Parts: snippet(place, asked), HelpGuide: learnview.HelpGuide{Lang: string(l),
				Link: templates.Link{Text: place.section.title, URL: url}}}
			if isTitle {
				inTitle = append(inTitle, hit)
			} else {
				inText = append(inText, hit)
			}
		}
		found = append(append(found, inTitle...), inText...)
	}
	return found[:min(len(found), helpHits)], nil
}

// snippet is what stands around the first word found in the text of a place, or its beginning, with the words found marked.
func snippet(place helpPlace, asked []string) (parts []templates.TextSpan) {
	text := place.section.text
	isFound := func(w textWord) bool {
		return slices.ContainsFunc(asked, func(stem string) bool { return strings.HasPrefix(w.folded, stem) })
	}
	from := 0
	if i := slices.IndexFunc(place.text, isFound); i >= 0 {
		from = place.text[i].from
	}
	start, end := 0, len(text)
	for _, w := range place.text {
		if w.from <= max(from-snippetBefore, 0) {
			start = w.from
		}
		if w.to <= from+snippetAfter {
			end = w.to
		}
	}
	if start > 0 {
		parts = append(parts, templates.TextSpan{Text: "… "})
	}
	at := start
	for _, w := range place.text {
		if w.from < at || w.to > end || !isFound(w) {
			continue
		}
		parts = append(parts, templates.TextSpan{Text: text[at:w.from]}, templates.TextSpan{Text: text[w.from:w.to], Strong: true})
		at = w.to
	}
	parts = append(parts, templates.TextSpan{Text: text[at:end]})
	if end < len(strings.TrimRight(text, " .")) {
		parts = append(parts, templates.TextSpan{Text: " …"})
	}
	return parts
}
