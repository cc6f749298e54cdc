package templates

import "github.com/a-h/templ"

// Comfort is the control of one way in which a board is made comfortable.
type Comfort struct {
	Name, Label, Value string
	Switches           bool
	Least, Most, Step  string // of a scale; empty: it is none
	Choices            []ComfortChoice
}

// ComfortChoice is one of a few.
type ComfortChoice struct {
	Value, Text string
	Chosen      bool
	Picture     templ.Component // nil: words say enough
}
