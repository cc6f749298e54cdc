package player_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
)

func TestHandles(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		ok       bool
	}{
		{"three letters are enough", "abc", true},
		{"two are not", "ab", false},
		{"twenty are allowed", strings.Repeat("a", 20), true},
		{"twenty-one are not", strings.Repeat("a", 21), false},
		{"digits, dash and underscore inside", "a-1_b", true},
		{"no dash at the start", "-abc", false},
		{"no underscore at the start", "_abc", false},
		{"a digit at the start is fine", "1abc", true},
		{"Cyrillic letters could look like Latin ones", "Оксана", false},
		{"no spaces inside", "a b c", false},
		{"spaces around are dropped", "  abc ", true},
		{"no path tricks", "a/../b", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h, err := player.ParseHandle(test.in)
			if (err == nil) != test.ok || (err != nil && !errors.Is(err, player.ErrHandle)) {
				t.Fatalf("%q: %v", test.in, err)
			}
			if test.ok && string(h) != strings.TrimSpace(test.in) {
				t.Errorf("%q became %q", test.in, h)
			}
		})
	}
	if player.Handle("OksanA").Key() != player.Handle("oksana").Key() {
		t.Error("case must not tell two handles apart")
	}
}

func FuzzParsedHandlesAreSafeInAddresses(f *testing.F) {
	f.Add("abc")
	f.Add("a%2f")
	f.Fuzz(func(t *testing.T, in string) {
		h, err := player.ParseHandle(in)
		if err == nil && strings.ContainsAny(string(h), "/?#%&<>\"' .\\\x00") {
			t.Errorf("%q", h)
		}
	})
}

func TestRolesReadBack(t *testing.T) {
	t.Parallel()
	for _, r := range player.Roles {
		if got, err := player.ParseRole(r.String()); err != nil || got != r {
			t.Errorf("%v: %v, %v", r, got, err)
		}
	}
	if _, err := player.ParseRole(""); !errors.Is(err, player.ErrRole) {
		t.Error("no word is no role")
	}
}

func TestWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	visitor := player.Viewer{}
	as := func(r player.Role) player.Viewer {
		return player.Viewer{Player: player.Player{ID: player.ID(r.String()), Role: r}}
	}
	tests := []struct {
		act                                 string
		may                                 func(player.Viewer) bool
		visitor, plain, organizer, operator bool
	}{
		{"play", player.Viewer.MayPlay, false, true, true, true},
		{"create a tournament", player.Viewer.MayCreateTournament, false, false, true, true},
		{"create a club", player.Viewer.MayCreateClub, false, false, true, true},
		{"run the site", player.Viewer.MayOperate, false, false, false, true},
		{"sign up where that is open", func(v player.Viewer) bool { return v.MaySignUp(true) }, true, false, false, false},
		{"sign up where that is closed", func(v player.Viewer) bool { return v.MaySignUp(false) }, false, false, false, false},
		{"make another one organizer", func(v player.Viewer) bool {
			return v.MaySetRole(player.Player{ID: "x", Role: player.Plain}, player.Organizer)
		}, false, false, false, true},
		{"change his own role", func(v player.Viewer) bool { return v.MaySetRole(v.Player, player.Plain) }, false, false, false, false},
		{"make a bot organizer", func(v player.Viewer) bool {
			return v.MaySetRole(player.Player{ID: "x", Bot: true}, player.Organizer)
		}, false, false, false, false},
	}
	for _, test := range tests {
		t.Run(test.act, func(t *testing.T) {
			t.Parallel()
			for _, who := range []struct {
				name   string
				viewer player.Viewer
				want   bool
			}{{"visitor", visitor, test.visitor}, {"player", as(player.Plain), test.plain}, {"organizer", as(player.Organizer), test.organizer}, {"operator", as(player.Operator), test.operator}} {
				if got := test.may(who.viewer); got != who.want {
					t.Errorf("%s: %v, want %v", who.name, got, who.want)
				}
			}
		})
	}
}

func TestPasswords(t *testing.T) {
	t.Parallel()
	c := player.HashPassword("чотири коні", [player.SaltBytes]byte{1})
	if strings.Contains(string(c), "коні") || !strings.HasPrefix(string(c), "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("stored as %s", c)
	}
	if !c.Matches("чотири коні") {
		t.Error("the right password must match")
	}
	for _, wrong := range []player.Credential{c[:len(c)-4], "", "$argon2id$v=19$m=1,t=0,p=1$AA$AA"} {
		if wrong.Matches("чотири коні") {
			t.Errorf("%q matches", wrong)
		}
	}
	if c.Matches("чотири коня") {
		t.Error("a wrong password matches")
	}
	if other := player.HashPassword("чотири коні", [player.SaltBytes]byte{2}); other == c {
		t.Error("the salt changes nothing")
	}
}

