package club_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
)

var noon = time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC)

func account(id string) player.Viewer {
	return player.Viewer{Player: player.Player{ID: player.ID(id), Role: player.Plain}}
}

var operator = player.Viewer{Player: player.Player{ID: "operator", Role: player.Operator}}

// dragons have an owner, an organizer, an arbiter and a member, named by their roles.
func dragons(joining club.Joining) club.Roster {
	r := club.New("dragon", "Dragons", "", "owner", noon)
	r.Joining = joining
	for _, role := range []club.Role{club.Organizer, club.Arbiter, club.Member} {
		r.Members = append(r.Members, club.Membership{Club: "dragon", Player: player.ID(role.String()), Role: role, Joined: noon})
	}
	return r
}

func TestNames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in, want string
		err            error
	}{
		{"letters of any alphabet", "Шаховий клуб «Дракон»", "Шаховий клуб «Дракон»", nil},
		{"runs of spaces become one", "  Клуб   Лева\n", "Клуб Лева", nil},
		{"two characters are too few", "Га", "", club.ErrName},
		{"sixty-one are too many", strings.Repeat("к", 61), "", club.ErrName},
		{"control characters", "Клуб\x00", "", club.ErrName},
		{"broken encoding", "Club\xff", "", club.ErrName},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := club.ParseName(test.in)
			if got != test.want || !errors.Is(err, test.err) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestNewsHasATitleAndAText(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "  ", strings.Repeat("т", 121), "a\x07b"} {
		if _, err := club.ParseTitle(bad); !errors.Is(err, club.ErrTitle) {
			t.Errorf("title %q: %v", bad, err)
		}
	}
	if got, err := club.ParsePost(" One.\r\n\r\nTwo. "); got != "One.\n\nTwo." || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"", "\n ", strings.Repeat("т", 8001), "a\x00"} {
		if _, err := club.ParsePost(bad); !errors.Is(err, club.ErrPost) {
			t.Errorf("text of %d bytes: %v", len(bad), err)
		}
	}
}

func TestWhoMayDoWhatInAClub(t *testing.T) {
	t.Parallel()
	all := []club.Act{
		club.ActChange, club.ActRoles, club.ActAdmit, club.ActExpel, club.ActNews,
		club.ActHold, club.ActLineUp, club.ActDirect, club.ActJudge, club.ActVouch,
	}
	tests := []struct {
		name string
		v    player.Viewer
		in   club.Role
		may  string // one mark for each act above
	}{
		{"a visitor", player.Viewer{}, 0, ".........."},
		{"a visitor cannot have a role", player.Viewer{}, club.Owner, ".........."},
		{"an account outside", account("x"), 0, ".........."},
		{"a member", account("x"), club.Member, ".........."},
		{"an arbiter judges, and nothing else", account("x"), club.Arbiter, "........+."},
		{"an organizer admits, expels, tells, holds and lines up", account("x"), club.Organizer, "..+++++..."},
		{"an owner does everything", account("x"), club.Owner, "++++++++++"},
		{"the site's operator vouches for nobody", operator, 0, "+++++++++."},
		{"unless he owns the club", operator, club.Owner, "++++++++++"},
	}
	for _, test := range tests {
		for i, act := range all {
			if got := club.May(test.v, test.in, act); got != (test.may[i] == '+') {
				t.Errorf("%s: act %d: %v", test.name, act, got)
			}
		}
	}
}

