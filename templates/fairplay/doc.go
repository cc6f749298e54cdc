// Package fairplay draws fair play: levels, attestations, reviews and seasons.
package fairplay
