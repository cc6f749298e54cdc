package web

import (
	"chpok.org/chpok/player"
)

// playerURL is an account's page.
func playerURL(h player.Handle) string { return "/players/" + string(h) }
