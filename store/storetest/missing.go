package storetest

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// missed is what has been named already by this process.
var missed sync.Map

// Missing skips a test for want of a program of the machine; with CI=true it
// fails. go test hides what passing packages print, so the want is also written
// to where go test itself writes, once for each program and package: a skip that
// nobody sees is a test that nobody knows is missing.
func Missing(t testing.TB, program string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed", program)
	}
	if _, named := missed.LoadOrStore(program, true); !named {
		if terminal, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/2", os.Getppid()), os.O_WRONLY|os.O_APPEND, 0); err == nil {
			wd, _ := os.Getwd()
			fmt.Fprintf(terminal, "%s: tests skipped: %s is not installed\n", wd, program)
			terminal.Close()
		}
	}
	t.Skipf("needs %s", program)
}
