package club

// codeLetters have no lookalikes and can be read aloud.
const codeLetters = "abcdefghjkmnpqrstuvwxyz23456789"

// codeLength letters out of 31 make guessing hopeless: 31^10 is 8·10^14.
const codeLength = 10

// NewCode makes an invitation code; pick returns a random number below n.
func NewCode(pick func(n int) int) string {
	code := make([]byte, 0, codeLength+1)
	for i := range codeLength {
		if i == codeLength/2 {
			code = append(code, '-')
		}
		code = append(code, codeLetters[pick(len(codeLetters))])
	}
	return string(code)
}
