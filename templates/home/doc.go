// Package home draws the first page, from what the other sections lend it.
package home
