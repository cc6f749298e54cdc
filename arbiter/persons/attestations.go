package persons

import (
	"context"
	"crypto/ed25519"
	crand "crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// vouching is the web of attestations with the signing keys of its issuers.
type vouching struct {
	vouch.Web
	keys map[vouch.IssuerID]ed25519.PrivateKey
}

// vouchingOf reads the issuers; the caller adds the attestations.
func vouchingOf(tx *store.Tx, site ed25519.PrivateKey) (vouching, error) {
	issuers, keys, err := tx.Issuers()
	if err != nil {
		return vouching{}, err
	}
	root := vouch.Issuer{ID: vouch.SiteIssuer, Name: assurance.SiteName, Key: site.Public().(ed25519.PublicKey)}
	issuers[root.ID], keys[root.ID] = vouch.SignIssuer(root, site), site
	return vouching{vouch.Web{Issuers: issuers}, keys}, nil
}

// speaks reports whether somebody may speak for an issuer.
func speaks(tx *store.Tx, v player.Viewer, i vouch.Issuer) (bool, error) {
	if i.ID == vouch.SiteIssuer {
		return v.MayOperate(), nil
	}
	role, err := tx.ClubRole(v.ID, club.ID(i.Club))
	return club.May(v, role, club.ActVouch), err
}

// Vouching is what the attestation pages show.
type Vouching struct {
	Web     vouch.Web
	Mine    []vouch.Issuer // the viewer may speak for these
	Persons [][]player.ID  // accounts of the same person; for operators
}

// Vouching reads them with the newest attestations.
func (a *Office) Vouching(ctx context.Context, by player.Viewer, limit int) (v Vouching, err error) {
	site, err := a.SiteKey(ctx)
	if err != nil {
		return v, err
	}
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		w, err := vouchingOf(tx, site)
		if err != nil {
			return err
		}
		if w.Attestations, err = tx.AllAttestations(limit); err != nil {
			return err
		}
		v.Web = w.Web
		for _, i := range w.Issuers {
			if !i.Revoked.IsZero() || !by.IsSignedIn() {
				continue
			}
			may, err := speaks(tx, by, i)
			if err != nil {
				return err
			}
			if may {
				v.Mine = append(v.Mine, i)
			}
		}
		if by.MayOperate() {
			v.Persons, err = tx.SamePersons()
		}
		return err
	})
	return v, err
}

// KnownAs are the attestations that count about a player now, with their issuers.
func (a *Office) KnownAs(ctx context.Context,
	id player.ID) (list []vouch.Attestation, issuers map[vouch.IssuerID]vouch.Issuer, err error) {
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		w, err := assurance.WebAbout(tx, id)
		list, issuers = w.Known(id, a.Now()), w.Issuers
		return err
	})
	return list, issuers, err
}

// ClubWords are a club's attestations that count now.
type ClubWords struct {
	Issuer vouch.IssuerID // empty: the club is no issuer
	Speaks bool           // the viewer may speak for it
	Words  []vouch.Attestation
}

// WordsOf are the attestations of a club.
func (a *Office) WordsOf(ctx context.Context, by player.Viewer, of club.ID) (x ClubWords, err error) {
	site, err := a.SiteKey(ctx)
	if err != nil {
		return x, err
	}
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		w, err := vouchingOf(tx, site)
		if err != nil {
			return err
		}
		for _, i := range w.Issuers {
			if i.Club != string(of) || !i.Revoked.IsZero() {
				continue
			}
			x.Issuer = i.ID
			if by.IsSignedIn() {
				if x.Speaks, err = speaks(tx, by, i); err != nil {
					return err
				}
			}
			given, err := tx.AttestationsBy(i.ID, a.Now().Add(-vouch.MaxAttestationAge))
			if err != nil {
				return err
			}
			x.Words = slices.DeleteFunc(given, func(word vouch.Attestation) bool { return !w.Counts(word, a.Now()) })
		}
		return nil
	})
	return x, err
}

// The refusals of certifying and attesting.
var (
	ErrCertified = refusal.Conflict("attest.error.certified", "arbiter: the club may vouch already")
	ErrPerson    = refusal.Invalid("attest.error.person", "arbiter: name and date of birth required")
)