func TestWaysIn(t *testing.T) {
	t.Parallel()
	bot := account("bot")
	bot.Bot = true
	tests := []struct {
		name       string
		joining    club.Joining
		v          player.Viewer
		code, note string
		joined     bool
		err        error
	}{
		{"anybody walks into an open club", club.Open, account("new"), "", "", true, nil},
		{"a visitor does not", club.Open, player.Viewer{}, "", "", false, club.ErrNotAllowed},
		{"nor does a bot", club.Open, bot, "", "", false, club.ErrBot},
		{"a member is in already", club.Open, account("member"), "", "", false, club.ErrMember},
		{"who is banned stays out", club.Open, account("banned"), "", "", false, club.ErrBanned},
		{"a ban that is over keeps nobody out", club.Open, account("once"), "", "", true, nil},
		{"where one asks, one waits", club.ByRequest, account("new"), "", "I play on Tuesdays.", false, nil},
		{"with a note that is short enough", club.ByRequest, account("new"), "", strings.Repeat("т", 301), false, club.ErrNote},
		{"the code opens", club.ByCode, account("new"), "ABCDE fghjk", "", true, nil},
		{"another does not", club.ByCode, account("new"), "abcde-fghjm", "", false, club.ErrCode},
		{"nor does none", club.ByCode, account("new"), "", "", false, club.ErrCode},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := dragons(test.joining)
			r.Code = "abcde-fghjk"
			r.Bans = []club.Ban{{Player: "banned", Until: noon.Add(time.Hour)}, {Player: "once", Until: noon}}
			before := len(r.Members)
			joined, err := r.Join(test.v, test.code, test.note, noon)
			if joined != test.joined || !errors.Is(err, test.err) {
				t.Fatalf("%v, %v", joined, err)
			}
			if test.joined != (len(r.Members) == before+1) || test.joined && r.RoleOf(test.v.ID) != club.Member {
				t.Errorf("members: %v", r.Members)
			}
			if asked := r.HasAsked(test.v.ID); asked != (test.joining == club.ByRequest && err == nil) {
				t.Errorf("asked: %v", asked)
			}
		})
	}
}

func TestWithoutACodeNobodyEntersByCode(t *testing.T) {
	t.Parallel()
	r := dragons(club.ByCode)
	if _, err := r.Join(account("new"), "", "", noon); !errors.Is(err, club.ErrCode) {
		t.Errorf("%v", err)
	}
}

func TestRequestsAreAnswered(t *testing.T) {
	t.Parallel()
	r := dragons(club.ByRequest)
	for _, id := range []string{"ana", "bob", "cyn"} {
		if _, err := r.Join(account(id), "", "hello", noon); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Join(account("ana"), "", "hello again", noon); err != nil || len(r.Requests) != 3 || r.Requests[0].Note != "hello again" {
		t.Fatalf("asking twice changes the note: %v, %+v", err, r.Requests)
	}
	if err := r.Answer(account("arbiter"), "ana", true, noon); !errors.Is(err, club.ErrNotAllowed) {
		t.Errorf("an arbiter answers: %v", err)
	}
	err := errors.Join(r.Answer(account("organizer"), "ana", true, noon), r.Answer(account("owner"), "bob", false, noon), r.Unask(account("cyn")))
	if err != nil || r.RoleOf("ana") != club.Member || r.RoleOf("bob") != 0 || len(r.Requests) != 0 {
		t.Errorf("%v, %+v", err, r)
	}
	if err := errors.Join(r.Answer(account("owner"), "bob", true, noon)); !errors.Is(err, club.ErrNoRequest) {
		t.Errorf("a request that is gone: %v", err)
	}
	if err := r.Unask(account("bob")); !errors.Is(err, club.ErrNoRequest) {
		t.Errorf("taking back nothing: %v", err)
	}
}

func TestBansByRank(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		by     player.Viewer
		whom   player.ID
		reason string
		until  time.Time
		err    error
	}{
		{"an organizer bans a member", account("organizer"), "member", "rude", time.Time{}, nil},
		{"for a time", account("organizer"), "member", "rude", noon.Add(time.Hour), nil},
		{"and a stranger", account("organizer"), "stranger", "spam", time.Time{}, nil},
		{"but no owner", account("organizer"), "owner", "power", time.Time{}, club.ErrNotAllowed},
		{"nor himself", account("organizer"), "organizer", "shame", time.Time{}, club.ErrNotAllowed},
		{"an owner bans an organizer", account("owner"), "organizer", "rude", time.Time{}, nil},
		{"the site's operator too", operator, "organizer", "rude", time.Time{}, nil},
		{"an arbiter bans nobody", account("arbiter"), "member", "rude", time.Time{}, club.ErrNotAllowed},
		{"a reason is due", account("owner"), "member", " ", time.Time{}, club.ErrReason},
		{"an end lies ahead", account("owner"), "member", "rude", noon, club.ErrUntil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := dragons(club.ByRequest)
			r.Requests = []club.Request{{Player: "stranger"}}
			err := r.Ban(test.by, test.whom, test.reason, test.until, noon)
			if !errors.Is(err, test.err) {
				t.Fatal(err)
			}
			_, banned := r.BanOf(test.whom, noon)
			if banned != (err == nil) || banned && (r.RoleOf(test.whom) != 0 || r.HasAsked(test.whom)) {
				t.Errorf("banned: %v; %+v", banned, r)
			}
			if err != nil {
				return
			}
			if err := r.Unban(account("owner"), test.whom); err != nil || len(r.Bans) != 0 {
				t.Errorf("lifted: %v, %+v", err, r.Bans)
			}
		})
	}
	r := dragons(club.Open)
	if err := errors.Join(r.Unban(account("owner"), "nobody")); !errors.Is(err, club.ErrNoBan) {
		t.Errorf("%v", err)
	}
	if err := r.Expel(account("organizer"), "arbiter"); err != nil || r.RoleOf("arbiter") != 0 {
		t.Errorf("expelled: %v", err)
	}
	if err := r.Expel(account("organizer"), "stranger"); !errors.Is(err, club.ErrNoMember) {
		t.Errorf("a stranger expelled: %v", err)
	}
}

