package fairplay

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) attestationRoutes() []page.Route {
	return []page.Route{
		page.Get("/attestations", s.attestations, page.Anyone),
		page.Get("/attestations/mine", s.myAttestations, page.SignedIn),
		page.Post("/attestations/issuers", s.certify, page.SignedIn),
		page.Post("/attestations/issuers/:issuer/revoke", s.revokeIssuer, page.SignedIn),
		page.Get("/attestations/issuers/:issuer", s.attestForm, page.SignedIn),
		page.Post("/attestations/issuers/:issuer", s.attest, page.SignedIn),
		page.Post("/attestations/:id/revoke", s.revokeAttestation, page.SignedIn),
	}
}

// shownAttestations limits the attestations on a page.
const shownAttestations = 1000

// attestations shows all viewers who attested whom.
func (s pages) attestations(c echo.Context) error {
	return s.showAttestations(c, http.StatusOK, fairplayview.CertifyForm{})
}

func (s pages) showAttestations(c echo.Context, status int, form fairplayview.CertifyForm) error {
	p, by, now := s.Printer(c), page.Viewer(c), s.Now()
	v, err := s.Arbiter.Persons.Vouching(c.Request().Context(), by, shownAttestations)
	if err != nil {
		return err
	}
	people, clubs, err := s.vouchedNames(c, v)
	if err != nil {
		return err
	}
	view := fairplayview.AttestationsView{Certify: form}
	for _, i := range issuersInOrder(v.Web) {
		line := fairplayview.IssuerLine{
			Name: i.Name, Since: p.Day(i.Since), IsLive: v.Web.IsLive(i.ID, now),
		}
		if i.ID == vouch.SiteIssuer {
			line.Since = ""
		}
		if i.Club != "" {
			line.URL = "/clubs/" + i.Club
		}
		if !i.Revoked.IsZero() {
			line.Revoked = p.T("attest.revoked", "When", p.Day(i.Revoked.At), "Why", p.T("attest.code."+string(i.Revoked.Code)))
		}
		for _, a := range v.Web.Attestations {
			if a.Issuer == i.ID && v.Web.Counts(a, now) {
				line.Words++
			}
		}
		if slices.ContainsFunc(v.Mine, func(m vouch.Issuer) bool { return m.ID == i.ID }) {
			line.Speak = "/attestations/issuers/" + string(i.ID)
		}
		if i.Revoked.IsZero() && i.ID != vouch.SiteIssuer && by.MayOperate() {
			line.Revoke = "/attestations/issuers/" + string(i.ID) + "/revoke"
		}
		view.Issuers = append(view.Issuers, line)
	}
	for _, a := range slices.Backward(v.Web.Attestations) {
		l := s.wordLine(c, v.Web, a)
		l.Player, l.PlayerURL = string(people[a.Player].Handle), words.PlayerURL(people[a.Player].Handle)
		l.Guardian = a.Guardian && by.MayOperate()
		view.Words = append(view.Words, l)
	}
	for _, group := range v.Persons {
		var handles []string
		for _, id := range group {
			handles = append(handles, string(people[id].Handle))
		}
		view.Persons = append(view.Persons, strings.Join(handles, ", "))
	}
	view.Clubs = clubs
	sh := s.Shell(c, p.T("attest.title"))
	sh.Section, sh.Wide = "players", true
	return s.Render(c, status, fairplayview.AttestationsPage(sh, view))
}

// issuersInOrder returns the issuers by name, the site first.
func issuersInOrder(w vouch.Web) []vouch.Issuer {
	return slices.SortedFunc(maps.Values(w.Issuers), func(a, b vouch.Issuer) int {
		if a.ID == vouch.SiteIssuer || b.ID == vouch.SiteIssuer {
			return cmp.Compare(len(a.Club), len(b.Club))
		}
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(string(a.ID), string(b.ID)))
	})
}

