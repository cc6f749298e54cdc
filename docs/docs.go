// Package docs holds the guides of this folder, which every site shows at /help. It refuses to know how.
package docs

import "embed"

// Guides are the guides, NAME.md.
//
//go:embed *.md
var Guides embed.FS
