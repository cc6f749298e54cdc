package assurance

import (
	"slices"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// SiteName is the name of the site among the issuers.
const SiteName = "Chpok"

// vouchersOf are the identity attestations of a player that count now.
func vouchersOf(w vouch.Web, now time.Time, id player.ID) (list []fairplay.Voucher) {
	for _, a := range w.Known(id, now) {
		list = append(list, fairplay.Voucher{By: a.By, Days: int(now.Sub(a.Issued) / (24 * time.Hour)), Issuer: w.Issuers[a.Issuer].Name})
	}
	return list
}

// TakenBack are, by seat, the attestations that counted for the players of a match when
// it opened and were revoked since.
func TakenBack(tx *store.Tx, head store.Head, now time.Time) (list [2][]fairplay.EndedWord, err error) {
	about, err := WebAbout(tx, head.Players[:]...)
	if err != nil {
		return list, err
	}
	for i, id := range head.Players {
		list[i] = about.TakenBack(id, head.OpenedAt, now)
	}
	return list, nil
}

// WebAbout is every attestation about some players, with their issuers. Its size depends on the players, not on the number of issuers.
func WebAbout(tx *store.Tx, ids ...player.ID) (w vouch.Web, err error) {
	if w.Attestations, err = tx.AttestationsAbout(ids...); err != nil {
		return w, err
	}
	var of []vouch.IssuerID
	for _, word := range w.Attestations {
		if word.Issuer != vouch.SiteIssuer && !slices.Contains(of, word.Issuer) {
			of = append(of, word.Issuer)
		}
	}
	if w.Issuers, err = tx.IssuersAmong(of...); err != nil {
		return w, err
	}
	w.Issuers[vouch.SiteIssuer] = vouch.Issuer{ID: vouch.SiteIssuer, Name: SiteName}
	return w, nil
}

// knownTo are the identity attestations of players that count now.
func knownTo(tx *store.Tx, now time.Time, ids ...player.ID) (map[player.ID][]fairplay.Voucher, error) {
	w, err := WebAbout(tx, ids...)
	if err != nil || len(w.Attestations) == 0 {
		return nil, err
	}
	about := map[player.ID][]vouch.Attestation{}
	for _, word := range w.Attestations {
		about[word.Player] = append(about[word.Player], word)
	}
	known := map[player.ID][]fairplay.Voucher{}
	for id, list := range about {
		known[id] = vouchersOf(vouch.Web{Issuers: w.Issuers, Attestations: list}, now, id)
	}
	return known, nil
}
