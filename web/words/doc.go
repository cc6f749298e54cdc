// Package words renders what several sections show: levels, results, byes, matches and the like
// in the viewer's language, and their addresses. It refuses to read requests and to open
// transactions.
package words
