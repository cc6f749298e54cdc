package site

import (
	"strings"
	"testing"
)

func fitting() Config {
	return Config{Database: Database{URL: "sqlite:data/chpok.db"}, Addr: "127.0.0.1:8080", EngineShare: 50,
		LogLevel: "info", LogFormat: "text"}
}

func TestConfigNamesEveryProblemAtOnce(t *testing.T) {
	t.Parallel()
	if err := fitting().Check(); err != nil {
		t.Fatalf("the defaults do not pass: %v", err)
	}
	c := Config{Database: Database{URL: "mysql://x"}, Addr: "8080", BaseURL: "chpok.example", SourceURL: "git", NatsURL: "http://x",
		TrustedProxies: []string{"10.0.0.0/8", "ten"}, StreamsPerAddress: -1, LogLevel: "loud", LogFormat: "xml", EngineShare: 200, OpsAddr: "9090", Zone: "Kyiv"}
	err := c.Check()
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
	if c.Check() == nil {
		t.Error("NATS over an SQLite file passed")
	}
	c.Database.URL = "postgres://chpok@localhost/chpok"
	if err := c.Check(); err != nil {
		t.Error(err)
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
		if got := (Config{Zone: x.set}).zone(env, link); got != x.want {
			t.Errorf("%+v: %s", x, got)
		}
	}
}

func TestASignKeyIsThirtyTwoBytes(t *testing.T) {
	t.Parallel()
	for key, ok := range map[string]bool{
		"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=": true, "AAEC": false, "no key": false,
	} {
		c := fitting()
		c.SignKey = key
		if err := c.Check(); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "CHPOK_SIGN_KEY") {
			t.Errorf("%q: %v", key, err)
		}
	}
}
