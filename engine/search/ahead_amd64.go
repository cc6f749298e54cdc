package search

// ahead asks the memory for a pair of the table's places, for whoever wants it a
// little later: nearly every one comes from beyond the nearest caches.
//
//go:noescape
func ahead(pair *[2]seen)
