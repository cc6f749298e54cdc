package web_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// fideList is FIDE's list with some players among thousands of others.
func fideList(others int, lines ...[3]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-15s%-61s%s\r\n", "ID Number", "Name", "Fed Sex Tit  WTit OTit           FOA NOV26 Gms K  B-day Flag")
	line := func(id, name, points string) {
		fmt.Fprintf(&b, "%-15s%-61s%-37s%-6s%-4s%-3s1999  \r\n", id, name, "UKR M", points, "3", "20")
	}
	for i := range others {
		line(fmt.Sprint(20_000_000+i), fmt.Sprintf("Stranger, Number%d", i), "1700")
	}
	for _, l := range lines {
		line(l[0], l[1], l[2])
	}
	return b.String()
}

// TestFIDEsListIsImportedForThoseItMeans: by number, else by a name that one player here and one line have. It is longer than
// what is kept of a request, comes packed or not, and nothing changes before a look.
func TestFIDEsListIsImportedForThoseItMeans(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	host := n.host
	boss := n.as(n.account("boss", player.Operator), lang.English)
	profile := func(handle string, name, fide string) {
		form := append(with(openProfile, "name", name), "fide", fide)
		n.as(n.players[handle], lang.English).post("/settings/profile", form...).want(http.StatusOK)
	}
	profile("anna", "Анна Коваль", "14100001") // in the list under a name she has no longer
	profile("borys", "Борис Гудзь", "")
	profile("clara", "Clara Ivanenko", "14100009") // another number than her namesake's
	profile("danylo", "Same Name", "")
	owner := n.viewer("Olena")
	path, _ := n.opened(nil)
	event := strings.TrimPrefix(path, "/tournaments/")
	n.write(func(tx *store.Tx) error {
		dragons := club.New("dragons", "Dragons", "", owner.ID, n.clock.Now())
		for _, who := range []string{"borys", "clara"} {
			dragons.Members = append(dragons.Members, club.Membership{Club: "dragons", Player: n.players[who].ID, Role: club.Member})
		}
		if err := tx.AddClub(dragons); err != nil {
			return err
		}
		for id, name := range map[string]string{"daria": "Дар'я Лисенко", "other": "Name Same"} {
			guest := player.Player{ID: player.ID(id), Handle: player.Handle(id), Role: player.Plain, Unclaimed: true}
			if err := tx.AddPlayer(guest, ""); err != nil {
				return err
			}
			known := club.Guest{Player: guest.ID, Club: "dragons", Tournament: event, Name: name, Made: n.clock.Now()}
			if err := tx.AddClubGuest(known); err != nil {
				return err
			}
		}
		return nil
	})
	text := fideList(6000, [3]string{"14100001", "Petrenko, Anna", "2011"}, [3]string{"14100002", "Hudz, Borys", "1822"},
		[3]string{"14100003", "Ivanenko, Clara", "1500"}, [3]string{"14100004", "Same, Name", "1600"},
		[3]string{"14100005", "Lysenko, Daria", "1711"},
		[3]string{"14100006", "Koval, Anna", "1400"})
	if len(text) < 600<<10 {
		t.Fatalf("the list has %d bytes, which is not long", len(text))
	}
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	if w, err := z.Create("standard_rating_list.txt"); err != nil {
		t.Fatal(err)
	} else if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	const at = "/ratings/pools/main/import"
	n.upload(at, "list.txt", text).want(http.StatusForbidden)
	n.host = boss
	var look page
	for name, body := range map[string]string{"list.txt": text, "list.zip": zipped.String() + strings.Repeat("\x00", 600<<10)} {
		look = n.upload(at, name, body).want(http.StatusOK).wants("header", "anna").wants("header", "borys").wants("header", "daria").
			wantsNo("header", "clara").wantsNo("header", "danylo").shows("Petrenko, Anna").shows("Lines with a rating: 6,006").shows("left out: 6,003").
			shows("Stranger, Number7").shows("“Same, Name”: several").wants("button", "Import")
	}
	boss.get("/ratings").wantsNo("header", "borys")
	boss.post(at, "text", look.field("text"), "confirm", "1").want(http.StatusOK).wants("header", "borys").wants("header", "daria")
	ratings := map[player.ID]store.Rating{}
	n.write(func(tx *store.Tx) (err error) {
		ratings, err = tx.Ratings(n.players["anna"].ID, n.players["borys"].ID)
		return err
	})
	a, b := ratings[n.players["anna"].ID], ratings[n.players["borys"].ID]
	if a.Rating != rating.Points(2011) || a.Games != 30 || b.Rating != rating.Points(1822) {
		t.Errorf("%+v, %+v", a, b)
	}
	n.upload(at, "list.csv", "handle,rating\n"+strings.Repeat("anna,1500\n", 60_000)).want(http.StatusUnprocessableEntity).
		wants("alert", "too long")

	// A club gives ratings to those it knows, by names that are for clubs to see.
	n.host = host
	own := host.post("/ratings/pools?club=dragons", rules("name", "Dragons")...).want(http.StatusOK)
	var id rating.PoolID
	n.write(func(tx *store.Tx) error {
		pools, err := tx.RatingPoolsOf("dragons")
		if err == nil {
			id = pools[0].ID
		}
		return err
	})
	n.as(n.players["clara"], lang.English).post("/settings/profile", with(openProfile, "name", "Clara Ivanenko", "see-profile", "nobody")...).
		want(http.StatusOK)
	list := "name;fide id;rating\nГудзь Борис;;1700\nClara Ivanenko;;1500\n" +
		"Анна Коваль;14100001;1500\nДар’я Лисенко;;1650\n"
	host.post("/ratings/pools/"+string(id)+"/import", "text", list).want(http.StatusOK).
		wants("header", "borys").wants("header", "daria").
		wantsNo("header", "anna").wantsNo("header", "clara").shows("“Clara Ivanenko”: nobody here").shows("left out: 2")
	own.wants("heading", "Dragons")
}

func TestAFIDEIDIsANumber(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	anna := s.as(s.account("anna", player.Plain), lang.English)
	for _, bad := range []string{"14x", "123456789012", "-5"} {
		anna.post("/settings/profile", append(with(openProfile), "fide", bad)...).want(http.StatusUnprocessableEntity).
			shows("digits only")
	}
	anna.post("/settings/profile", append(with(openProfile), "fide", " 14100001 ")...).want(http.StatusOK)
	anna.get("/players/anna").shows("FIDE ID").shows("14100001")
	anna.post("/settings/profile", append(with(openProfile, "see-profile", "nobody"), "fide", "14100001")...).want(http.StatusOK)
	s.browser(lang.English).get("/players/anna").want(http.StatusOK).saysNot("14100001")
}
