package tournament

import (
	"net/url"
	"testing"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/web/form"
)

func TestAFormKeepsWhatItHasNoFieldFor(t *testing.T) {
	t.Parallel()
	was := fairplay.Preset(fairplay.Verified)
	was.MaxAgeDays, was.CheckIn.Within, was.Steward, was.Feed.Seconds = 30, was.CheckIn.Within/2, true, 300
	level := fairplay.Preset(fairplay.Verified)
	kept := was
	kept.Feed.Seconds = 400
	blank := was
	blank.Feed.Seconds = level.Feed.Seconds
	for name, c := range map[string]struct {
		form url.Values
		want fairplay.Policy
	}{
		"a number":      {url.Values{"policy": {"verified"}, "policy_seconds": {"400"}}, kept},
		"blank":         {url.Values{"policy": {"verified"}}, blank},
		"another level": {url.Values{"policy": {"declared"}}, fairplay.Preset(fairplay.Declared)},
	} {
		if got, err := form.ReadPolicy(c.form, was); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
