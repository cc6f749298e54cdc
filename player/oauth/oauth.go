// Package oauth decides what a program of somebody else may ask an account for, and when a code is worth a token: the
// authorization code grant of OAuth 2.1 with PKCE, for public clients. Nobody registers: what an application calls itself is
// free text, and the host its answer goes to is all that is known of it. The package remembers nothing and makes no chance.
package oauth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// The lives of a code and of the token it is changed for. There are no refresh tokens: who comes back asks again.
const (
	CodeLife  = 5 * time.Minute
	TokenLife = 365 * 24 * time.Hour
)

// Refusals that only a person is told, as nobody knows where an answer should go.
var (
	ErrClient = refusal.Malformed("oauth.error.client", "oauth: client_id: 1 to 200 characters, once")
	ErrTarget = refusal.Malformed("oauth.error.target",
		"oauth: redirect_uri: https, http on this device, or a scheme of its own such as com.example.app, once")
)

// Fault is an error that an application is told, with a code of RFC 6749.
type Fault struct{ Code, Says string }

func (f *Fault) Error() string { return "oauth: " + f.Code + ": " + f.Says }

// Codes of faults.
const (
	InvalidRequest          = "invalid_request"
	InvalidGrant            = "invalid_grant"
	InvalidScope            = "invalid_scope"
	UnsupportedResponseType = "unsupported_response_type"
	UnsupportedGrantType    = "unsupported_grant_type"
	AccessDenied            = "access_denied"
)

// Request is what an application asks an account for.
type Request struct {
	Client    string // what it calls itself
	Target    Target
	State     string // for the application to know its request by
	Challenge string // of the verifier that it keeps (RFC 7636, S256)
	Scopes    []player.Scope
}

// challenge is base64url of a SHA-256 without padding; verifier is what RFC 7636 allows.
var (
	challenge = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)
	verifier  = regexp.MustCompile(`^[A-Za-z0-9._~-]{43,128}$`)
)

// ParseRequest reads the parameters of an authorization request to an account that may give the scopes of most. A request
// with a Fault has its target all the same, and its state.
func ParseRequest(q url.Values, most []player.Scope) (r Request, err error) {
	if r.Client = q.Get("client_id"); len(q["client_id"]) != 1 || !isName(r.Client) {
		return r, ErrClient
	}
	if r.Target, err = ParseTarget(q.Get("redirect_uri")); err != nil || len(q["redirect_uri"]) != 1 {
		return r, ErrTarget
	}
	r.State, r.Challenge = q.Get("state"), q.Get("code_challenge")
	if fault := repeated(q); fault != nil {
		return r, fault
	}
	switch kind := q.Get("response_type"); {
	case kind == "":
		return r, &Fault{InvalidRequest, "response_type is missing; it is code"}
	case kind != "code":
		return r, &Fault{UnsupportedResponseType, "response_type is code"}
	case q.Get("code_challenge_method") != "S256":
		return r, &Fault{InvalidRequest, "code_challenge_method is S256; plain is not taken"}
	case !challenge.MatchString(r.Challenge):
		return r, &Fault{InvalidRequest, "code_challenge is the SHA-256 of the verifier in base64url without padding"}
	}
	for word := range strings.FieldsSeq(q.Get("scope")) {
		if scope := player.Scope(word); !slices.Contains(most, scope) {
			return r, &Fault{InvalidScope, "scope is of " + Scopes(most)}
		} else if !slices.Contains(r.Scopes, scope) {
			r.Scopes = append(r.Scopes, scope)
		}
	}
	if len(r.Scopes) == 0 {
		r.Scopes = []player.Scope{player.ScopeRead}
	}
	return r, nil
}

// isName reports whether a person can read a text in one line.
func isName(s string) bool {
	n := utf8.RuneCountInString(s)
	return n >= 1 && n <= 200 && strings.TrimSpace(s) == s && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// repeated returns the fault of parameters that stand more than once (RFC 6749, 3.1); nil: none does.
func repeated(q url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(q)) {
		if len(q[name]) > 1 {
			return &Fault{InvalidRequest, name + " stands more than once"}
		}
	}
	return nil
}

// Scopes are scopes as a parameter has them.
func Scopes(list []player.Scope) string {
	words := make([]string, len(list))
	for i, scope := range list {
		words[i] = string(scope)
	}
	return strings.Join(words, " ")
}

// Values are the parameters of the request, without a fault.
func (r Request) Values() url.Values {
	q := url.Values{"response_type": {"code"}, "client_id": {r.Client}, "redirect_uri": {r.Target.String()},
		"code_challenge": {r.Challenge}, "code_challenge_method": {"S256"}, "scope": {Scopes(r.Scopes)}}
	if r.State != "" {
		q.Set("state", r.State)
	}
	return q
}

