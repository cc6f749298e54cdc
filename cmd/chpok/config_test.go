package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

func fitting() config {
	return config{databaseFlag: databaseFlag{"sqlite:data/chpok.db"}, Addr: "127.0.0.1:8080", EngineShare: 50,
		LogLevel: "info", LogFormat: "text"}
}

func TestConfigNamesEveryProblemAtOnce(t *testing.T) {
	t.Parallel()
	if err := fitting().check(); err != nil {
		t.Fatalf("the defaults do not pass: %v", err)
	}
	c := config{databaseFlag: databaseFlag{"mysql://x"}, Addr: "8080", BaseURL: "chpok.example", SourceURL: "git", NatsURL: "http://x",
		TrustedProxies: []string{"10.0.0.0/8", "ten"}, StreamsPerAddress: -1, LogLevel: "loud", LogFormat: "xml", EngineShare: 200, OpsAddr: "9090", Zone: "Kyiv"}
	err := c.check()
	if err == nil {
		t.Fatal("a configuration of faults passed")
	}
	for _, name := range []string{"CHPOK_DATABASE_URL", "CHPOK_ADDR", "CHPOK_BASE_URL", "CHPOK_NATS_URL", `"ten"`, "CHPOK_STREAMS_PER_ADDRESS",
		"CHPOK_ENGINE_SHARE", "CHPOK_SOURCE_URL", "CHPOK_ZONE", "CHPOK_OPS_ADDR", "CHPOK_LOG_LEVEL", "CHPOK_LOG_FORMAT"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named in:\n%v", name, err)
		}
	}
}

func TestSeveralNodesNeedPostgres(t *testing.T) {
	t.Parallel()
	c := fitting()
	c.NatsURL = "nats://127.0.0.1:4222"
	if c.check() == nil {
		t.Error("NATS over an SQLite file passed")
	}
	c.Database = "postgres://chpok@localhost/chpok"
	if err := c.check(); err != nil {
		t.Error(err)
	}
}

func TestReadmeListsEverySetting(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(--[a-z-]+)` \\| `(CHPOK_[A-Z_]+)`").FindAllStringSubmatch(string(readme), -1) {
		listed[m[1]+" "+m[2]] = true
	}
	var help strings.Builder
	if code := run(t.Context(), []string{"serve", "--help"}, stdio{strings.NewReader(""), &help, &help}); code != 0 {
		t.Fatalf("serve --help: %d", code)
	}
	flat := strings.ReplaceAll(strings.Join(strings.Fields(help.String()), " "), "--help", "")
	found := regexp.MustCompile(`(--[a-z-]+)(?:=| [A-Z])[^$]*?\(\$(CHPOK_[A-Z_]+)`).FindAllStringSubmatch(flat, -1)
	if len(found) == 0 {
		t.Fatalf("no setting found in\n%s", help.String())
	}
	for _, m := range found {
		key := m[1] + " " + m[2]
		if !listed[key] {
			t.Errorf("README does not list %s", key)
		}
		delete(listed, key)
	}
	for key := range listed {
		t.Errorf("README lists %s, which serve does not know", key)
	}
}

func TestTheZoneIsTheOperatorsElseTheMachines(t *testing.T) {
	for _, x := range []struct{ set, tz, link, want string }{
		{"America/New_York", "Europe/Kyiv", "", "America/New_York"},
		{"", "Europe/Kyiv", "/usr/share/zoneinfo/Asia/Tokyo", "Europe/Kyiv"},
		{"", "", "../usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"},
		{"", "", "/usr/share/zoneinfo/Etc/UTC", "UTC"},
		{"", ":/etc/localtime", "/var/db/elsewhere", "UTC"},
	} {
		env := func(string) string { return x.tz }
		link := func(string) (string, error) { return x.link, nil }
		if got := (config{Zone: x.set}).zone(env, link); got != x.want {
			t.Errorf("%+v: %s", x, got)
		}
	}
}
