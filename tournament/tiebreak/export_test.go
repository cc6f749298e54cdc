package tiebreak

import "slices"

// Kinds is the closed table of tie-breaks, in the order of the handbook.
func Kinds() []Kind { return slices.Clone(kinds) }
