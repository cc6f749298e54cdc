// Package docs holds the guides of this folder, which every site shows at /help. It refuses to know how.
package docs

import "embed"

// Guides are the guides: NAME.md in English, LANGUAGE/NAME.md in another language, with the same headings.
//
//go:embed *.md uk/*.md
var Guides embed.FS
