package notice

import (
	"net/mail"
	"strings"
	"time"
	"unicode"

	"chpok.org/chpok/refusal"
)

// The times of mail.
const (
	// DigestWait is how long a mail waits for further notices to go out with it.
	DigestWait = time.Minute
	// MailGap is the least time between two mails to a player.
	MailGap = 5 * time.Minute
	// MailLife is the age at which a notice is no longer mailed: a site whose mail was
	// off for a week does not send the week's notices.
	MailLife = 24 * time.Hour
	// MailLines is how many notices one mail spells out.
	MailLines = 20
	// ConfirmWithin is how long the link that confirms an address is valid.
	ConfirmWithin = 24 * time.Hour
)

// retries are the pauses after the first, second, … refusal by the mail server.
var retries = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour}

// RetryAfter is how long to wait after so many refusals; false: give up.
func RetryAfter(tries int) (time.Duration, bool) {
	if tries < 1 || tries > len(retries) {
		return 0, false
	}
	return retries[tries-1], true
}

// Address is where mail reaches somebody.
type Address string

// ErrAddress refuses what is not the address of one mailbox.
var ErrAddress = refusal.Invalid("mail.error.address", "notice: not an e-mail address")

// ParseAddress reads a bare address as a person typed it, without a name.
func ParseAddress(s string) (Address, error) {
	s = strings.TrimSpace(s)
	if len(s) > 254 || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
		return "", ErrAddress
	}
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || a.Name != "" {
		return "", ErrAddress
	}
	local, domain, _ := strings.Cut(s, "@")
	if strings.Contains(domain, "@") || local == "" || !strings.Contains(domain, ".") || strings.HasPrefix(domain, "[") {
		return "", ErrAddress
	}
	return Address(s), nil
}
