package account

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/oauth"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// Addresses of the authorization server (RFC 8414).
const (
	authorizePath = "/oauth/authorize"
	tokenPath     = "/api/v1/oauth/token"
	revokePath    = "/api/v1/oauth/revoke"
	metadataPath  = "/.well-known/oauth-authorization-server"
)

func (s pages) oauthRoutes() []page.Route {
	program := func(path string, h echo.HandlerFunc) page.Route {
		return page.Route{Method: http.MethodPost, Path: path, Handler: h, May: page.Anyone, Scope: page.Everyone, IsAPI: true}
	}
	return []page.Route{
		page.Get(metadataPath, s.oauthMetadata, page.Anyone),
		page.Get(authorizePath, s.consentForm, page.SignedIn),
		page.Post(authorizePath, s.consent, page.SignedIn),
		program(tokenPath, s.redeemCode),
		program(revokePath, s.revokeToken),
	}
}

// OAuth is where a program gets tokens, as the OpenAPI document of the site says it.
func OAuth() (authorize, token, revoke string) { return authorizePath, tokenPath, revokePath }

// IsByProgram reports whether a request carries all that it is judged by in itself, so that a script of another site may send
// it: a token, or what the token endpoint asks for. Cookies count for nothing there.
func IsByProgram(r *http.Request) bool {
	return r.URL.Path == tokenPath || r.URL.Path == revokePath ||
		strings.HasPrefix(r.URL.Path, "/api/") && strings.HasPrefix(r.Header.Get(echo.HeaderAuthorization), "Bearer ")
}

func (s pages) oauthMetadata(c echo.Context) error {
	c.Response().Header().Set("Access-Control-Allow-Origin", "*")
	of := func(path string) string { return s.Address(c, path) }
	return c.JSON(http.StatusOK, map[string]any{
		"issuer": of(""), "authorization_endpoint": of(authorizePath), "token_endpoint": of(tokenPath), "revocation_endpoint": of(revokePath),
		"service_documentation": of("/api"), "scopes_supported": player.Player{}.MostScopes(),
		"response_types_supported": []string{"code"}, "grant_types_supported": []string{"authorization_code"},
		"code_challenge_methods_supported":               []string{"S256"},
		"token_endpoint_auth_methods_supported":          []string{"none"},
		"revocation_endpoint_auth_methods_supported":     []string{"none"},
		"authorization_response_iss_parameter_supported": true,
	})
}

// consentForm asks the viewer what an application asks of them.
func (s pages) consentForm(c echo.Context) error {
	r, err := oauth.ParseRequest(c.QueryParams(), page.Viewer(c).MostScopes())
	if err != nil {
		return s.showFault(c, r, err)
	}
	return s.showConsent(c, r, nil)
}

// consent sends the viewer back to the application, with a code if they allow it.
func (s pages) consent(c echo.Context) error {
	form, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	v := page.Viewer(c)
	r, err := oauth.ParseRequest(form, v.MostScopes())
	if err != nil {
		return s.showFault(c, r, err)
	}
	page.LeadTo(c, r.Target.Source())
	if form.Get("answer") != "allow" {
		denied := &oauth.Fault{Code: oauth.AccessDenied, Says: "the account's owner does not allow it"}
		return c.Redirect(http.StatusSeeOther, r.Refused(s.Address(c, ""), denied))
	}
	switch err := s.prove(c); {
	case errors.Is(err, page.ErrWrongPassword), errors.Is(err, page.ErrTooMany), errors.Is(err, errProve):
		return s.showConsent(c, r, err)
	case err != nil:
		return err
	}
	var code player.Secret
	err = s.Store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		code, err = tx.AddCode(oauth.Code{Player: v.ID, Request: r, Created: s.Now()})
		return err
	})
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, r.Granted(s.Address(c, ""), string(code)))
}

