package fairplay

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) textOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /fair-play/text", page.Everyone, s.fairPlayText, "The fair-play text", "What people accept who play at Declared and above."),
		page.Act("POST /fair-play/text", player.ScopeChallenge, s.acceptText, "Accept the fair-play text",
			"For the person whose account it is, who has read it. Bots accept none."),
	}
}

func (s pages) attestationOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /attestations", page.Everyone, s.apiAttestations, "Who vouches for whom", "Issuers, and their latest attestations."),
		page.Op("GET /me/attestations", player.ScopeRead, s.ownAttestations, "Who has vouched for one", "The latest first."),
		page.Op("POST /attestations/issuers", player.ScopeOperate, s.apiCertify, "Let a club vouch",
			"From then on its people can attest.").Creates(),
		page.Act("POST /attestations/issuers/{issuer}/revocation", player.ScopeOperate, s.apiRevokeIssuer, "Take from a club that it vouches",
			"Everybody it attested is told."),
		page.Op("POST /attestations/issuers/{issuer}/attestations", player.ScopeOrganize, s.apiAttest, "Attest a player",
			"For those who speak for the issuer. Of name, birth and federation only a keyed hash is kept.").Creates(),
		page.Act("POST /attestations/{id}/revocation", player.ScopeOrganize, s.apiRevoke, "Revoke an attestation",
			"For those who speak for its issuer, and operators. The player is told."),
	}
}

type (
	textPath struct {
		Lang string `query:"lang,omitempty" doc:"in which language; English by itself" enum:"en,uk" example:"uk"`
	}
	apiFairPlayText struct {
		Version  int        `json:"version" doc:"of the text" example:"1"`
		Hash     string     `json:"hash" doc:"SHA-256 of it, for accepting it" example:"9c1185a5c5e9fc54"`
		Text     string     `json:"text" doc:"all of it" example:"We play ourselves."`
		Accepted *time.Time `json:"accepted" doc:"when the caller accepted this version; null: not yet"`
	}
	acceptIn struct {
		Hash string `json:"hash" doc:"of the text that was read" example:"9c1185a5c5e9fc54" max:"64"`
	}
	apiRevoked struct {
		At   time.Time `json:"at" doc:"since when"`
		Code string    `json:"code" doc:"why" enum:"error,fraud,left-club,issuer-revoked" example:"left-club"`
	}
	apiIssuer struct {
		ID      vouch.IssuerID `json:"id" doc:"who vouches" example:"6d4vnc8r2k0m"`
		Name    string         `json:"name" doc:"its name" example:"Chess school Lviv"`
		Club    *club.ID       `json:"club" doc:"which club it is; null: the site"`
		Mine    bool           `json:"mine" doc:"the caller may speak for it"`
		Revoked *apiRevoked    `json:"revoked" doc:"null: it vouches"`
	}
	apiAttestation struct {
		ID       string         `json:"id" doc:"the attestation" example:"2m7cyv4n9s1f"`
		Player   player.Handle  `json:"player" doc:"for whom"`
		Issuer   vouch.IssuerID `json:"issuer" doc:"who vouches" example:"6d4vnc8r2k0m"`
		Kind     string         `json:"kind" doc:"for what" enum:"identity,presence,strength" example:"identity"`
		How      string         `json:"how" doc:"how they know" enum:"in-person,video,federation-id" example:"in-person"`
		Issued   time.Time      `json:"issued" doc:"since when"`
		Expires  time.Time      `json:"expires" doc:"until when"`
		Note     string         `json:"note" doc:"what they add" example:"Seen at three tournaments"`
		Guardian bool           `json:"guardian,omitempty" doc:"a guardian agreed; for the player and operators"`
		Counts   bool           `json:"counts" doc:"it counts now"`
		Revoked  *apiRevoked    `json:"revoked" doc:"null: it was not"`
	}
	apiAttestations struct {
		Issuers      []apiIssuer      `json:"issuers" doc:"the site first"`
		Attestations []apiAttestation `json:"attestations" doc:"the latest first"`
		Next         *string          `json:"next" doc:"after of the rest; null at the end" example:"200"`
	}
	apiOwnAttestations struct {
		Attestations []apiAttestation `json:"attestations" doc:"the latest first"`
	}
	certifyIn struct {
		Club club.ID `json:"club" doc:"which club"`
	}
	issuerPath struct {
		Issuer vouch.IssuerID `path:"issuer" doc:"who vouches" example:"6d4vnc8r2k0m"`
	}
	revokeIssuerIn struct {
		issuerPath
		revocation
	}
	revokeIn struct {
		ID string `path:"id" doc:"the attestation" example:"2m7cyv4n9s1f"`
		revocation
	}
	revocation struct {
		Code string `json:"code" doc:"why" enum:"error,fraud,left-club,issuer-revoked" example:"left-club"`
	}
	attestIn struct {
		issuerPath
		Player     string `json:"player" doc:"whom, by handle" example:"anna"`
		Kind       string `json:"kind" doc:"what for" enum:"identity,presence,strength" example:"presence"`
		How        string `json:"how" doc:"how one knows" enum:"in-person,video,federation-id" example:"in-person"`
		Days       int    `json:"days" doc:"how long it holds" example:"365" min:"1" max:"400"`
		Note       string `json:"note,omitempty" doc:"everybody reads it" example:"Seen at three tournaments" max:"200"`
		Guardian   bool   `json:"guardian,omitempty" doc:"of a minor: a guardian agreed"`
		Name       string `json:"name,omitempty" doc:"identity: in their papers" example:"Anna Koval" max:"200"`
		Born       string `json:"born,omitempty" doc:"identity: their birthday" example:"1999-05-21" max:"10"`
		Federation string `json:"federation,omitempty" doc:"identity: their number in a federation" example:"14100001" max:"40"`
	}
)

