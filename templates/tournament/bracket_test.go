package tournament

import (
	"strings"
	"testing"
)

// A name stands whole in its box, however long and wide: on paper nobody can touch it to read the rest.
func TestNamesStandWholeInTheirBoxes(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string]int{
		"Лі": 1, "Оксана Савченко": 1, "Maria Savchenko": 1,
		"Олександра-Вікторія Нестеренко-Заболотна": 2, "Олександра Нестеренко-Заболотна-Кравченко": 2,
		strings.Repeat("Ж", 40): 2, strings.Repeat("W", 24): 2, strings.Repeat("і", 40): 2, strings.Repeat("字", 40): 2,
	} {
		s := BracketSide{Seed: "1", Name: name}
		got := nameLines(s)
		whole := ""
		for _, l := range got {
			whole += l.text
			if ems(l.text)*float64(l.size) > float64(nameRoom(s)) && !l.squeezed || l.baseline > SideRow {
				t.Errorf("%q stands out of its box: %+v", name, l)
			}
		}
		if strings.ReplaceAll(whole, " ", "") != strings.ReplaceAll(name, " ", "") {
			t.Errorf("%q is cut: %+v", name, got)
		}
		if len(got) != lines {
			t.Errorf("%q takes %d lines, want %d", name, len(got), lines)
		}
	}
}
