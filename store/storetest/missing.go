package storetest

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// missed holds the programs this process has named already.
var missed sync.Map

// Missing skips a test for want of a program on this machine; with CI=true the test
// fails. go test hides what passing packages print, so the program is also named where go
// test itself writes, once per program and package: nobody would notice a silent skip.
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
