package words_test

import (
	"testing"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// An acceptance is of the text as it was read: every language has its own hash, and no other language changes it.
func TestTheFairPlayTextIsNamedInEachLanguage(t *testing.T) {
	t.Parallel()
	for _, l := range lang.All {
		if read, ok := words.FairPlayIn(words.FairPlayHash(l)); !ok || read != l {
			t.Errorf("%s: %q, %v", l, read, ok)
		}
	}
	if read, ok := words.FairPlayIn("an earlier text"); ok {
		t.Errorf("an earlier text is taken for %s", read)
	}
}