func (s pages) showConsent(c echo.Context, r oauth.Request, refused error) error {
	p, v := s.Printer(c), page.Viewer(c)
	page.LeadTo(c, r.Target.Source())
	view := accountview.ConsentView{
		Action: authorizePath, Who: whoAsks(p, r.Target), Client: r.Client, Handle: string(v.Handle), Target: r.Target.String(),
		Ends: p.Day(s.Now().Add(oauth.TokenLife)), Proof: s.proof(c, refused),
	}
	for _, scope := range r.Scopes {
		view.Scopes = append(view.Scopes, templates.Choice{Value: string(scope), Text: scopeText(p, scope)})
	}
	values := r.Values()
	for _, name := range []string{"response_type", "client_id", "redirect_uri", "code_challenge", "code_challenge_method", "scope", "state"} {
		if values.Has(name) {
			view.Request = append(view.Request, templates.Choice{Value: name, Text: values.Get(name)})
		}
	}
	return s.Render(c, page.StatusOf(refused), accountview.ConsentPage(s.Shell(c, p.T("oauth.title")), view))
}

// showFault tells the viewer that an application has asked wrongly. Nobody is sent anywhere unasked, as nobody has registered:
// a link leads back, with what is wrong.
func (s pages) showFault(c echo.Context, r oauth.Request, err error) error {
	fault, is := errors.AsType[*oauth.Fault](err)
	if !is {
		return err
	}
	p := s.Printer(c)
	view := accountview.AskedWronglyView{Who: whoAsks(p, r.Target), Says: fault.Code + ": " + fault.Says,
		Back: r.Refused(s.Address(c, ""), fault)}
	return s.Render(c, http.StatusBadRequest, accountview.AskedWronglyPage(s.Shell(c, p.T("oauth.wrong")), view))
}

// whoAsks says in words where the answer to an application goes.
func whoAsks(p lang.Printer, t oauth.Target) string {
	if host := t.Host(); host != "" {
		return host
	}
	return p.T("oauth.here")
}

func scopeText(p lang.Printer, scope player.Scope) string {
	return p.T("fairplay.scope." + strings.ReplaceAll(string(scope), ":", "-"))
}

// redeemCode is the token endpoint.
func (s pages) redeemCode(c echo.Context) error {
	form := c.Request().PostForm
	if err := oauth.CheckRedeem(form); err != nil {
		return sendFault(c, err)
	}
	var secret player.Secret
	var granted oauth.Code
	var refused error
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		code := player.Secret(form.Get("code"))
		if granted, err = tx.Code(code); err != nil {
			return err
		}
		if refused = granted.Redeem(form, s.Now()); refused != nil && granted.IsUsed {
			return tx.RevokeCode(code) // one of the two who have it is a thief
		} else if refused != nil {
			return nil
		}
		r, now := granted.Request, s.Now()
		secret, err = tx.AddToken(player.Token{Player: granted.Player, Name: words.Shorten(r.Client, 60), Scopes: r.Scopes,
			Target: r.Target.String(), Created: now, Ends: now.Add(oauth.TokenLife)})
		return errors.Join(err, tx.UseCode(code, secret))
	})
	switch {
	case errors.Is(err, store.ErrNotFound):
		return sendFault(c, &oauth.Fault{Code: oauth.InvalidGrant, Says: "there is no such code, or it has expired"})
	case err != nil:
		return err
	case refused != nil:
		return sendFault(c, refused)
	}
	return sendUnkept(c, http.StatusOK, map[string]any{"access_token": secret, "token_type": "Bearer",
		"expires_in": int(oauth.TokenLife.Seconds()), "scope": oauth.Scopes(granted.Request.Scopes)})
}

// revokeToken ends a token (RFC 7009). Whoever knows it may: an unknown one has ended already.
func (s pages) revokeToken(c echo.Context) error {
	secrets := c.Request().PostForm["token"]
	if len(secrets) != 1 || secrets[0] == "" {
		return sendFault(c, &oauth.Fault{Code: oauth.InvalidRequest, Says: "token is the token to revoke, once"})
	}
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.RevokeToken(player.Secret(secrets[0])) })
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusOK)
}

// sendFault answers an application as RFC 6749, 5.2 says.
func sendFault(c echo.Context, err error) error {
	fault, is := errors.AsType[*oauth.Fault](err)
	if !is {
		return err
	}
	return sendUnkept(c, http.StatusBadRequest, map[string]any{"error": fault.Code, "error_description": fault.Says})
}

func sendUnkept(c echo.Context, status int, answer map[string]any) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(status, answer)
}
