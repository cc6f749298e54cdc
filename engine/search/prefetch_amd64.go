package search

// prefetch asks for a pair of the table's slots shortly before it is needed. Most come
// from beyond the nearest caches, and the compiler has no such instruction to offer.
//
//go:noescape
func prefetch(pair *[2]seen)
