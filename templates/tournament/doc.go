// Package tournament draws tournaments: their forms, rounds, desk, files and log.
package tournament
