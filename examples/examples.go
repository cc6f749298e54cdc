// Package examples holds the programs of this folder that every site hands out. It refuses to run them.
package examples

import _ "embed"

// Bot is a whole bot in Python.
//
//go:embed bot.py
var Bot []byte
