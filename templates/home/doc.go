// Package home draws the first page, out of pieces that other sections draw. It refuses
// to draw those itself, and to look anything up.
package home
