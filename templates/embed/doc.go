// Package embed draws what other sites show of this one, in a frame of its own: boards, standings, trouble. It knows no viewer.
package embed
