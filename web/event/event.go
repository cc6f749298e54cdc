// Package event is the frame of a tournament's pages: the head and tabs, the check of who may see and
// run it, and the tables, rounds and facts that players' and staff's pages share. It refuses to answer
// requests: the sections that embed it do.
package event

import "chpok.org/chpok/web/page"

// Frame is what the sections that show tournaments share.
type Frame struct{ *page.Site }
