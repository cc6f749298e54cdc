package page

import (
	"strings"

	"github.com/labstack/echo/v4"
)

// LeadTo lets the forms of the page lead on to another origin: browsers hold redirects to the policy of the form's page.
func LeadTo(c echo.Context, origin string) {
	const policy = "Content-Security-Policy"
	h := c.Response().Header()
	h.Set(policy, strings.Replace(h.Get(policy), "form-action 'self'", "form-action 'self' "+origin, 1))
}
