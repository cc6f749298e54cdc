package live

import (
	"errors"
	"sync"

	"chpok.org/chpok/engine/match"
)

// renderings is how many rendered fragments a node keeps.
const renderings = 2048

type renderKey struct {
	match    match.ID
	seq      int64
	audience string
}

type rendering struct {
	once sync.Once
	html []byte
	err  error
}

var errNotRendered = errors.New("live: not rendered")

// Rendered is what render makes of a match at a place of its log for an
// audience (seat or watcher, language, form): made once on this node, however
// many watch. The bytes are shared and must not be changed.
func (r *Runner) Rendered(id match.ID, seq int64, audience string, render func() ([]byte, error)) ([]byte, error) {
	key := renderKey{id, seq, audience}
	made := r.rendered.update(key, func(present *rendering, ok bool) *rendering {
		if ok {
			return present
		}
		return &rendering{}
	})
	made.once.Do(func() {
		made.err = errNotRendered // should render panic
		defer func() {
			if made.err != nil {
				r.rendered.remove(key) // to be tried again
			}
		}()
		made.html, made.err = render()
	})
	return made.html, made.err
}