// vouchedNames returns the people in the web of trust and, for operators, the clubs that do not vouch yet.
func (s pages) vouchedNames(c echo.Context, v persons.Vouching) (people map[player.ID]player.Player, clubs []templates.Choice, err error) {
	var ids []player.ID
	for _, a := range v.Web.Attestations {
		ids = append(ids, a.Player)
	}
	for _, group := range v.Persons {
		ids = append(ids, group...)
	}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		if people, err = tx.Players(ids...); err != nil || !page.Viewer(c).MayOperate() {
			return err
		}
		vouch := map[string]bool{}
		for _, i := range v.Web.Issuers {
			vouch[i.Club] = vouch[i.Club] || i.Revoked.IsZero()
		}
		lines, _, err := tx.Clubs()
		for _, l := range lines {
			if !vouch[string(l.ID)] {
				clubs = append(clubs, templates.Choice{Value: string(l.ID), Text: l.Name})
			}
		}
		return err
	})
	return people, clubs, err
}

// wordLine returns the line of an attestation, without its player.
func (s pages) wordLine(c echo.Context, w vouch.Web, a vouch.Attestation) fairplayview.WordLine {
	p, now := s.Printer(c), s.Now()
	l := fairplayview.WordLine{
		Issuer: w.Issuers[a.Issuer].Name, Kind: p.T("attest.word." + string(a.Kind)), How: p.T("attest.how." + string(a.How)),
		Issued: p.Day(a.Issued), Expires: p.Day(a.Expires), Note: a.Note, Counts: w.Counts(a, now),
	}
	switch {
	case !a.Revoked.IsZero():
		l.State = p.T("attest.revoked", "When", p.Day(a.Revoked.At), "Why", p.T("attest.code."+string(a.Revoked.Code)))
	case !now.Before(a.Expires):
		l.State = p.T("attest.expired")
	case !l.Counts:
		l.State = p.T("attest.issuer-revoked")
	}
	return l
}

// myAttestations shows who has vouched for the viewer.
func (s pages) myAttestations(c echo.Context) error {
	p := s.Printer(c)
	about, v, err := s.wordsAbout(c)
	if err != nil {
		return err
	}
	view := fairplayview.MyAttestationsView{}
	for _, a := range slices.Backward(about) {
		l := s.wordLine(c, v.Web, a)
		l.Guardian = a.Guardian
		view.Words = append(view.Words, l)
	}
	for _, i := range v.Mine {
		view.Speak = append(view.Speak, templates.Link{Text: i.Name, URL: "/attestations/issuers/" + string(i.ID)})
	}
	return s.Render(c, http.StatusOK, fairplayview.MyAttestationsPage(s.Shell(c, p.T("attest.mine")), view))
}

// wordsAbout returns the attestations of the viewer, the first first, and who can vouch.
func (s pages) wordsAbout(c echo.Context) (about []vouch.Attestation, v persons.Vouching, err error) {
	by := page.Viewer(c)
	if v, err = s.Arbiter.Persons.Vouching(c.Request().Context(), by, shownAttestations); err != nil {
		return nil, v, err
	}
	about, err = store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) ([]vouch.Attestation, error) {
		return tx.AttestationsAbout(by.ID)
	})
	return about, v, err
}

func (s pages) certify(c echo.Context) error {
	form := fairplayview.CertifyForm{Club: c.FormValue("club")}
	_, err := s.Arbiter.Persons.Certify(c.Request().Context(), page.Viewer(c), club.ID(form.Club))
	if err != nil {
		if status, isTold := page.InPlace(err, http.StatusForbidden); isTold {
			form.Problem = page.TextOf(s.Printer(c), err)
			return s.showAttestations(c, status, form)
		}
		return err
	}
	return s.Redirect(c, "/attestations", "flash.saved")
}

func (s pages) revokeIssuer(c echo.Context) error {
	code, err := revocationCode(c)
	if err != nil {
		return err
	}
	if err := s.Arbiter.Persons.RevokeIssuer(c.Request().Context(), page.Viewer(c), vouch.IssuerID(c.Param("issuer")), code); err != nil {
		return err
	}
	return s.Redirect(c, "/attestations", "flash.saved")
}

func (s pages) revokeAttestation(c echo.Context) error {
	code, err := revocationCode(c)
	if err != nil {
		return err
	}
	if err := s.Arbiter.Persons.Revoke(c.Request().Context(), page.Viewer(c), c.Param("id"), code); err != nil {
		return err
	}
	back := "/attestations"
	if issuer := c.FormValue("issuer"); issuer != "" && !strings.ContainsAny(issuer, "/?#\\") {
		back += "/issuers/" + issuer
	}
	return s.Redirect(c, back, "flash.saved")
}

