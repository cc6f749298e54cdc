package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"chpok.org/chpok/cmd/internal/cli"
)

// healthCmd is for containers without another HTTP client.
type healthCmd struct {
	Addr string `env:"CHPOK_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address that it serves on."`
}

// healthWithin is a little more than the server waits for its database.
const healthWithin = 3 * time.Second

// Run asks the server on this machine for its health. Status 1: it is not well.
func (c healthCmd) Run(ctx context.Context, std cli.IO) error {
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return cli.Fail(2, "CHPOK_ADDR: %w", err)
	}
	if host == "" || net.ParseIP(host).IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, healthWithin)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return cli.Fail(2, "CHPOK_ADDR: %w", err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return cli.Fail(1, "%s", strings.TrimSpace(string(said)))
	}
	fmt.Fprint(std.Out, string(said))
	return nil
}
