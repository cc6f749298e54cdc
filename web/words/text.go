package words

import (
	"regexp"
	"strings"
	"sync"

	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// LongText returns a long text of the site (the rules, the questions, privacy, fair play) in a language. Each line
// of it is a block:
//
//	# 5 Bidding      a section; its number, if any, is its anchor (s5)
//	5.2 Each player  a numbered paragraph (anchor s5-2)
//	D7 Turns         a decision where the original rules are silent (anchor d7)
//	- Call           an item of a list
//	@dragon          a figure, drawn by the page
//	anything else    a paragraph
//
// Blocks may contain *emphasis* and `code`.
func LongText(name string, l lang.Lang) []templates.TextBlock {
	key := string(l) + "/" + name
	if blocks, known := longTexts.Load(key); known {
		return blocks.([]templates.TextBlock)
	}
	text, _ := l.Long(name)
	blocks := ParseText(text)
	longTexts.Store(key, blocks)
	return blocks
}

// longTexts holds what LongText has read, by language and name.
var longTexts sync.Map

var (
	numberedLine = regexp.MustCompile(`^(\d+\.\d+)\.? (.+)$`)
	decisionLine = regexp.MustCompile(`^(D\d+) (.+)$`)
	sectionLine  = regexp.MustCompile(`^# (?:(\d+) )?(.+)$`)
	inlineMark   = regexp.MustCompile("\\*[^*]+\\*|`[^`]+`")
)

// ParseText reads a text, see LongText.
func ParseText(body string) []templates.TextBlock {
	var blocks []templates.TextBlock
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		blocks = append(blocks, ParseLine(line))
	}
	return blocks
}

// ParseLine reads one block of a text.
func ParseLine(line string) templates.TextBlock {
	if m := sectionLine.FindStringSubmatch(line); m != nil {
		b := templates.TextBlock{Kind: templates.TextSection, Number: m[1], Spans: spans(m[2])}
		if m[1] != "" {
			b.Anchor = "s" + m[1]
		}
		return b
	}
	if m := numberedLine.FindStringSubmatch(line); m != nil {
		return templates.TextBlock{Kind: templates.TextNumbered,
			Number: m[1], Anchor: "s" + strings.ReplaceAll(m[1], ".", "-"), Spans: spans(m[2])}
	}
	if m := decisionLine.FindStringSubmatch(line); m != nil {
		return templates.TextBlock{Kind: templates.TextDecision, Number: m[1], Anchor: strings.ToLower(m[1]), Spans: spans(m[2])}
	}
	if item, ok := strings.CutPrefix(line, "- "); ok {
		return templates.TextBlock{Kind: templates.TextItem, Spans: spans(item)}
	}
	if figure, ok := strings.CutPrefix(line, "@"); ok {
		return templates.TextBlock{Kind: templates.TextFigure, Number: figure}
	}
	return templates.TextBlock{Kind: templates.TextParagraph, Spans: spans(line)}
}

// spans splits a line at its emphasis and code.
func spans(line string) []templates.TextSpan {
	var out []templates.TextSpan
	from := 0
	for _, at := range inlineMark.FindAllStringIndex(line, -1) {
		if at[0] > from {
			out = append(out, templates.TextSpan{Text: line[from:at[0]]})
		}
		out = append(out, templates.TextSpan{Text: line[at[0]+1 : at[1]-1], Code: line[at[0]] == '`', Strong: line[at[0]] == '*'})
		from = at[1]
	}
	if from < len(line) {
		out = append(out, templates.TextSpan{Text: line[from:]})
	}
	return out
}
