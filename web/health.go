package web

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

func (s *Server) healthRoutes() []route {
	return []route{{get, "/healthz", s.health, anyone}}
}

// health tells a proxy or a container whether this node can serve: read and write.
func (s *Server) health(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), 2*time.Second)
	defer cancel()
	if err := s.store.Ping(ctx); err != nil {
		s.log.Warn("database does not answer", "err", err)
		return c.String(http.StatusServiceUnavailable, "database does not answer, or its disk is full\n")
	}
	if err := s.live.Alive(ctx); err != nil {
		s.log.Warn("database takes no writes", "err", err)
		return c.String(http.StatusServiceUnavailable, "database takes no writes\n")
	}
	return c.String(http.StatusOK, "ok\n")
}
