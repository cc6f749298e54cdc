package web

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/web/page"
)

func (s *Server) healthRoutes() []page.Route {
	return []page.Route{page.Get("/healthz", s.health, page.Anyone)}
}

// Leave makes health checks fail, so that the proxy sends visitors to other nodes. The node keeps serving requests.
func (s *Server) Leave() { s.leaving.Store(true) }

// health tells a proxy or container whether the node can read and write and is not about to stop.
func (s *Server) health(c echo.Context) error {
	if s.leaving.Load() {
		return c.String(http.StatusServiceUnavailable, "this node is about to stop\n")
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), 2*time.Second)
	defer cancel()
	if err := s.Store.Ping(ctx); err != nil {
		s.Log.Warn("database does not answer", "err", err)
		return c.String(http.StatusServiceUnavailable, "database does not answer, or its disk is full\n")
	}
	if err := s.Live.Alive(ctx); err != nil {
		s.Log.Warn("database takes no writes", "err", err)
		return c.String(http.StatusServiceUnavailable, "database takes no writes\n")
	}
	return c.String(http.StatusOK, "ok\n")
}
