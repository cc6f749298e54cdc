// Package tournament draws what everybody sees of tournaments: lists, doors, entry, brackets, prizes, files, screens and chat.
package tournament
