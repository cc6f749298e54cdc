package notice_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/notice"
)

// The example of Standard Webhooks.
func TestAMessageIsSignedAsTheConventionSays(t *testing.T) {
	t.Parallel()
	h := notice.Hook{Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}
	at := time.Unix(1614265330, 0)
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	if have := h.Signatures("msg_p5jXN8AQM9LWM0D4loKWxJek", at, []byte(`{"test": 2432232314}`)); have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	h = h.Rotated(notice.NewHookSecret(), at)
	both := strings.Fields(h.Signatures("msg_p5jXN8AQM9LWM0D4loKWxJek", at, []byte(`{"test": 2432232314}`)))
	if len(both) != 2 || both[0] == want || both[1] != want {
		t.Errorf("after a new secret: %v", both)
	}
	late := at.Add(notice.OldSecret)
	if one := strings.Fields(h.Signatures("msg", late, nil)); len(one) != 1 {
		t.Errorf("a day later: %v", one)
	}
}

func TestAddressesOfWebhooks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" https://example.org/x?y=1 ": "https://example.org/x?y=1", "http://10.0.0.1:8080/": "http://10.0.0.1:8080/",
		"ftp://example.org": "", "example.org": "", "https://": "", "https://a:b@example.org/": "", "https://example.org/#x": "",
		"javascript:alert(1)": "", "https://example.org/" + strings.Repeat("x", notice.MaxHookURL): "",
	} {
		have, err := notice.CheckHookURL(text)
		if want == "" && !errors.Is(err, notice.ErrHookURL) || want != "" && (err != nil || have != want) {
			t.Errorf("%q: %q, %v", text, have, err)
		}
	}
}

func TestAMessageIsSentAgainForADayAndAHalf(t *testing.T) {
	t.Parallel()
	total, tries := time.Duration(0), 1
	for wait, again := notice.HookAgain(tries); again; wait, again = notice.HookAgain(tries) {
		total += wait
		tries++
	}
	if tries != 8 || total < 34*time.Hour || total > 36*time.Hour {
		t.Errorf("%d tries in %v", tries, total)
	}
}
