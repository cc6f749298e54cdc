// Package ladder draws ladders and their challenges.
package ladder