// Granted is the address that brings the application a code from an issuer (RFC 9207).
func (r Request) Granted(issuer, code string) string { return r.answer(issuer, "code", code) }

// Refused is the address that brings the application a fault.
func (r Request) Refused(issuer string, f *Fault) string {
	return r.answer(issuer, "error", f.Code, "error_description", f.Says)
}

func (r Request) answer(issuer string, pairs ...string) string {
	to := *r.Target.url
	q := to.Query()
	for i := 0; i+1 < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	q.Set("iss", issuer)
	if r.State != "" {
		q.Set("state", r.State)
	}
	to.RawQuery = q.Encode()
	return to.String()
}

// Target is where the answer to an application goes: all that is known of it for sure.
type Target struct {
	text string // as the application wrote it
	url  *url.URL
}

// host is one that a policy for browsers can name; letters beyond ASCII, which may look like others, come as xn--.
var host = regexp.MustCompile(`^[A-Za-z0-9.-]+(:[0-9]{1,5})?$`)

// ParseTarget reads a redirect_uri: https; http on the device itself, at any port; or the scheme of an app, which is the
// name of its maker's domain from behind (RFC 8252).
func ParseTarget(s string) (Target, error) {
	u, err := url.Parse(s)
	if err != nil || len(s) > 1000 || u.Fragment != "" || strings.Contains(s, "#") || u.User != nil {
		return Target{}, ErrTarget
	}
	t := Target{s, u}
	switch {
	case u.Scheme == "https" && host.MatchString(u.Host):
	case u.Scheme == "http" && t.IsLoopback():
	case strings.Contains(u.Scheme, ".") && (u.Host == "" || host.MatchString(u.Host)):
	default:
		return Target{}, ErrTarget
	}
	return t, nil
}

// String returns the target as the application wrote it.
func (t Target) String() string { return t.text }

// Host returns the host that an answer goes to; empty for a program on the device.
func (t Target) Host() string {
	if t.url.Scheme == "https" && !t.IsLoopback() {
		return t.url.Host
	}
	return ""
}

// IsLoopback reports whether the answer goes to the device on which it is asked for.
func (t Target) IsLoopback() bool {
	name := t.url.Hostname()
	return host.MatchString(t.url.Host) && (name == "localhost" || name == "127.0.0.1") || name == "::1"
}

// Source is what a policy for browsers calls the target: an origin, or a scheme.
func (t Target) Source() string {
	if strings.HasPrefix(t.url.Scheme, "http") && host.MatchString(t.url.Host) {
		return t.url.Scheme + "://" + t.url.Host
	}
	return t.url.Scheme + ":"
}

// Code is what an account has granted, until an application changes the code for a token.
type Code struct {
	Player  player.ID
	Request Request
	Created time.Time
	IsUsed  bool
}

// Redeem judges whether a request to the token endpoint may have the token of a code.
func (c Code) Redeem(form url.Values, now time.Time) error {
	sum := sha256.Sum256([]byte(form.Get("code_verifier")))
	proof := base64.RawURLEncoding.EncodeToString(sum[:])
	switch {
	case c.IsUsed:
		return &Fault{InvalidGrant, "the code has been used; its token is revoked"}
	case now.Sub(c.Created) > CodeLife:
		return &Fault{InvalidGrant, "the code has expired"}
	case form.Get("client_id") != c.Request.Client:
		return &Fault{InvalidGrant, "client_id is not that of the request"}
	case form.Get("redirect_uri") != c.Request.Target.String():
		return &Fault{InvalidGrant, "redirect_uri is not that of the request"}
	case !verifier.MatchString(form.Get("code_verifier")) || subtle.ConstantTimeCompare([]byte(proof), []byte(c.Request.Challenge)) != 1:
		return &Fault{InvalidGrant, "code_verifier is not that of the challenge"}
	}
	return nil
}

// CheckRedeem judges a request to the token endpoint before its code is looked up.
func CheckRedeem(form url.Values) error {
	if fault := repeated(form); fault != nil {
		return fault
	}
	switch kind := form.Get("grant_type"); {
	case kind == "":
		return &Fault{InvalidRequest, "grant_type is missing; it is authorization_code"}
	case kind != "authorization_code":
		return &Fault{UnsupportedGrantType, "grant_type is authorization_code"}
	}
	for _, name := range []string{"code", "client_id", "redirect_uri", "code_verifier"} {
		if form.Get(name) == "" {
			return &Fault{InvalidRequest, name + " is missing"}
		}
	}
	return nil
}
