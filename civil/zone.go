package civil

import (
	"path"
	"sync"
	"time"
)

// MaxZoneName bounds the names that Zone knows.
const MaxZoneName = 40

// zones caches time zones by name; each is read from a file.
var zones sync.Map

// Zone returns the time zone of the first name that is one, such as Europe/Kyiv; nil if none is.
func Zone(names ...string) *time.Location {
	for _, name := range names {
		if name == "" || name == "Local" || len(name) > MaxZoneName {
			continue
		}
		if known, ok := zones.Load(name); ok {
			return known.(*time.Location)
		}
		if z, err := time.LoadLocation(name); err == nil {
			if path.Clean(name) == name { // one name for each file, to bound the cache
				zones.Store(name, z)
			}
			return z
		}
	}
	return nil
}
