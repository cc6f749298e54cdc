package teamswiss

// Whole always looks at all teams that are left.
func Whole(r Rules) Swiss { return Swiss{Rules: r, whole: true} }
