// Package tournament draws what everybody sees of tournaments: lists, doors, entry, brackets,
// prizes, files, screens and chat. It puts nothing in order: tables come to it as they stand.
package tournament
