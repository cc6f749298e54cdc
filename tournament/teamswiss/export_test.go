package teamswiss

// Whole always looks at all teams that are left.
func Whole() Swiss { return Swiss{whole: true} }
