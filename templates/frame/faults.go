package frame

import (
	"context"
	"encoding/json"

	"chpok.org/chpok/templates/lang"
)

// faults returns what the page's script says of a field that cannot be sent, by what is wrong with it.
func faults(ctx context.Context) (string, error) {
	text := map[string]string{}
	for _, what := range []string{"missing", "check", "choose", "short", "long", "least", "most", "wrong"} {
		text[what] = lang.T(ctx, "core.fault."+what, "N", "#")
	}
	body, err := json.Marshal(text)
	return string(body), err
}
