//go:build linux || darwin

package store

import "syscall"

// freeBytes is how much may still be written beside a file; false: not known.
func freeBytes(path string) (uint64, bool) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(path, &fs); err != nil {
		return 0, false
	}
	return uint64(fs.Bavail) * uint64(fs.Bsize), true
}
