//go:build !amd64

package search

func prefetch(*[2]seen) {}
