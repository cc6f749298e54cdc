// Package play draws the ways to a match: challenges and their answers.
package play
