package page

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/templates/lang"
)

func TestEveryCountryHasAName(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../templates/lang/en/country.json")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]string{}
	if err := json.Unmarshal(raw, &named); err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, key := range slices.Sorted(maps.Keys(named)) {
		codes = append(codes, strings.TrimPrefix(key, "country."))
	}
	if got := strings.Fields(countries); !slices.Equal(got, codes) {
		t.Errorf("%v are offered, %v have names", got, codes)
	}
	p := lang.Printer{Lang: lang.Ukrainian}
	list := Countries(p, "UA")
	first, last := list[1].Text, list[len(list)-1].Text
	if first != "Австралія" || last != "Японія" || Country(p, "DD") != "" || Country(p, "UA") != "Україна" {
		t.Errorf("from %s to %s; %q, %q", first, last, Country(p, "DD"), Country(p, "UA"))
	}
}