// Certify lets a club vouch: operators decide. Errors: ErrCertified, store.ErrNotFound.
func (a *Office) Certify(ctx context.Context, by player.Viewer, of club.ID) (vouch.Issuer, error) {
	if !by.MayOperate() {
		return vouch.Issuer{}, tournament.ErrNotAllowed
	}
	site, err := a.SiteKey(ctx)
	if err != nil {
		return vouch.Issuer{}, err
	}
	var seed [ed25519.SeedSize]byte
	crand.Read(seed[:])
	key := ed25519.NewKeyFromSeed(seed[:])
	i := vouch.Issuer{ID: vouch.IssuerID(store.NewID()), Club: string(of), Key: key.Public().(ed25519.PublicKey), Since: a.Now()}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		c, err := tx.Club(of)
		if err != nil {
			return err
		}
		i.Name = c.Name
		i = vouch.SignIssuer(i, site)
		return tx.AddIssuer(i, key)
	})
	if errors.Is(err, store.ErrTaken) {
		err = ErrCertified
	}
	return i, err
}

// Person is somebody's civil identity. It is never stored: see vouch.PersonMark.
type Person struct{ Name, Born, Federation string }

// Word is what an issuer says of a player, for how many days, and who in the world they are.
type Word struct {
	Issuer vouch.IssuerID
	Handle string
	Says   vouch.Attestation
	Days   int
	Person Person
}

// Attest stores an issuer's attestation about a player, valid for days. Of the person
// only a keyed hash is kept. Errors: those of vouch.Web.MayIssue and
// Attestation.Validate, ErrPerson, vouch.ErrGuardian, store.ErrNotFound.
func (a *Office) Attest(ctx context.Context, by player.Viewer, x Word) (vouch.Attestation, error) {
	issuer, word, who := x.Issuer, x.Says, x.Person
	site, err := a.SiteKey(ctx)
	if err != nil {
		return word, err
	}
	pepper, err := a.Pepper(ctx)
	if err != nil {
		return word, err
	}
	now := a.Now()
	if word.Kind == vouch.Identity {
		born, err := time.Parse(time.DateOnly, who.Born)
		if err != nil || strings.TrimSpace(who.Name) == "" {
			return word, ErrPerson
		}
		if vouch.IsMinor(born, now) && !word.Guardian {
			return word, vouch.ErrGuardian
		}
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		p, err := kernel.PlayerByHandle(tx, x.Handle)
		if err != nil {
			return err
		}
		if p.Bot {
			return fmt.Errorf("%w: a bot is nobody", vouch.ErrAttestation)
		}
		w, err := speaking(tx, site, by, issuer, p.ID, now)
		if err != nil {
			return err
		}
		word.ID, word.Player, word.Issuer, word.By = store.NewID(), p.ID, issuer, by.ID
		word.Issued, word.Expires = now, now.AddDate(0, 0, x.Days)
		if err := word.Validate(); err != nil {
			return err
		}
		word = vouch.SignAttestation(word, w.keys[issuer])
		if err := tx.AddAttestation(word); err != nil {
			return err
		}
		if err := renewed(tx, word); err != nil {
			return err
		}
		told := notice.Notice{To: p.ID, Kind: notice.AttestationGiven, Key: word.ID, URL: "/attestations/mine",
			Args: map[string]string{"By": w.Issuers[issuer].Name}}
		if err := a.Notify(tx, told); err != nil || word.Kind != vouch.Identity {
			return err
		}
		_, err = tx.AddPersonMark(vouch.PersonMark(pepper, who.Name, who.Born, who.Federation), p.ID, now)
		return err
	})
	return word, err
}

// renewed ends the warnings that what an attestation says is about to expire.
func renewed(tx *store.Tx, word vouch.Attestation) error {
	all, err := tx.AttestationsAbout(word.Player)
	if err != nil {
		return err
	}
	for _, before := range all {
		if before.ID != word.ID && before.Issuer == word.Issuer && before.Kind == word.Kind {
			if err := tx.EndNotices(notice.AttestationMatter, before.ID, word.Issued); err != nil {
				return err
			}
		}
	}
	return nil
}

// speaking is the web for somebody who speaks for an issuer about a player now, or why
// they may not: vouch.Web.MayIssue.
func speaking(tx *store.Tx, site ed25519.PrivateKey, by player.Viewer, issuer vouch.IssuerID, about player.ID,
	now time.Time) (vouching, error) {
	w, err := vouchingOf(tx, site)
	if err != nil {
		return w, err
	}
	if w.Attestations, err = tx.AttestationsAbout(by.ID); err != nil {
		return w, err
	}
	lately, err := tx.AttestationsBy(issuer, now.Add(-vouch.IssueWindow))
	if err != nil {
		return w, err
	}
	for _, word := range lately {
		if word.Player != by.ID { // already in
			w.Attestations = append(w.Attestations, word)
		}
	}
	may, err := speaks(tx, by, w.Issuers[issuer])
	if err != nil {
		return w, err
	}
	return w, w.MayIssue(issuer, by.ID, about, may, now)
}