func revocationCode(c echo.Context) (fairplay.RevocationCode, error) {
	code := fairplay.RevocationCode(c.FormValue("code"))
	if !slices.Contains(fairplay.RevocationCodes, code) {
		return "", page.ErrBadRequest
	}
	return code, nil
}

func (s pages) attestForm(c echo.Context) error {
	return s.showAttest(c, http.StatusOK, fairplayview.AttestForm{Days: "365", Kind: string(vouch.Identity), How: string(vouch.InPerson)})
}

// showAttest renders the page on which the viewer attests for an issuer.
func (s pages) showAttest(c echo.Context, status int, form fairplayview.AttestForm) error {
	p, by := s.Printer(c), page.Viewer(c)
	v, err := s.Arbiter.Persons.Vouching(c.Request().Context(), by, shownAttestations)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(v.Mine, func(i vouch.Issuer) bool { return string(i.ID) == c.Param("issuer") })
	if i < 0 {
		return page.ErrForbidden
	}
	people, _, err := s.vouchedNames(c, v)
	if err != nil {
		return err
	}
	issuer := v.Mine[i]
	view := fairplayview.AttestView{Issuer: issuer.Name, Action: "/attestations/issuers/" + string(issuer.ID), Form: form}
	for _, k := range vouch.AttestationKinds {
		view.Kinds = append(view.Kinds, templates.Choice{Value: string(k), Text: p.T("attest.word." + string(k)), Chosen: form.Kind == string(k)})
	}
	for _, h := range vouch.AttestationHows {
		view.Hows = append(view.Hows, templates.Choice{Value: string(h), Text: p.T("attest.how." + string(h)), Chosen: form.How == string(h)})
	}
	for _, code := range fairplay.RevocationCodes[:3] {
		view.Codes = append(view.Codes, templates.Choice{Value: string(code), Text: p.T("attest.code." + string(code))})
	}
	for _, a := range slices.Backward(v.Web.Attestations) {
		if a.Issuer != issuer.ID {
			continue
		}
		l := s.wordLine(c, v.Web, a)
		l.Player, l.PlayerURL = string(people[a.Player].Handle), words.PlayerURL(people[a.Player].Handle)
		l.Guardian = a.Guardian
		if a.Revoked.IsZero() {
			l.Revoke, l.IssuerID = "/attestations/"+a.ID+"/revoke", string(issuer.ID)
		}
		view.Words = append(view.Words, l)
	}
	return s.Render(c, status, fairplayview.AttestPage(s.Shell(c, p.T("attest.speak", "Issuer", issuer.Name)), view))
}

func (s pages) attest(c echo.Context) error {
	form := fairplayview.AttestForm{
		Handle: words.Shorten(c.FormValue("handle"), 40), Kind: c.FormValue("kind"), How: c.FormValue("how"), Days: c.FormValue("days"),
		Note: strings.TrimSpace(c.FormValue("note")), Name: c.FormValue("name"), Born: c.FormValue("born"),
		Federation: c.FormValue("federation"), Guardian: c.FormValue("guardian") != "",
	}
	days, _ := strconv.Atoi(form.Days) // 0 is refused
	word := vouch.Attestation{Kind: vouch.Kind(form.Kind), How: vouch.How(form.How), Note: form.Note, Guardian: form.Guardian}
	_, err := s.Arbiter.Persons.Attest(c.Request().Context(), page.Viewer(c),
		persons.Word{Issuer: vouch.IssuerID(c.Param("issuer")), Handle: form.Handle, Says: word, Days: days,
			Person: persons.Person{Name: form.Name, Born: form.Born, Federation: form.Federation}})
	if err == nil {
		return s.Redirect(c, "/attestations/issuers/"+c.Param("issuer"), "flash.saved")
	}
	status, isTold := page.InPlace(err)
	if !isTold || errors.Is(err, page.ErrForbidden) {
		return err
	}
	form.Problem = page.TextOf(s.Printer(c), err)
	return s.showAttest(c, status, form)
}
