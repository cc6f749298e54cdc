package words

import "strings"

// Trimmed is what a browser sends of values as they were: its own line ends, and
// no place left empty at the end of a list.
func Trimmed(list []string) []string {
	out := make([]string, 0, len(list))
	for _, text := range list {
		out = append(out, strings.ReplaceAll(text, "\r\n", "\n"))
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}
