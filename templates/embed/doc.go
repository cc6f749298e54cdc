// Package embed shows parts of the site inside the pages of others: no
// navigation, no forms, nobody who is signed in. Its links open the site in a
// window of its own.
package embed