func (s pages) fairPlayText(c echo.Context, in textPath) (out apiFairPlayText, err error) {
	l, ok := lang.Parse(in.Lang)
	if !ok {
		l = lang.English
	}
	text, _ := l.Long("fair-play")
	out = apiFairPlayText{Version: fairplay.TextVersion, Hash: words.FairPlayHash(l), Text: text}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		by := page.Viewer(c).ID
		accepted, err := tx.TextAccepted(by)
		out.Accepted = page.Optional(accepted[by])
		return err
	})
	return out, err
}

func (s pages) acceptText(ctx context.Context, by player.Viewer, in acceptIn) error {
	read, is := words.FairPlayIn(in.Hash)
	if !is {
		return page.BadValue("hash", "hash is that of the text as GET /fair-play/text answers it")
	}
	return s.Arbiter.Persons.AcceptText(ctx, by, string(read), in.Hash)
}

func revokedShown(r vouch.Revocation) *apiRevoked {
	if r.IsZero() {
		return nil
	}
	return &apiRevoked{r.At, string(r.Code)}
}

// apiWord is an attestation as programs read it; whole also says what only some may know.
func (s pages) apiWord(w vouch.Web, a vouch.Attestation, who player.Player, whole bool) apiAttestation {
	return apiAttestation{a.ID, who.Handle, a.Issuer, string(a.Kind), string(a.How), a.Issued, a.Expires, a.Note, a.Guardian && whole,
		w.Counts(a, s.Now()), revokedShown(a.Revoked)}
}

func (s pages) apiAttestations(c echo.Context, in page.Paged) (out apiAttestations, err error) {
	by := page.Viewer(c)
	v, err := s.Arbiter.Persons.Vouching(c.Request().Context(), by, shownAttestations)
	if err != nil {
		return out, err
	}
	people, _, err := s.vouchedNames(c, v)
	if err != nil {
		return out, err
	}
	mine := map[vouch.IssuerID]bool{}
	for _, i := range v.Mine {
		mine[i.ID] = true
	}
	for _, i := range issuersInOrder(v.Web) {
		out.Issuers = append(out.Issuers, apiIssuerOf(i, mine[i.ID]))
	}
	list := []apiAttestation{}
	for i := range v.Web.Attestations {
		a := v.Web.Attestations[len(v.Web.Attestations)-1-i]
		list = append(list, s.apiWord(v.Web, a, people[a.Player], by.MayOperate()))
	}
	out.Attestations, out.Next, err = page.PageOf(in, 200, list)
	return out, err
}

func apiIssuerOf(i vouch.Issuer, mine bool) apiIssuer {
	return apiIssuer{i.ID, i.Name, page.Optional(club.ID(i.Club)), mine, revokedShown(i.Revoked)}
}

func (s pages) ownAttestations(c echo.Context, _ noInput) (out apiOwnAttestations, err error) {
	by := page.Viewer(c)
	about, v, err := s.wordsAbout(c)
	out.Attestations = []apiAttestation{}
	for i := range about {
		out.Attestations = append(out.Attestations, s.apiWord(v.Web, about[len(about)-1-i], by.Player, true))
	}
	return out, err
}

func (s pages) apiCertify(c echo.Context, in certifyIn) (apiIssuer, error) {
	i, err := s.Arbiter.Persons.Certify(c.Request().Context(), page.Viewer(c), in.Club)
	return apiIssuerOf(i, false), err
}

func (s pages) apiRevokeIssuer(ctx context.Context, by player.Viewer, in revokeIssuerIn) error {
	return s.Arbiter.Persons.RevokeIssuer(ctx, by, in.Issuer, fairplay.RevocationCode(in.Code))
}

func (s pages) apiRevoke(ctx context.Context, by player.Viewer, in revokeIn) error {
	return s.Arbiter.Persons.Revoke(ctx, by, in.ID, fairplay.RevocationCode(in.Code))
}

func (s pages) apiAttest(c echo.Context, in attestIn) (out apiAttestation, err error) {
	ctx, by := c.Request().Context(), page.Viewer(c)
	word := vouch.Attestation{Kind: vouch.Kind(in.Kind), How: vouch.How(in.How), Note: in.Note, Guardian: in.Guardian}
	a, err := s.Arbiter.Persons.Attest(ctx, by, persons.Word{Issuer: in.Issuer, Handle: in.Player, Says: word, Days: in.Days,
		Person: persons.Person{Name: in.Name, Born: in.Born, Federation: in.Federation}})
	if err != nil {
		return out, err
	}
	v, err := s.Arbiter.Persons.Vouching(ctx, by, shownAttestations)
	if err != nil {
		return out, err
	}
	who, err := s.Arbiter.Account(ctx, in.Player)
	return s.apiWord(v.Web, a, who, true), err
}
