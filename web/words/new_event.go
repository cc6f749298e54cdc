package words

import "strings"

// Trimmed undoes what browsers change in a list: their line ends and the empty inputs at its end.
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
