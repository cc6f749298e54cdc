package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"chpok.org/chpok/cmd/internal/cli"
)

func TestRecordsBecomeTextAndTextBecomesTheSameRecord(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../engine/notation/testdata/records/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no records: %v", err)
	}
	for _, file := range files[:10] {
		record := chpok(t, "record", "--json", file)
		text := chpok(t, "record", file)
		var out, errs bytes.Buffer
		if code := app.Run(t.Context(), []string{"record", "--json"}, cli.IO{In: strings.NewReader(text + "\n"), Out: &out, Err: &errs}); code != 0 {
			t.Errorf("%s: the text is not read back: %s", file, errs.String())
		} else if strings.TrimSpace(out.String()) != record {
			t.Errorf("%s: another record comes back", file)
		}
	}
	var out, errs bytes.Buffer
	if code := app.Run(t.Context(), []string{"record"}, cli.IO{In: strings.NewReader("hello"), Out: &out, Err: &errs}); code != 2 || errs.Len() == 0 || out.Len() != 0 {
		t.Errorf("nonsense gives status %d, %q", code, errs.String())
	}
}
