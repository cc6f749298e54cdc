// Package event is the frame of a tournament's pages: its head and tabs, who
// may see it and work on it, and the tables, rounds and facts that players'
// pages, staff's pages and clubs show alike. It refuses to answer requests:
// that is done by the sections that embed it.
package event

import "chpok.org/chpok/web/page"

// Frame is what stands around the pages of a tournament.
type Frame struct{ *page.Site }
