// Package picture draws what other sites and messengers show of this one: cards beside
// links, boards as PNG, whole matches as GIF, with the site's own pieces and font. It is
// given positions and finished texts, and knows nothing about languages, stores, clocks
// and permissions.
package picture
