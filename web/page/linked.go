package page

import (
	"net/url"
	"regexp"
	"strings"

	"chpok.org/chpok/templates"
)

// Paragraphs splits a plain text at its empty lines.
func Paragraphs(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, "\n\n") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// webAddress matches web addresses within a text.
var webAddress = regexp.MustCompile(`(?i)\bhttps?://[^\s<>"]+`)

// Linked splits a plain text into paragraphs and makes its web addresses links.
func Linked(text string) []templates.Paragraph {
	var out []templates.Paragraph
	for _, part := range Paragraphs(text) {
		var p templates.Paragraph
		from := 0
		for _, at := range webAddress.FindAllStringIndex(part, -1) {
			address := trimAddress(part[at[0]:at[1]])
			u, err := url.Parse(address)
			if err != nil || u.Hostname() == "" || u.User != nil {
				continue
			}
			if at[0] > from {
				p = append(p, templates.ProseSpan{Text: part[from:at[0]]})
			}
			p = append(p, templates.ProseSpan{Text: address, URL: u.String()})
			from = at[0] + len(address)
		}
		if from < len(part) {
			p = append(p, templates.ProseSpan{Text: part[from:]})
		}
		out = append(out, p)
	}
	return out
}

// trimAddress cuts off punctuation that belongs to the sentence around an address.
func trimAddress(s string) string {
	for {
		cut := strings.TrimRight(s, ".,;:!?'»”…")
		if strings.HasSuffix(cut, ")") && strings.Count(cut, "(") < strings.Count(cut, ")") {
			cut = strings.TrimSuffix(cut, ")")
		}
		if cut == s {
			return s
		}
		s = cut
	}
}
