package match

// key is what a key of the page, or one of several, does.
type key struct {
	caps []string
	does string
}

var replayKeys = []key{{[]string{"←", "→"}, "step"}, {[]string{"Home", "End"}, "ends"}, {[]string{"F"}, "flip"}, {[]string{"?"}, "help"}}

var allKeys = append([]key{
	{[]string{"↑", "↓"}, "rows"}, {[]string{"+", "−"}, "chips"}, {[]string{"C"}, "call"}, {[]string{"R"}, "raise"}, {[]string{"Esc"}, "close"},
	{[]string{"G"}, "ranks"}, {[]string{"X"}, "drop"},
}, replayKeys...)
