package templates

// Short is the beginning of a hash, enough to tell one from another.
func Short(hash string) string { return hash[:min(12, len(hash))] }
