package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "chpok.org/chpok/"

// rooms is who may import whom (docs/architecture.md): ours by path below the
// module, third party by prefix. What is not allowed here is forbidden.
var rooms = map[string]struct {
	ours    []string // "engine/*" is every package below engine
	foreign []string
}{
	"engine/board":    {},
	"engine/exact":    {},
	"engine/bidding":  {ours: []string{"engine/board", "engine/exact"}},
	"engine/match":    {ours: []string{"engine/board", "engine/bidding", "engine/exact"}},
	"engine/notation": {ours: []string{"engine/board", "engine/bidding", "engine/match", "engine/exact"}},
	"engine/lesson":   {ours: []string{"engine/board", "engine/bidding"}},
	"engine/search":   {ours: []string{"engine/board", "engine/bidding", "engine/match"}},
	"engine/duel":     {ours: []string{"engine/board", "engine/bidding", "engine/search"}},
	"engine/puzzle":   {ours: []string{"engine/board", "engine/match", "engine/bidding", "engine/search"}},
	"engine/analysis": {ours: []string{"engine/board", "engine/bidding", "engine/match", "engine/search"}},
	"client":          {},
	"docs":            {},
	"examples":        {},
	"refusal":         {},
	"civil":           {},
	"player/fold":     {foreign: []string{"golang.org/x/text/unicode/norm"}},
	"rating":          {ours: []string{"refusal"}},
	"player":          {ours: []string{"refusal"}, foreign: []string{"golang.org/x/crypto", "golang.org/x/text/unicode/norm"}},
	"player/year":     {ours: []string{"player", "rating", "engine/match"}},
	"player/oauth":    {ours: []string{"refusal", "player"}},
	"player/passkey":  {ours: []string{"refusal", "player"}, foreign: []string{"github.com/go-webauthn/webauthn"}},
	"player/club":     {ours: []string{"refusal", "player/fold", "player"}, foreign: []string{"golang.org/x/crypto", "golang.org/x/text"}},
	"tournament/call": {ours: []string{"refusal", "player", "engine/match"}},
	"notice":          {ours: []string{"refusal", "player", "player/house", "tournament", "tournament/ladder"}},
	"tournament": {ours: []string{"refusal", "player/fold", "player", "player/club", "fairplay", "engine/match", "engine/bidding",
		"engine/board", "tournament/prize", "tournament/contest", "tournament/draw", "tournament/fixture", "tournament/setting", "civil"}},
	"tournament/contest":           {},
	"tournament/ledger":            {ours: []string{"refusal", "tournament", "tournament/arena", "player", "fairplay"}},
	"tournament/outlook":           {ours: []string{"tournament", "tournament/fixture"}},
	"tournament/resume":            {ours: []string{"tournament", "player", "engine/match"}},
	"tournament/venue":             {ours: []string{"refusal", "tournament", "tournament/setting", "player", "player/fold", "fairplay"}},
	"tournament/draw":              {},
	"tournament/setting":           {ours: []string{"refusal", "player/club", "player", "fairplay", "engine/match", "engine/bidding"}},
	"tournament/league":            {ours: []string{"refusal", "civil", "player", "player/club", "fairplay", "tournament", "tournament/fixture"}},
	"tournament/stage":             {ours: []string{"tournament", "tournament/contest", "tournament/draw", "player", "player/club", "engine/match"}},
	"tournament/prize":             {ours: []string{"refusal"}},
	"tournament/arena":             {ours: []string{"tournament", "rating", "tournament/internal/blossom", "engine/match"}},
	"tournament/swiss":             {ours: []string{"tournament", "tournament/internal/blossom", "player", "engine/match"}},
	"tournament/swiss/literal":     {ours: []string{"tournament", "engine/match"}},
	"tournament/teamswiss":         {ours: []string{"tournament", "tournament/swiss", "tournament/internal/blossom", "engine/match"}},
	"tournament/teamswiss/literal": {ours: []string{"tournament", "tournament/teamswiss", "engine/match"}},
	"tournament/roundrobin":        {ours: []string{"tournament", "player", "engine/match"}},
	"tournament/tiebreak":          {ours: []string{"tournament", "player", "engine/match", "rating"}},
	"tournament/series":            {ours: []string{"refusal", "tournament", "player", "player/club", "civil"}},
	"tournament/proposal": {ours: []string{"tournament", "tournament/contest", "tournament/draw", "tournament/outlook", "civil",
		"tournament/setting", "tournament/stage", "fairplay", "engine/bidding", "engine/match", "player/club"}},
	"tournament/fixture": {ours: []string{"refusal", "player", "engine/match"}},
	"tournament/ladder": {ours: []string{"refusal", "player", "player/club", "fairplay", "engine/match", "engine/bidding",
		"tournament/setting", "tournament/fixture"}},
	"tournament/format": {ours: []string{"tournament", "tournament/arena",
		"tournament/contest", "tournament/keizer", "tournament/roundrobin", "tournament/swiss", "tournament/teamswiss", "tournament/tiebreak"}},
	"tournament/keizer": {ours: []string{"tournament", "tournament/internal/blossom", "engine/match"}},
	"tournament/dryrun": {ours: []string{"refusal", "tournament", "tournament/outlook", "tournament/ledger", "tournament/format",
		"tournament/roundrobin", "tournament/arena", "player", "rating", "engine/match"}},
	"tournament/intake": {ours: []string{"refusal"}, foreign: []string{"golang.org/x/text"}},
	"tournament/trf":    {ours: []string{"refusal", "tournament", "player", "engine/match"}},
	"tournament/roster": {ours: []string{"refusal", "player/club", "player/fold", "tournament", "tournament/setting", "tournament/trf", "player"}},
	"tournament/bundle": {ours: []string{"refusal", "tournament", "tournament/intake", "tournament/ledger", "player", "fairplay"}},
	"tournament/challenge": {ours: []string{"refusal", "player", "rating", "fairplay", "engine/match", "engine/bidding",
		"tournament/setting"}},
	"fairplay":           {ours: []string{"refusal", "player", "engine/*"}},
	"fairplay/review":    {ours: []string{"fairplay/screening", "refusal", "player", "engine/*", "fairplay"}},
	"fairplay/screening": {},
	"fairplay/vouch":     {ours: []string{"refusal", "player/fold", "player", "fairplay"}},
	"migrations":         {},
	"store": {ours: []string{"refusal", "engine/*", "rating", "tournament/call", "player", "player/*", "notice",
		"tournament", "tournament/*", "fairplay", "fairplay/*", "migrations"}, foreign: []string{"gorm.io", "modernc.org/sqlite",
		"github.com/jackc/pgx", "github.com/pressly/goose"}},
	"store/storetest": {ours: []string{"store", "player"}, foreign: []string{"github.com/jackc/pgx"}},
	"ops/lan":         {},
	"player/house":    {ours: []string{"player"}},
	"live": {ours: []string{"refusal", "store", "engine/*", "player", "fairplay", "fairplay/*"},
		foreign: []string{"github.com/nats-io/nats.go"}},
	"ops":           {ours: []string{"store", "live"}, foreign: []string{"github.com/VictoriaMetrics/metrics"}},
	"live/practice": {ours: []string{"store", "rating", "player", "engine/puzzle"}},
	"live/livetest": {foreign: []string{"github.com/nats-io/nats-server"}},
	"live/analyst":  {ours: []string{"refusal", "store", "live", "live/practice", "player", "player/house", "fairplay/review", "fairplay/screening", "engine/*"}},
	"arbiter/kernel": {ours: []string{"refusal", "civil", "store", "live", "tournament", "tournament/*", "fairplay", "fairplay/*",
		"player", "player/club", "notice", "engine/*", "arbiter/tables"}},
	"arbiter/tables": {ours: []string{"refusal", "store", "tournament", "tournament/*", "fairplay", "player", "engine/*"}},
	"arbiter/assurance": {ours: []string{"refusal", "store", "live", "tournament", "tournament/*", "fairplay",
		"fairplay/*", "tournament/call", "player", "player/club", "engine/*", "arbiter/kernel"}},
	"arbiter/ratings": {ours: []string{"store", "tournament", "rating", "player", "player/club", "player/fold", "engine/*", "arbiter/kernel"}},
	"arbiter/entries": {ours: []string{"refusal", "player/fold", "store", "tournament", "tournament/*", "fairplay", "player", "player/club",
		"arbiter/kernel", "arbiter/assurance", "arbiter/ratings"}},
	"arbiter/rounds": {ours: []string{"refusal", "store", "live", "tournament", "tournament/dryrun", "tournament/format",
		"tournament/arena", "tournament/fixture", "fairplay",
		"fairplay/*", "player", "player/club", "notice", "engine/*", "arbiter/kernel", "arbiter/tables", "arbiter/assurance", "arbiter/ratings"}},
	"arbiter/desk": {ours: []string{"store", "live", "tournament", "tournament/format", "tournament/ledger", "tournament/stage", "notice",
		"fairplay", "player",
		"engine/*", "arbiter/kernel", "arbiter/tables", "arbiter/assurance", "arbiter/ratings", "arbiter/rounds"}},
	"arbiter/persons": {ours: []string{"refusal", "store", "tournament", "tournament/league", "fairplay", "fairplay/*", "player/passkey", "player",
		"player/club", "notice", "engine/*", "player/house", "arbiter/kernel", "arbiter/assurance"}},
	"arbiter/seats": {ours: []string{"refusal", "player/fold", "store", "live", "fairplay", "fairplay/*", "player/passkey", "player",
		"engine/*", "arbiter/kernel", "arbiter/assurance", "arbiter/persons"}},
	"arbiter/judges": {ours: []string{"refusal", "store", "live", "tournament", "tournament/ledger", "tournament/call", "rating", "fairplay",
		"fairplay/*", "player", "notice", "engine/*", "arbiter/kernel", "arbiter/tables", "arbiter/assurance", "arbiter/ratings",
		"arbiter/rounds", "arbiter/desk", "arbiter/seats"}},
	"arbiter/challenges": {ours: []string{"refusal", "store", "live", "tournament/*", "rating", "fairplay", "player", "player/house",
		"engine/*", "arbiter/kernel", "arbiter/assurance", "arbiter/ratings", "arbiter/seats"}},
	"arbiter/ladders": {ours: []string{"store", "live", "tournament", "tournament/*", "player", "player/club", "engine/*",
		"arbiter/kernel", "arbiter/tables", "arbiter/assurance", "arbiter/ratings"}},
	"arbiter/leagues": {ours: []string{"refusal", "store", "tournament", "tournament/*", "player", "player/club", "notice", "arbiter/kernel",
		"arbiter/assurance", "arbiter/entries", "arbiter/events", "arbiter/ratings", "arbiter/rounds"}},
	"arbiter/clubs": {ours: []string{"store", "player", "player/club", "arbiter/kernel", "arbiter/assurance"}},
	"arbiter/events": {ours: []string{"refusal", "store", "live", "tournament", "tournament/*", "fairplay", "tournament/call",
		"player", "player/club", "notice", "engine/*", "arbiter/kernel", "arbiter/tables", "arbiter/assurance", "arbiter/rounds"}},
	"arbiter": {ours: []string{"arbiter/*", "store", "live", "tournament", "tournament/*", "fairplay",
		"player", "notice", "engine/*"}},
	"notice/calendar": {foreign: []string{"github.com/arran4/golang-ical"}},
	"notice/courier": {ours: []string{"civil", "store", "notice", "player", "templates", "templates/lang"},
		foreign: []string{"github.com/wneessen/go-mail"}},
	"notice/outward": {},
	"notice/webhook": {ours: []string{"notice", "notice/outward", "notice/telegram", "player", "store", "templates/lang", "tournament",
		"tournament/ladder", "tournament/league"}},
	"notice/push": {ours: []string{"civil", "store", "notice", "notice/outward", "templates/lang"},
		foreign: []string{"github.com/SherClockHolmes/webpush-go"}},
	"notice/telegram":              {ours: []string{"civil", "store", "notice", "player", "templates/lang"}},
	"notice/telegram/telegramtest": {},
	"notice/courier/couriertest":   {},
	"web/picture":                  {ours: []string{"engine/board"}, foreign: []string{"golang.org/x/image"}},
	"templates":                    {ours: []string{"templates/lang"}, foreign: []string{"github.com/a-h/templ"}},
	"templates/frame":              {ours: []string{"templates", "templates/lang"}, foreign: []string{"github.com/a-h/templ"}},
	"templates/board":              {ours: []string{"templates/lang"}, foreign: []string{"github.com/a-h/templ"}},
	"templates/account":            {ours: []string{"templates", "templates/lang"}, foreign: []string{"github.com/a-h/templ"}},
	"templates/club": {ours: []string{"templates", "templates/lang", "templates/event"},
		foreign: []string{"github.com/a-h/templ"}},
	"templates/embed": {ours: []string{"templates", "templates/lang", "templates/board"},
		foreign: []string{"github.com/a-h/templ"}},
	"templates/fairplay": {ours: []string{"templates", "templates/lang", "templates/board"},
		foreign: []string{"github.com/a-h/templ"}},
	"templates/home": {ours: []string{"templates", "templates/lang", "templates/board", "templates/account",
		"templates/ladder", "templates/learn", "templates/play"}, foreign: []string{"github.com/a-h/templ"}},
	"templates/ladder": {ours: []string{"templates", "templates/lang"}, foreign: []string{"github.com/a-h/templ"}},
	"templates/league": {ours: []string{"templates", "templates/lang"}, foreign: []string{"github.com/a-h/templ"}},
	"templates/learn": {ours: []string{"templates", "templates/lang", "templates/play", "templates/board"},
		foreign: []string{"github.com/a-h/templ"}},
	"templates/match":  {ours: []string{"templates", "templates/lang", "templates/board"}, foreign: []string{"github.com/a-h/templ"}},
	"templates/play":   {ours: []string{"templates", "templates/lang", "templates/board"}, foreign: []string{"github.com/a-h/templ"}},
	"templates/rating": {ours: []string{"templates", "templates/lang", "templates/board"}, foreign: []string{"github.com/a-h/templ"}},
	"templates/event":  {ours: []string{"templates", "templates/lang", "templates/board"}, foreign: []string{"github.com/a-h/templ"}},
	"templates/desk":   {ours: []string{"templates", "templates/lang", "templates/event"}, foreign: []string{"github.com/a-h/templ"}},
	"templates/tournament": {ours: []string{"templates", "templates/lang", "templates/board", "templates/event"},
		foreign: []string{"github.com/a-h/templ"}},
	"templates/lang/plain": {},
	"templates/lang":       {foreign: []string{"github.com/nicksnyder/go-i18n", "golang.org/x/text"}},
	"web/words": {ours: []string{"refusal", "templates", "templates/lang", "civil", "arbiter", "arbiter/*", "store",
		"engine/*", "rating", "tournament/call", "player", "player/club", "player/year", "tournament", "tournament/*", "fairplay", "fairplay/*",
		"player/house"}, foreign: []string{"rsc.io/qr"}},
	"web/form": {ours: []string{"refusal", "templates", "templates/lang", "arbiter", "arbiter/*", "store",
		"engine/*", "player", "player/club", "tournament", "tournament/*", "fairplay", "fairplay/*", "civil", "web/words"}},
	"web/scene": {ours: []string{"templates", "templates/*", "live", "web/picture", "store", "engine/*", "rating",
		"player", "player/house", "web/words"}},
	"web/page": {ours: []string{"live/analyst", "live/practice", "refusal", "ops/lan", "notice", "templates", "templates/lang",
		"templates/board", "templates/embed",
		"templates/frame", "arbiter", "arbiter/*", "notice/courier", "notice/telegram",
		"live", "web/picture", "store", "civil", "player/*", "engine/*", "player",
		"tournament", "tournament/*",
		"fairplay", "fairplay/*", "web/words", "web/form"}, foreign: []string{"github.com/labstack/echo", "github.com/a-h/templ",
		"golang.org/x/time"}},
	"web/event": {ours: []string{"refusal", "templates", "templates/*", "arbiter", "arbiter/*", "live", "store",
		"engine/*", "rating", "player", "player/club", "tournament", "tournament/*", "fairplay", "fairplay/*", "web/words", "web/form",
		"web/scene", "web/page"}, foreign: []string{"github.com/labstack/echo"}},
	"web/outside": {ours: []string{"notice", "templates", "templates/*", "arbiter", "arbiter/*", "live", "web/picture", "store",
		"engine/match", "player", "player/club", "tournament", "tournament/challenge", "tournament/format", "tournament/ladder", "tournament/ledger",
		"web/words", "web/form", "web/scene", "web/page", "web/event"},
		foreign: []string{"github.com/labstack/echo"}},
	"web/account": {ours: []string{"refusal", "player/fold", "templates", "templates/*", "arbiter", "arbiter/*", "notice/calendar",
		"notice/courier", "notice/telegram",
		"live", "store", "engine/*", "fairplay", "player", "player/club", "notice", "tournament", "tournament/*", "player/passkey",
		"player/oauth", "notice/push",
		"civil", "web/words", "web/form", "web/page"}, foreign: []string{"github.com/labstack/echo", "golang.org/x/time"}},
	"web/match": {ours: []string{"live/analyst", "refusal", "templates", "templates/*", "arbiter", "arbiter/*",
		"live", "notice", "store", "engine/*", "tournament/call", "tournament/challenge", "player", "player/house", "tournament", "fairplay",
		"player/passkey", "civil", "web/words", "web/form", "web/scene",
		"web/page", "web/event"}, foreign: []string{"github.com/labstack/echo", "golang.org/x/time"}},
	"web/play": {ours: []string{"refusal", "templates", "templates/*", "arbiter", "arbiter/*", "live", "store",
		"engine/*", "player", "notice", "tournament", "tournament/*", "fairplay", "player/house", "web/words", "web/form", "web/scene",
		"web/page"},
		foreign: []string{"github.com/labstack/echo"}},
	"web/ladder": {ours: []string{"refusal", "templates", "templates/*", "arbiter", "arbiter/*", "live", "store",
		"engine/*", "player", "player/club", "tournament", "tournament/*", "fairplay", "civil", "web/words", "web/form", "web/page"},
		foreign: []string{"github.com/a-h/templ", "github.com/labstack/echo"}},
	"web/league": {ours: []string{"templates", "templates/league", "templates/lang", "arbiter/leagues", "store", "player", "player/club",
		"tournament", "tournament/*", "civil", "web/words", "web/form", "web/page"}, foreign: []string{"github.com/labstack/echo"}},
	"web/club": {ours: []string{"refusal", "templates", "templates/*", "arbiter", "arbiter/*", "store",
		"rating", "player", "player/club", "tournament", "tournament/*", "fairplay", "civil", "web/words", "web/form", "web/page", "web/event"},
		foreign: []string{"github.com/labstack/echo"}},
	"web/rating": {ours: []string{"refusal", "templates", "templates/*", "arbiter", "arbiter/*", "live", "store", "engine/*",
		"rating", "player", "player/house", "player/year", "player/club", "tournament", "tournament/*", "fairplay", "fairplay/*", "web/words", "web/form",
		"web/scene",
		"web/page"}, foreign: []string{"github.com/labstack/echo"}},
	"web/fairplay": {ours: []string{"templates", "templates/*", "arbiter", "arbiter/*", "live", "store", "engine/*",
		"player", "player/club", "tournament", "tournament/ladder", "fairplay", "fairplay/*", "web/words", "web/form", "web/scene",
		"web/page", "web/event"},
		foreign: []string{"github.com/labstack/echo"}},
	"web/learn": {ours: []string{"templates", "templates/*", "store", "live/practice", "player", "player/fold", "engine/*", "web/words",
		"web/scene", "web/page", "docs", "examples"}, foreign: []string{"github.com/labstack/echo", "github.com/yuin/goldmark"}},
	"web/tournament": {ours: []string{"refusal", "player/fold", "templates", "templates/*", "arbiter", "arbiter/*", "live", "store",
		"engine/*", "tournament/call", "player", "player/club", "tournament", "tournament/*", "fairplay", "civil", "web/words", "web/form",
		"web/scene",
		"web/page", "web/event"}, foreign: []string{"github.com/labstack/echo", "golang.org/x/time"}},
	"web/desk": {ours: []string{"notice", "notice/telegram", "templates", "templates/*", "arbiter", "arbiter/*", "live", "store", "engine/*",
		"tournament/call", "player", "player/club", "tournament", "tournament/*", "fairplay", "civil", "web/words", "web/form", "web/scene",
		"web/page",
		"web/event"}, foreign: []string{"github.com/labstack/echo"}},
	"web": {ours: []string{"live/analyst", "live/practice", "civil", "web/*", "refusal", "templates", "templates/*", "arbiter",
		"arbiter/*", "notice/calendar", "notice/courier", "notice/telegram",
		"live", "store", "engine/*", "rating", "tournament/call", "player", "player/club",
		"notice",
		"tournament", "tournament/*", "fairplay", "fairplay/*", "player/passkey", "player/house"}, foreign: []string{"github.com/labstack/echo",
		"github.com/a-h/templ", "github.com/evanw/esbuild", "golang.org/x/time", "rsc.io/qr"}},
	"ops/site": {ours: []string{"arbiter", "arbiter/*", "engine/match", "engine/search", "live", "live/*", "notice", "notice/*", "ops",
		"ops/lan",
		"player",
		"player/house", "store", "templates/lang", "web", "web/account"}, foreign: []string{"github.com/go-co-op/gocron"}},
	"cmd/internal/cli": {foreign: []string{"github.com/alecthomas/kong"}},
	"cmd/chpok":        {ours: []string{"*"}, foreign: []string{"golang.org/x/crypto/x509roots/fallback", "golang.org/x/sync"}},
	"cmd/chpok-lab": {ours: []string{"fairplay", "fairplay/*", "cmd/*", "ops/site", "engine/*", "live/analyst", "player/house", "templates/board", "web/picture"},
		foreign: []string{"github.com/fyne-io/oksvg", "github.com/srwiley/rasterx", "golang.org/x/image"}},
	"cmd/chpok-lab/load": {ours: []string{"cmd/*", "ops/site", "arbiter/entries", "engine/*", "fairplay", "live", "player", "store",
		"tournament",
		"tournament/*"}, foreign: []string{"github.com/prometheus/procfs", "golang.org/x/sync"}},
	"cmd/chpok-lab/load/asker": {},
	"cmd/chpok-lab/selfplay":   {ours: []string{"engine/*"}},
	"cmd/chpok-lab/year": {ours: []string{"arbiter", "arbiter/*", "engine/match", "live", "player", "refusal", "store", "tournament",
		"tournament/contest", "tournament/ledger"}},
}

