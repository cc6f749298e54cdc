package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// Every lesson's page is walked by its form to its end, and says why a wrong act is refused.
func TestLessonsAreWalkedByTheirPages(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	ends := []string{
		"do=raise&chips=3", "do=raise&chips=2&row=K&row=N&row=B&row=Q&row=K&row=B&row=N&row=D", "act=c5d7&act=d7b8", "act=d1d8&act=d8h8", "act=e4c4", "act=e4d5", "act=b5b4",
	}
	for _, l := range lang.All {
		b := s.browser(l)
		p := texts(l)
		b.get("/learn").want(http.StatusOK).wants("link", p.T("learn.start"))
		for i, end := range ends {
			at := "/learn/" + string(rune('1'+i))
			b.get(at).want(http.StatusOK)
			done := b.get(at + "?" + end).want(http.StatusOK)
			if i < len(ends)-1 {
				done.wants("link", p.T("learn.continue"))
			} else {
				done.wants("button", p.T("learn.play-pishak"))
			}
		}
		if list := b.get("/learn").want(http.StatusOK); strings.Count(list.body, "lesson-number done") != len(ends) {
			t.Errorf("%s: the browser has not kept what was done", l)
		}
		b.get("/learn/1?do=raise&chips=1").want(http.StatusUnprocessableEntity).wants("alert", p.T("learn.refused.bid", "Lead", 2, "Least", 3))
		b.get("/learn/1?do=call").want(http.StatusOK).wants("link", p.T("learn.again"))
		b.get("/learn/2?do=raise&chips=2&row=QQQQQQQQ").want(http.StatusUnprocessableEntity).wants("alert", p.T("learn.refused.row"))
		b.get("/learn/3?act=c5c7").want(http.StatusUnprocessableEntity).wants("alert", p.T("learn.refused.move"))
		b.get("/learn/8").want(http.StatusNotFound)
	}
}

func TestWhatWasLearnedStaysWithTheAccount(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	ivan := s.account("Ivan", player.Plain)
	s.as(ivan, lang.English).get("/learn/5?act=e4g4").want(http.StatusOK)
	elsewhere := s.as(ivan, lang.English).get("/learn").want(http.StatusOK)
	if strings.Count(elsewhere.body, "lesson-number done") != 1 {
		t.Error("another browser of the account does not know")
	}
}

// TestABrowserSaysInVainWhatNoLessonIs.
func TestABrowserSaysInVainWhatNoLessonIs(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	ivan := s.account("Ivan", player.Plain)
	b := s.as(ivan, lang.English)
	at, err := url.Parse(s.http.URL)
	if err != nil {
		t.Fatal(err)
	}
	b.client.Jar.SetCookies(at, []*http.Cookie{{Name: "learned", Value: "18446744073709551615", Path: "/"}})
	b.get("/learn/5?act=e4g4").want(http.StatusOK)
	var done uint64
	s.write(func(tx *store.Tx) (err error) {
		done, err = tx.Learned(ivan.ID)
		return err
	})
	if done != 1<<7-1 {
		t.Errorf("%b, not the seven lessons", done)
	}
}
