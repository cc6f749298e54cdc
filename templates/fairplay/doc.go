// Package fairplay draws fair play: levels, attestations, reviews and seasons. It weighs nothing:
// verdicts come to it in words.
package fairplay
