package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/notice/courier/couriertest"
	"chpok.org/chpok/store/storetest"
)

// TestTheDoctorSaysWhatIsWrong gives it a site for each fault.
func TestTheDoctorSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return "--database-url=sqlite:" + filepath.Join(dir, name) }
	doctor := func(want int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if status := app.Run(t.Context(), append([]string{"doctor"}, args...), cli.IO{In: strings.NewReader(""), Out: &out, Err: &out}); status != want {
			t.Errorf("%v: status %d, %s", args, status, out.String())
		}
		return out.String()
	}
	says := func(text string, sentences ...string) {
		t.Helper()
		for _, s := range sentences {
			if !strings.Contains(text, s) {
				t.Errorf("%q is not said in\n%s", s, text)
			}
		}
	}
	says(doctor(0, at("new.db")), "The database is empty", "The disk has", "CHPOK_BASE_URL is not set")
	if _, err := os.Stat(filepath.Join(dir, "new.db")); err == nil {
		t.Error("the doctor made a database")
	}
	var out bytes.Buffer
	if app.Run(t.Context(), []string{"player", "add", at("club.db"), "ana"}, cli.IO{In: strings.NewReader(""), Out: &out, Err: &out}) != 0 {
		t.Fatal(out.String())
	}
	says(doctor(0, at("club.db"), "--base-url=http://127.0.0.1:8080"), "ok     The configuration fits.",
		"ok     The database holds 0 matches; accounts: 1.", "No server has run", "ok     Visitors reach")
	says(doctor(1, at("club.db"), "--base-url=https://chpok.example", "--log-level=loud"), "CHPOK_LOG_LEVEL", "names no proxy", "2 faults")
	says(doctor(0, at("club.db"), "--base-url=http://chpok.example", "--ops-addr=:9090"), "passkeys", "ask nobody who they are")

	text, err := os.ReadFile(filepath.Join(dir, "club.db"))
	if err != nil {
		t.Fatal(err)
	}
	for i := 8 << 10; i < len(text); i += 512 {
		copy(text[i:], "spoiled!")
	}
	if err := os.WriteFile(filepath.Join(dir, "spoiled.db"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	says(doctor(1, at("spoiled.db")), "FAULT  The database")

	says(doctor(1, "--database-url=postgres://127.0.0.1:1/none?connect_timeout=1"), "FAULT  The database cannot be reached")
	says(doctor(1, "--database-url="+storetest.PostgresDSN(t), "--nats-url=nats://127.0.0.1:1"), "PostgreSQL", "connections are in use",
		"The database holds 0 matches", "FAULT  fsync or synchronous_commit is off", "FAULT  NATS cannot be reached")

	inbox := couriertest.Start(t)
	mail := []string{at("club.db"), "--base-url=http://127.0.0.1:8080", "--mail-from=club@chpok.example"}
	says(doctor(0, append(mail, "--smtp-url="+inbox.URL)...), "ok     The mail server takes our sign-in.")
	says(doctor(1, append(mail, "--smtp-url=smtp://127.0.0.1:1?tls=none")...), "FAULT  The mail server cannot be used")
}

// TestAProgramAloneKnowsTimeZones runs it in an empty root, as a container does.
func TestAProgramAloneKnowsTimeZones(t *testing.T) {
	t.Parallel()
	build, ok := debug.ReadBuildInfo()
	static := ok && slices.Contains(build.Settings, debug.BuildSetting{Key: "CGO_ENABLED", Value: "0"})
	if runtime.GOOS != "linux" || os.Getuid() != 0 || !static {
		t.Skip("needs a static program and the right to change the root: CGO_ENABLED=0, as root")
	}
	root := t.TempDir()
	raw, err := os.ReadFile(program(t))
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "chpok"), raw, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "/chpok", "doctor", "--zone=Europe/Kyiv", "--database-url=sqlite:/chpok.db")
	cmd.SysProcAttr, cmd.Dir = &syscall.SysProcAttr{Chroot: root}, "/"
	if said, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(said), "The configuration fits") {
		t.Errorf("%v: %s", err, said)
	}
}
