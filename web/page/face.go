package page

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// Face is the name of a site and the mark beside it: the letter of a piece, or empty for Chpok's own.
type Face struct {
	Name string `json:"name,omitempty"`
	Mark string `json:"mark,omitempty"`
}

const settingFace = "site-face"

// faces caches the site's face, which each page shows. Other nodes see a change within facesLife. The zero value is
// ready.
type faces struct {
	mu   sync.Mutex
	at   time.Time
	face Face
}

const facesLife = 10 * time.Second

// Face returns the site's face.
func (s *Site) Face(ctx context.Context) Face {
	s.faces.mu.Lock()
	face, at, now := s.faces.face, s.faces.at, s.Now()
	s.faces.mu.Unlock()
	if age := now.Sub(at); age >= 0 && age < facesLife {
		return face
	}
	read, err := store.Get(ctx, s.Store, func(tx *store.Tx) (Face, error) {
		face, _, err := ReadFace(tx)
		return face, err
	})
	if err != nil {
		s.Log.Warn("site's name not read", "err", err)
		read = face
	}
	s.faces.mu.Lock()
	defer s.faces.mu.Unlock()
	if s.faces.at.Equal(at) { // nobody has set it meanwhile
		s.faces.face, s.faces.at = read, now // after a failure too: while the database is down, pages do not queue here
	}
	return read
}

// Called returns the name of the site in a language.
func (s *Site) Called(ctx context.Context, p lang.Printer) string {
	return cmp.Or(s.Face(ctx).Name, p.T("core.site"))
}

// ReadFace returns the saved face; false if none was saved.
func ReadFace(tx *store.Tx) (face Face, saved bool, err error) {
	text, err := tx.Setting(settingFace, "")
	if err != nil || text == "" {
		return face, false, err
	}
	return face, true, json.Unmarshal([]byte(text), &face)
}

// SetFace saves the site's face.
func (s *Site) SetFace(ctx context.Context, by player.Viewer, face Face) error {
	text, err := json.Marshal(face)
	if err != nil {
		return err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		part := kernel.SiteStep{By: by, Part: "face", Act: "face"}
		return s.Arbiter.OfSite(tx, part, func() error { return tx.SetSetting(settingFace, string(text)) })
	})
	if err != nil {
		return err
	}
	s.faces.mu.Lock()
	defer s.faces.mu.Unlock()
	s.faces.at = time.Time{}
	return nil
}
