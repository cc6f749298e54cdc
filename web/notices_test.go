package web_test

import (
	"strings"
	"testing"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/templates/lang"
)

func TestEveryKindOfNoticeHasATextThatSaysAllItIsGiven(t *testing.T) {
	t.Parallel()
	for _, l := range lang.All {
		p := lang.Printer{Lang: l}
		for _, k := range notice.Kinds() {
			var args []any
			for _, name := range k.Args() {
				args = append(args, name, "⟨"+name+"⟩")
			}
			text := p.T("notice.text."+k.Name(), args...)
			if strings.HasPrefix(text, lang.Missing) || strings.Contains(text, "<no value>") {
				t.Errorf("%s: %s: %s", l, k.Name(), text)
			}
			for _, name := range k.Args() {
				if !strings.Contains(text, "⟨"+name+"⟩") {
					t.Errorf("%s: %s: %q does not say the %s", l, k.Name(), text, name)
				}
			}
			if !p.Has("notice.kind." + k.Name()) {
				t.Errorf("%s: the settings have no word for %s", l, k.Name())
			}
		}
		for _, g := range notice.Groups {
			if !p.Has("notice.group." + g.Name()) {
				t.Errorf("%s: no word for the group %s", l, g.Name())
			}
		}
	}
}