func TestTheLastOwnerStays(t *testing.T) {
	t.Parallel()
	r := dragons(club.Open)
	if err := r.Leave(account("owner")); !errors.Is(err, club.ErrLastOwner) {
		t.Errorf("the only owner left: %v", err)
	}
	if err := r.SetRole(account("owner"), "owner", club.Member); !errors.Is(err, club.ErrLastOwner) {
		t.Errorf("the only owner stepped down: %v", err)
	}
	if err := r.SetRole(account("owner"), "member", club.Owner); err != nil {
		t.Fatal(err)
	}
	if err := r.Leave(account("owner")); err != nil {
		t.Errorf("one of two owners left: %v", err)
	}
	if err := r.SetRole(account("organizer"), "arbiter", club.Organizer); !errors.Is(err, club.ErrNotAllowed) {
		t.Errorf("an organizer gave roles: %v", err)
	}
	if err := r.SetRole(account("member"), "owner", club.Arbiter); !errors.Is(err, club.ErrNoMember) {
		t.Errorf("a role for who has left: %v", err)
	}
}

// TestAnOwnerAlwaysRemains: whatever people do in whatever order, the club has an
// owner, nobody stands in it twice, and nobody is at once a member and banned or
// waiting.
func TestAnOwnerAlwaysRemains(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := dragons(rapid.SampledFrom(club.Joinings).Draw(t, "joining"))
		r.Code = "abc"
		who := rapid.SampledFrom([]string{"owner", "organizer", "arbiter", "member", "x", "y"})
		for range rapid.IntRange(1, 40).Draw(t, "acts") {
			by, of := account(who.Draw(t, "by")), player.ID(who.Draw(t, "of"))
			switch rapid.IntRange(0, 7).Draw(t, "act") {
			case 0:
				_, _ = r.Join(by, "abc", "", noon)
			case 1:
				_ = r.Leave(by)
			case 2:
				_ = r.SetRole(by, of, rapid.SampledFrom(club.Roles).Draw(t, "role"))
			case 3:
				_ = r.Ban(by, of, "why", time.Time{}, noon)
			case 4:
				_ = r.Expel(by, of)
			case 5:
				_ = r.Answer(by, of, rapid.Bool().Draw(t, "admit"), noon)
			case 6:
				_ = r.Unban(by, of)
			case 7:
				_ = r.Change(by, r.Name, "", rapid.SampledFrom(club.Joinings).Draw(t, "change"))
			}
			if problem := fault(r); problem != "" {
				t.Fatalf("%s: %+v", problem, r)
			}
		}
	})
}

func fault(r club.Roster) string {
	owners, seen := 0, map[player.ID]bool{}
	for _, m := range r.Members {
		if m.Role == club.Owner {
			owners++
		}
		_, banned := r.BanOf(m.Player, noon)
		if seen[m.Player] || banned || r.HasAsked(m.Player) {
			return fmt.Sprintf("%s stands in it twice", m.Player)
		}
		seen[m.Player] = true
	}
	if owners == 0 {
		return "no owner"
	}
	return ""
}

func TestCodesAreReadable(t *testing.T) {
	t.Parallel()
	n := 0
	code := club.NewCode(func(below int) int { n++; return (n * 7) % below })
	if len(code) != 11 || code[5] != '-' || strings.ContainsAny(code, "01ilo") {
		t.Errorf("%q", code)
	}
}
