// Package picture draws what other sites and messengers show of this one: cards
// beside a link, boards as PNG, whole matches as GIF, with the site's own pieces
// and letters. It is given positions and ready texts.
//
// It refuses to know languages, stores, clocks and who may see what, and to
// draw without bounds: an animation has at most so many frames.
package picture