// Revoke revokes an attestation: those who speak for its issuer may, and operators.
func (a *Office) Revoke(ctx context.Context, by player.Viewer, id string, code fairplay.RevocationCode) error {
	return a.revoke(ctx, func(tx *store.Tx, w vouching) error {
		word, err := tx.Attestation(id)
		if err != nil {
			return err
		}
		i := w.Issuers[word.Issuer]
		may, err := speaks(tx, by, i)
		if err != nil {
			return err
		}
		if !may && !by.MayOperate() {
			return tournament.ErrNotAllowed
		}
		r := vouch.SignRevocation(id, vouch.Revocation{At: a.Now(), By: by.ID, Code: code}, w.keys[i.ID])
		if err := tx.RevokeAttestation(id, r); err != nil {
			return err
		}
		if err := tx.EndNotices(notice.AttestationMatter, id, a.Now()); err != nil {
			return err
		}
		return a.Notify(tx, notice.Notice{
			To: word.Player, Kind: notice.AttestationRevoked, Key: id, URL: "/attestations/mine", Args: map[string]string{"By": i.Name},
		})
	})
}

// RevokeIssuer takes the right to vouch from a club: operators may. Everybody it attested
// is told.
func (a *Office) RevokeIssuer(ctx context.Context, by player.Viewer, id vouch.IssuerID, code fairplay.RevocationCode) error {
	if !by.MayOperate() {
		return tournament.ErrNotAllowed
	}
	return a.revoke(ctx, func(tx *store.Tx, w vouching) error {
		if _, known := w.Issuers[id]; !known || id == vouch.SiteIssuer {
			return store.ErrNotFound
		}
		given, err := tx.AttestationsBy(id, a.Now().Add(-vouch.MaxAttestationAge))
		if err != nil {
			return err
		}
		r := vouch.SignRevocation(string(id), vouch.Revocation{At: a.Now(), By: by.ID, Code: code}, w.keys[vouch.SiteIssuer])
		if err := tx.RevokeIssuer(id, r); err != nil {
			return err
		}
		var list []notice.Notice
		for _, word := range given {
			if err := tx.EndNotices(notice.AttestationMatter, word.ID, a.Now()); err != nil {
				return err
			}
			if w.Counts(word, a.Now()) {
				list = append(list, notice.Notice{To: word.Player, Kind: notice.AttestationRevoked, Key: word.ID, URL: "/attestations/mine",
					Args: map[string]string{"By": w.Issuers[id].Name}})
			}
		}
		return a.Notify(tx, list...)
	})
}

func (a *Office) revoke(ctx context.Context, f func(*store.Tx, vouching) error) error {
	site, err := a.SiteKey(ctx)
	if err != nil {
		return err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		w, err := vouchingOf(tx, site)
		if err != nil {
			return err
		}
		return f(tx, w)
	})
	if errors.Is(err, store.ErrConflict) {
		return vouch.ErrRevoked
	}
	return err
}

// warnBefore is how long before the expiry of an attestation its player is warned.
const warnBefore = 30 * 24 * time.Hour

// SweepAttestations warns players whose attestations expire soon, once each.
func (a *Office) SweepAttestations(ctx context.Context) error {
	now := a.Now()
	ending, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]vouch.Attestation, error) {
		return tx.EndingAttestations(now.Add(warnBefore), kernel.SweepSize)
	})
	if err != nil || len(ending) == 0 {
		return err
	}
	for _, word := range ending {
		err := a.Store.Write(ctx, func(tx *store.Tx) error {
			if err := tx.MarkWarned(word.ID, now); err != nil {
				return err
			}
			issuers, err := tx.IssuersAmong(word.Issuer)
			if err != nil {
				return err
			}
			name := issuers[word.Issuer].Name
			if word.Issuer == vouch.SiteIssuer {
				name = assurance.SiteName
			}
			return a.Notify(tx, notice.Notice{
				To: word.Player, Kind: notice.AttestationExpires, Key: word.ID, URL: "/attestations/mine", When: word.Expires, Until: word.Expires,
				Args: map[string]string{"By": name},
			})
		})
		if err != nil && !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return nil
}
