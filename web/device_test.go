package web_test

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-webauthn/webauthn/protocol/webauthncbor"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

// device is an authenticator in software: one key for one account at one site.
type device struct {
	t        testing.TB
	origin   string
	claims   string // the origin that the browser names; empty: the same
	verifies bool   // it makes sure who holds it
	counts   bool
	syncs    bool // its key may be copied to other devices (BE)
	id       []byte
	key      *ecdsa.PrivateKey
	handle   string // of the account, as the site named it
	count    uint32
}

func newDevice(t testing.TB, origin string) *device {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 16)
	rand.Read(id)
	return &device{t: t, origin: origin, verifies: true, counts: true, id: id, key: key}
}

func raw64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// data is the authenticator data: for whom, what the device did, its count.
func (d *device) data(attested []byte) []byte {
	u, err := url.Parse(d.origin)
	if err != nil {
		d.t.Fatal(err)
	}
	site := sha256.Sum256([]byte(u.Hostname()))
	flags := byte(1) // somebody was there
	if d.verifies {
		flags |= 4
	}
	if d.syncs {
		flags |= 8
	}
	if attested != nil {
		flags |= 64
	}
	if d.counts {
		d.count++
	}
	out := append(site[:], flags)
	out = binary.BigEndian.AppendUint32(out, d.count)
	return append(out, attested...)
}

func (d *device) client(kind, challenge string) []byte {
	out, err := json.Marshal(map[string]any{"type": "webauthn." + kind, "challenge": challenge, "origin": cmp.Or(d.claims, d.origin), "crossOrigin": false})
	if err != nil {
		d.t.Fatal(err)
	}
	return out
}

// create answers what navigator.credentials.create would.
func (d *device) create(options json.RawMessage) string {
	d.t.Helper()
	var o struct {
		Challenge string
		User      struct{ ID string }
	}
	if err := json.Unmarshal(options, &o); err != nil {
		d.t.Fatal(err)
	}
	d.handle = o.User.ID
	point, err := d.key.PublicKey.Bytes()
	if err != nil {
		d.t.Fatal(err)
	}
	cose, err := webauthncbor.Marshal(map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]})
	if err != nil {
		d.t.Fatal(err)
	}
	attested := make([]byte, 16, 200) // the make is not told
	attested = binary.BigEndian.AppendUint16(attested, uint16(len(d.id)))
	attested = append(append(attested, d.id...), cose...)
	object, err := webauthncbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": d.data(attested)})
	if err != nil {
		d.t.Fatal(err)
	}
	return d.answer(map[string]any{"clientDataJSON": raw64(d.client("create", o.Challenge)), "attestationObject": raw64(object)})
}

// get answers what navigator.credentials.get would.
func (d *device) get(options json.RawMessage) string {
	d.t.Helper()
	var o struct{ Challenge string }
	if err := json.Unmarshal(options, &o); err != nil {
		d.t.Fatal(err)
	}
	data, client := d.data(nil), d.client("get", o.Challenge)
	hash := sha256.Sum256(client)
	sum := sha256.Sum256(append(append([]byte{}, data...), hash[:]...))
	sig, err := ecdsa.SignASN1(rand.Reader, d.key, sum[:])
	if err != nil {
		d.t.Fatal(err)
	}
	return d.answer(map[string]any{"clientDataJSON": raw64(client), "authenticatorData": raw64(data), "signature": raw64(sig), "userHandle": d.handle})
}

func (d *device) answer(response map[string]any) string {
	out, err := json.Marshal(map[string]any{"id": raw64(d.id), "rawId": raw64(d.id), "type": "public-key", "response": response, "clientExtensionResults": map[string]any{}})
	if err != nil {
		d.t.Fatal(err)
	}
	return string(out)
}

// options is what a page is told to ask the device.
func (b *browser) options(path string, status int, pairs ...string) json.RawMessage {
	b.site.t.Helper()
	var told struct{ Options json.RawMessage }
	p := b.post(path, pairs...).want(status)
	if status != http.StatusOK {
		return nil
	}
	if err := json.Unmarshal([]byte(p.body), &told); err != nil {
		b.site.t.Fatal(err)
	}
	return told.Options
}

// enrol makes a passkey on an account.
func (b *browser) enrol(d *device, password string) {
	b.site.t.Helper()
	options := b.options("/settings/passkeys/options", http.StatusOK, "password", password)
	b.post("/settings/passkeys", "name", "phone", "answer", d.create(options)).want(http.StatusOK).says("phone")
}

// signer is a page that was checked in.
type signer struct {
	g       *verified
	seat    int
	browser *browser
	key     *ecdsa.PrivateKey
}

func (g *verified) page(seat int, b *browser) *signer {
	g.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		g.t.Fatal(err)
	}
	return &signer{g, seat, b, key}
}

func (p *signer) public() string {
	point, err := p.key.PublicKey.Bytes()
	if err != nil {
		p.g.t.Fatal(err)
	}
	return raw64(point)
}

// checkIn checks the page in with its player's device.
func (p *signer) checkIn() page {
	p.g.t.Helper()
	options := p.browser.options(p.g.url()+"/check-in/options", http.StatusOK, "key", p.public())
	return p.browser.post(p.g.url()+"/check-in", "answer", p.g.devices[p.seat].get(options))
}

