package kernel

import (
	"context"
	"crypto/hkdf"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/hex"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/draw"
)

// drawSecret is the secret behind a tournament's draws, derived from the site's key:
// neither staff nor readers of the log can know it.
func (a *Kernel) drawSecret(ctx context.Context, id tournament.ID) (secret [32]byte, err error) {
	site, err := a.SiteKey(ctx)
	if err != nil {
		return secret, err
	}
	key, err := hkdf.Key(sha256.New, site.Seed(), nil, "chpok draws "+string(id), len(secret))
	return [32]byte(key), err
}

// Promise makes a new tournament promise its first draw.
func (a *Kernel) Promise(ctx context.Context, t *tournament.Tournament) error {
	secret, err := a.drawSecret(ctx, t.ID)
	t.Promise = draw.FirstPromise(secret)
	return err
}

// NextDraw is the seed of a tournament's next draw, the promised one, and the promise
// after it. If nothing was promised that this site can keep, the seed is fresh.
func (a *Kernel) NextDraw(ctx context.Context, t *tournament.Tournament) (d draw.Chance, err error) {
	secret, err := a.drawSecret(ctx, t.ID)
	if err != nil {
		return d, err
	}
	var kept bool
	if d.Seed, kept = draw.Promised(secret, t.Promise); kept {
		d.Next = hex.EncodeToString(d.Seed[:])
	} else {
		crand.Read(d.Seed[:])
	}
	return d, nil
}
