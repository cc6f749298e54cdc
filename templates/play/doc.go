// Package play draws the ways to a match: challenges and their answers. It opens no match and knows
// no account.
package play