type listed struct {
	ImportPath string
	Imports    []string
}

func TestEveryPackageImportsOnlyWhatTheHouseAllows(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for dec.More() {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		rule, known := rooms[name]
		if !known {
			if !strings.Contains(name, "/internal/") {
				t.Errorf("package %s stands in no row of the table", name)
			}
			continue
		}
		for _, imp := range p.Imports {
			if ours, ok := strings.CutPrefix(imp, module); ok {
				if !allowed(rule.ours, ours) {
					t.Errorf("%s may not import %s", name, ours)
				}
				continue
			}
			isStd := !strings.Contains(strings.SplitN(imp, "/", 2)[0], ".")
			if !isStd && !slices.ContainsFunc(rule.foreign, func(p string) bool { return imp == p || strings.HasPrefix(imp, p+"/") }) {
				t.Errorf("%s may not import %s", name, imp)
			}
		}
	}
}

func allowed(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if dir, ok := strings.CutSuffix(p, "*"); ok {
			return strings.HasPrefix(name, dir)
		}
		return p == name
	})
}

// What is a kind is done in one place: package civil turns what people write into moments, and knows what an hour
// means that comes twice or never; package intake writes tables so that spreadsheets read them, and read no formula
// in them.
func TestOnlyOnePackageDoesWhatIsAKind(t *testing.T) {
	t.Parallel()
	kinds := map[string]string{"ParseInLocation(": "civil.Read or civil.ReadDay", "csv.NewWriter(": "intake.CSV"}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for does, instead := range kinds {
			if strings.Contains(string(text), does) && !strings.Contains(path, "/tournament/intake/") {
				t.Errorf("%s has %s): use %s", path, does, instead)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
