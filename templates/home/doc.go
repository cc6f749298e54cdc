// Package home draws the first page, from what the other sections lend it. Of that it draws nothing
// itself, and it asks for nothing.
package home
