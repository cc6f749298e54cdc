// Package words puts what the domain knows into the words, addresses and lines
// that several sections show: how a level, a result, a bye or a match reads in
// the viewer's language, and where it is found. It refuses to read requests, to
// ask the store what it is not handed, and to know who is looking.
package words