// sign is the form of a command with its signature.
func (p *signer) sign(pairs ...string) []string {
	p.g.t.Helper()
	s := p.g.state()
	chain, err := fairplay.Chain(s.History())
	if err != nil {
		p.g.t.Fatal(err)
	}
	form := url.Values{"seq": {strconv.FormatInt(s.Seq(), 10)}}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	act := fairplay.Act{Match: p.g.id, Seq: s.Seq(), Chain: chain, Fields: fairplay.CanonicalFields(form)}
	sum := sha256.Sum256(act.Message())
	r, t, err := ecdsa.Sign(rand.Reader, p.key, sum[:])
	if err != nil {
		p.g.t.Fatal(err)
	}
	sig := append(r.FillBytes(make([]byte, 32)), t.FillBytes(make([]byte, 32))...)
	out := []string{"sig", raw64(sig)}
	for name, values := range form {
		for _, v := range values {
			out = append(out, name, v)
		}
	}
	return out
}

// act sends a signed command.
func (p *signer) act(pairs ...string) page {
	p.g.t.Helper()
	return p.browser.post(p.g.url()+"/commands", p.sign(pairs...)...)
}

// verified is a club night with one match at Verified that waits for its players,
// of whom everybody has what is demanded.
type verified struct {
	*guarded
	devices [2]*device
	pages   [2]*signer
}

func newVerified(t *testing.T, rounds string, policy ...string) *verified {
	t.Helper()
	return newVerifiedAt(t, newSite(t), rounds, policy...)
}

func newVerifiedAt(t *testing.T, s *site, rounds string, policy ...string) *verified {
	t.Helper()
	g := &guarded{clubNight: named(newClubNightAt(s))}
	v := &verified{guarded: g}
	boss := g.as(g.account("Boss", player.Operator), "en")
	g.path = g.create(append([]string{"format", "swiss", "rounds", rounds, "chips", "1", "policy", "verified"}, policy...)...)
	devices := map[string]*device{}
	for _, h := range []string{"anna", "borys"} {
		b := g.as(g.players[h], "en")
		b.get(g.path).says("a passkey").says("Settings → Passkeys")
		b.post(g.path + "/register").want(http.StatusUnprocessableEntity)
		boss.post("/attestations/issuers/site", "handle", h, "kind", "identity", "how", "video", "days", "400", "name", "Person "+h, "born", "1990-01-0"+strconv.Itoa(len(h)-3)).want(http.StatusOK)
		b.post("/fair-play", "fair-play", words.FairPlayHash(lang.English), "return", g.path).want(http.StatusOK)
		devices[h] = newDevice(t, g.http.URL)
		b.enrol(devices[h], password)
		b.post(g.path+"/register").want(http.StatusOK).wants("header", h)
	}
	if slices.Contains(policy, "round-robin") { // needs three
		g.as(g.players["clara"], "en").post("/fair-play", "fair-play", words.FairPlayHash(lang.English), "return", g.path).want(http.StatusOK)
		g.host.post(g.path+"/fair-play/admit", "handle", "clara", "reason", "a guest", "without", "attestation", "without", "passkey", "without", "check-in").want(http.StatusOK)
	}
	g.host.post(g.path + "/start").want(http.StatusOK)
	v.round(devices)
	return v
}

// round takes up anna's next match; rounds without one are forfeited by all.
func (v *verified) round(devices map[string]*device) {
	v.t.Helper()
	var pairing tournament.Pairing
	tour := v.tournament(v.path)
	for range 3 {
		if len(tour.Rounds) > 0 {
			for _, p := range tour.Rounds[len(tour.Rounds)-1].Pairings {
				if first, _ := tour.Entry(p.First); p.Match != "" && p.Match != v.id {
					if second, _ := tour.Entry(p.Second); first.Name == "anna" || second.Name == "anna" {
						pairing = p
					}
				}
			}
		}
		if pairing.Match != "" {
			break
		}
		v.clock.advance(5 * time.Minute)
		if err := v.live.SweepDue(v.t.Context()); err != nil {
			v.t.Fatal(err)
		}
		v.host.post(v.path + "/rounds")
		tour = v.tournament(v.path)
	}
	if v.id = pairing.Match; v.id == "" {
		v.t.Fatal("anna plays no more")
	}
	for i, seat := range match.Seats {
		e, err := tour.Entry(pairing.EntryAt(seat))
		if err != nil {
			v.t.Fatal(err)
		}
		v.seats[i] = v.players[e.Name]
		v.browsers[i] = v.as(v.seats[i], "en")
		if v.devices[i] = devices[e.Name]; v.devices[i] == nil {
			v.devices[i] = newDevice(v.t, v.http.URL)
		}
		v.pages[i] = v.page(i, v.browsers[i])
	}
}

// begin checks both in and says that both are ready.
func (v *verified) begin() {
	v.t.Helper()
	for i := range v.pages {
		v.pages[i].checkIn().want(http.StatusOK)
		v.pages[i].act("ready", "true").want(http.StatusOK)
	}
}

// newClubNightNamed is a club night at a name, where browsers know passkeys.
func newClubNightNamed(t *testing.T) *clubNight {
	t.Helper()
	return named(newClubNight(t))
}

func named(n *clubNight) *clubNight {
	n.http.URL = strings.Replace(n.http.URL, "127.0.0.1", "localhost", 1)
	n.host = n.as(n.player("Olena"), "en")
	judge := arbiter.New(n.store, n.live, arbiter.Config{Now: n.clock.Now}, nil)
	n.live.OnFinish(judge.OnFinish)
	n.live.OnTurn(judge.Seats.OnTurn)
	return n
}
