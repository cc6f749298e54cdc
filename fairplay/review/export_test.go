package review

// ClassOf is the class of a kind of evidence; false for what is none.
func ClassOf(kind string) (Class, bool) {
	w, known := weights[kind]
	return w.class, known
}
