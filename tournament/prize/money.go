package prize

import (
	"strconv"
	"strings"
)

// ParseAmounts reads amounts as people write them: "600 300 150", "31.67; 20,50". They
// are no finer than the currency's smallest unit.
func ParseAmounts(text, currency string) ([]int64, error) {
	digits, known := Digits[currency]
	if !known {
		return nil, ErrCurrency
	}
	var list []int64
	for _, word := range strings.FieldsFunc(text,
		func(r rune) bool { return r == ' ' || r == ';' || r == '\n' || r == '\t' || r == '\u00a0' }) {
		whole, part, _ := strings.Cut(strings.ReplaceAll(strings.TrimRight(word, ",."), ",", "."), ".")
		if len(part) > digits {
			return nil, ErrAmounts
		}
		n, err := strconv.ParseInt(whole+part+strings.Repeat("0", digits-len(part)), 10, 64)
		if err != nil || n < 0 || n > MaxAmount {
			return nil, ErrAmounts
		}
		list = append(list, n)
	}
	return list, nil
}

// Plain formats an amount for programs and forms: 600, 31.67.
func Plain(amount int64, currency string) string {
	text, digits := strconv.FormatInt(amount, 10), Digits[currency]
	for len(text) <= digits {
		text = "0" + text
	}
	whole, part := text[:len(text)-digits], text[len(text)-digits:]
	if strings.Trim(part, "0") == "" {
		return whole
	}
	return whole + "." + part
}

// PlainAmounts formats amounts for ParseAmounts.
func PlainAmounts(list []int64, currency string) string {
	texts := make([]string, len(list))
	for i, a := range list {
		texts[i] = Plain(a, currency)
	}
	return strings.Join(texts, " ")
}
