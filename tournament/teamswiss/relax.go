package teamswiss

import (
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
)

// Relax turns the wishes that the next round can grant into prohibitions and drops the others, as in
// the individual system.
func (s Swiss) Relax(f tournament.Field) (tournament.Field, error) {
	held, _, err := swiss.RelaxBy(f, func(f tournament.Field) (bool, error) {
		r, err := s.read(f)
		if err != nil {
			return false, err
		}
		_, _, err = r.begin()
		return err == nil, nil
	})
	return held, err
}
