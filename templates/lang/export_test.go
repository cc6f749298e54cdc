package lang

import (
	"io/fs"
	"slices"
)

// Add gives the site another language until remove is called.
func Add(more fs.FS) (remove func()) {
	both := joined{more, files}
	was := []any{All, voices, orders, files}
	All, files = spoken(both), both
	voices, orders = voicesOf(both, All), ordersOf(All)
	return func() {
		All, voices, orders, files = was[0].([]Lang), was[1].(map[Lang]func() voice), was[2].(map[Lang]func() map[rune]int), was[3].(fs.ReadDirFS)
	}
}

// joined is two file systems with different folders.
type joined struct{ one, other fs.FS }

func (j joined) Open(name string) (fs.File, error) {
	if f, err := j.one.Open(name); err == nil {
		return f, nil
	}
	return j.other.Open(name)
}

func (j joined) ReadDir(name string) ([]fs.DirEntry, error) {
	a, errA := fs.ReadDir(j.one, name)
	b, errB := fs.ReadDir(j.other, name)
	if errA != nil && errB != nil {
		return nil, errA
	}
	return slices.Concat(a, b), nil
}
