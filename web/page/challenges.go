package page

// KeyOf is the key of the text that explains an error.
func KeyOf(err error) string {
	_, key, _ := Explain(err)
	return key
}
