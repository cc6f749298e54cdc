package courier

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"strconv"
	"time"

	smtp "github.com/wneessen/go-mail"
)

// patience limits how long the mail server may take for one letter.
const patience = 20 * time.Second

// Server is a mail server that accepts letters of the site.
type Server struct {
	from   string
	client *smtp.Client
}

// ParseServer reads smtp://USER:PASSWORD@HOST:PORT (STARTTLS, default port 587) or
// smtps://… (TLS, default port 465); ?tls=none is for a server on the same machine. from
// is the sender, with or without a name.
func ParseServer(address, from string) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("not smtp://USER:PASSWORD@HOST:PORT or smtps://…")
	}
	if _, err := mail.ParseAddress(from); err != nil {
		return nil, errors.New("the sender is not an e-mail address")
	}
	port := 587
	if u.Scheme == "smtps" {
		port = 465
	}
	if p := u.Port(); p != "" {
		if port, err = strconv.Atoi(p); err != nil {
			return nil, errors.New("the port is not a number")
		}
	}
	options := []smtp.Option{smtp.WithPort(port), smtp.WithTimeout(patience)}
	switch tls := u.Query().Get("tls"); {
	case u.Scheme == "smtps":
		options = append(options, smtp.WithSSL())
	case tls == "none":
		options = append(options, smtp.WithTLSPolicy(smtp.NoTLS))
	case tls == "":
		options = append(options, smtp.WithTLSPolicy(smtp.TLSMandatory))
	default:
		return nil, fmt.Errorf("tls=%s: only tls=none is possible", tls)
	}
	if password, has := u.User.Password(); has {
		options = append(options, smtp.WithSMTPAuth(smtp.SMTPAuthAutoDiscover), smtp.WithUsername(u.User.Username()), smtp.WithPassword(password))
	}
	client, err := smtp.NewClient(u.Hostname(), options...)
	if err != nil {
		return nil, err
	}
	return &Server{from: from, client: client}, nil
}

// message is a letter ready to go out.
type message struct {
	to, subject string
	text, html  string
	stop        string // link that stops all mail with one click; may be empty
}

// errRefused says that the server will never accept the letter.
var errRefused = errors.New("courier: the server rejected the message")

// errUncertain says that the server may have accepted the letter.
var errUncertain = errors.New("courier: the server did not confirm the message")

// send hands over one letter. Any error but errUncertain means that it was not accepted;
// after errRefused (5yz, RFC 5321 section 4.2.1) it must not be sent again.
func (s *Server) send(ctx context.Context, m message) error {
	msg := smtp.NewMsg()
	if err := errors.Join(msg.From(s.from), msg.To(m.to)); err != nil {
		return err
	}
	msg.Subject(m.subject)
	msg.SetBodyString(smtp.TypeTextPlain, m.text)
	msg.AddAlternativeString(smtp.TypeTextHTML, m.html)
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.stop != "" {
		msg.SetGenHeader("List-Unsubscribe", "<"+m.stop+">")
		msg.SetGenHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := s.client.DialAndSendWithContext(ctx, msg)
	var refused *smtp.SendError
	if errors.As(err, &refused) && (refused.Reason == smtp.ErrSMTPDataClose ||
		refused.Reason == smtp.ErrAmbiguous) && refused.ErrorCode() == 0 {
		return fmt.Errorf("%w: %w", errUncertain, err)
	}
	switch {
	case err == nil, msg.IsDelivered():
		return nil // at worst QUIT failed
	case refused != nil && refused.ErrorCode() >= 500:
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	return err
}

// Probe signs in to the server without sending anything.
func (s *Server) Probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := s.client.DialWithContext(ctx); err != nil {
		return err
	}
	return s.client.Close()
}
