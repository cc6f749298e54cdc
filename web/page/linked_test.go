package page

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/templates"
)

func TestAddressesInATextBecomeLinks(t *testing.T) {
	t.Parallel()
	type p = templates.Paragraph
	text := func(s string) templates.ProseSpan { return templates.ProseSpan{Text: s} }
	link := func(s string) templates.ProseSpan { return templates.ProseSpan{Text: s, URL: s} }
	tests := []struct {
		name, in string
		want     []templates.Paragraph
	}{
		{"nothing is nothing", " \n\n ", nil},
		{"an empty line begins a paragraph, a line does not", "One\ntwo\n\n\nthree", []p{{text("One\ntwo")}, {text("three")}}},
		{"the sentence's full stop is not the address's", "See https://chpok.org/a?b=1.", []p{{text("See "), link("https://chpok.org/a?b=1"), text(".")}}},
		{"nor its bracket", "(http://a.ua/x)", []p{{text("("), link("http://a.ua/x"), text(")")}}},
		{"unless one was opened in it", "http://a.ua/x_(y)", []p{{link("http://a.ua/x_(y)")}}},
		{"other schemes stay text", "javascript:alert(1) data:x ftp://a.ua", []p{{text("javascript:alert(1) data:x ftp://a.ua")}}},
		{"an address without a host stays text", "https:///etc", []p{{text("https:///etc")}}},
		{"one that shows another host before an @ stays text", "https://bank.ua@evil.example/", []p{{text("https://bank.ua@evil.example/")}}},
		{"angle brackets end it", "<https://a.ua>", []p{{text("<"), link("https://a.ua"), text(">")}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, Linked(test.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
