package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"chpok.org/chpok/cmd/internal/cli"
)

// asProgram tells a process of the test binary to be the program: nothing else has to be built and linked.
const asProgram = "BE_CHPOK_LAB"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Setenv(asProgram, "1")
	os.Exit(m.Run())
}

// lab runs a command of the program in this process and returns what it printed.
func lab(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := app.Run(t.Context(), args, cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs}); code != 0 {
		t.Fatalf("chpok-lab %s: exit status %d\n%s%s", strings.Join(args, " "), code, out.String(), errs.String())
	}
	return strings.TrimSpace(out.String())
}

func program(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
