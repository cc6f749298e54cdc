// Package frame draws what stands around every page: head, navigation, search,
// footer. It refuses to know any page; only the kit of web knows it, so that a
// change of it compiles no section.
package frame

func markFile(mark string) string {
	if mark == "" {
		return "chpok.svg"
	}
	return "mark-" + mark + ".svg"
}
