package web

import (
	_ "embed"
	"net/http"

	"github.com/labstack/echo/v4"
)

//go:embed openapi.json
var openAPI []byte

func (s *Server) apiDescription(c echo.Context) error {
	return c.JSONBlob(http.StatusOK, openAPI)
}
