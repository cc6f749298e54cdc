package page

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/passkey"
	"chpok.org/chpok/store"
)

// Passkeys returns the site as passkeys know it, by the address of the request.
func (s *Site) Passkeys(c echo.Context) (*passkey.Site, error) {
	u, err := url.Parse(s.Address(c, ""))
	if err != nil {
		return nil, err
	}
	return passkey.NewSite(u.Scheme + "://" + u.Host)
}

// passkeyErrors are shown beside the form of a passkey.
var passkeyErrors = []error{
	passkey.ErrAnswer, passkey.ErrUnverified, passkey.ErrCounter, passkey.ErrNoName, persons.ErrNoPasskey, persons.ErrTooLong,
	player.ErrPasskeyName, player.ErrManyPasskeys, store.ErrTaken, ErrWrongPassword, ErrTooMany,
}

// PasskeyTrouble returns the text of one of passkeyErrors; empty for others.
func (s *Site) PasskeyTrouble(c echo.Context, err error) string {
	if errors.Is(err, store.ErrTaken) {
		return s.Printer(c).T("passkey.error.taken")
	}
	return s.FormError(c, err, passkeyErrors...)
}

// DeviceOptions sends a page's script the options of its request to the device, or the refusal.
func (s *Site) DeviceOptions(c echo.Context, options func(*passkey.Site) (json.RawMessage, error)) error {
	site, err := s.Passkeys(c)
	var raw json.RawMessage
	if err == nil {
		raw, err = options(site)
	}
	if err == nil {
		return c.JSON(http.StatusOK, map[string]json.RawMessage{"options": raw})
	}
	text := s.PasskeyTrouble(c, err)
	if text == "" {
		if text = s.DoorTrouble(c, err); text == "" {
			return err
		}
	}
	status := StatusOf(err)
	return c.JSON(status, map[string]string{"message": text})
}

// Said is what a device has said to the viewer's session.
func Said(c echo.Context, site *passkey.Site) persons.Said {
	return persons.Said{Site: site, Session: SessionID(c), Answer: []byte(c.FormValue("answer"))}
}