func TestPasswordsChosenBadly(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, password string
		want           error
	}{
		{"seven characters", "абвгґде", player.ErrPasswordShort},
		{"eight characters", "кленовий", nil},
		{"two hundred and one", strings.Repeat("ab", 100) + "c", player.ErrPasswordLong},
		{"the handle itself", "OKSANA12", player.ErrPasswordPlain},
		{"one character repeated", "aaaaaaaaaa", player.ErrPasswordPlain},
		{"digits in a row", "12345678", player.ErrPasswordMost},
		{"the word itself", "password", player.ErrPasswordMost},
		{"with a year", "Password2026!", player.ErrPasswordMost},
		{"digits for letters", "p@ssw0rd123", player.ErrPasswordMost},
		{"a row of keys", "qwertyuiop", player.ErrPasswordMost},
		{"two letters and a row of digits", "Aa123456", player.ErrPasswordMost},
		{"a bot's name and digits", "drakon12", player.ErrPasswordMost},
		{"the game's name and a year", "Chpok2026!", player.ErrPasswordMost},
		{"the game's name in Cyrillic letters", "шпок12345", player.ErrPasswordMost},
		{"the handle with other digits", "Oksana1987", player.ErrPasswordPlain},
		{"four letters of no word among digits", "kvlr-4071", nil},
		{"two columns of keys", "1qaz2wsx", player.ErrPasswordMost},
		{"backwards", "87654321", player.ErrPasswordMost},
		{"a date", "24.08.1991", player.ErrPasswordMost},
		{"a few signs again and again", "abcabcabc", player.ErrPasswordMost},
		{"twice a word", "dragondragon", player.ErrPasswordMost},
		{"in Ukrainian", "Україна1991", player.ErrPasswordMost},
		{"a row of Ukrainian keys", "йцукенгш", player.ErrPasswordMost},
		{"three and three of the alphabet", "abc123xyz", player.ErrPasswordMost},
		{"a word on the other keyboard", "gfhjkm123", player.ErrPasswordMost},
		{"dragon on the Ukrainian keyboard", "вкфпщт12", player.ErrPasswordMost},
		{"one character and another", "aaaaaaa1", player.ErrPasswordMost},
		{"two pairs", "ааааббbb", player.ErrPasswordMost},
		{"two rows, one in the other", "a1b2c3d4", player.ErrPasswordMost},
		{"two common words", "СлаваУкраїні", player.ErrPasswordMost},
		{"a game and a year", "Шахи2024", player.ErrPasswordMost},
		{"a first name and a year", "Maksym2010", player.ErrPasswordMost},
		{"a first name in Cyrillic letters", "Андрій85", player.ErrPasswordMost},
		{"the handle's letters twice", "oksana-Oksana", player.ErrPasswordPlain},
		{"a telephone", "+380501234567", player.ErrPasswordMost},
		{"a common word among others", "dragon under the bridge", nil},
		{"chance", "kf83hdlw", nil},
		{"in Ukrainian, of one's own", "сім кленів у дворі", nil},
	}
	for _, test := range tests {
		if err := player.CheckPassword(test.password, "oksana12"); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
}

func TestSessionsRunOutThirtyDaysAfterLastUse(t *testing.T) {
	t.Parallel()
	used := time.Unix(1_800_000_000, 0)
	s := player.Session{Created: used, Used: used}
	if s.IsOver(used.Add(30 * 24 * time.Hour)) {
		t.Error("over on the thirtieth day")
	}
	if !s.IsOver(used.Add(30*24*time.Hour + time.Second)) {
		t.Error("not over after it")
	}
	s.Used = used.Add(180 * 24 * time.Hour) // used every day
	if s.IsOver(s.Used) || !s.IsOver(s.Used.Add(time.Second)) {
		t.Error("a session ends half a year after its beginning, however much it is used")
	}
}

func TestNobodyTakesTheHandleOfAGuestOrAGhost(t *testing.T) {
	t.Parallel()
	for text, free := range map[string]bool{"deleted-7": false, "Deleted-x": false, "guest-1234": false, "deleted": true, "anna": true} {
		if _, err := player.ParseNewHandle(text); (err == nil) != free {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := player.ParseHandle(text); err != nil {
			t.Errorf("%s cannot be looked up: %v", text, err)
		}
	}
}
