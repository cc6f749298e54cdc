// Package livetest starts what tests of several nodes need.
package livetest

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Bus starts a NATS server for a test and returns its address.
func Bus(t testing.TB) string {
	t.Helper()
	bus, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	bus.Start()
	t.Cleanup(bus.Shutdown)
	if !bus.ReadyForConnections(20 * time.Second) {
		t.Fatal("the bus does not start")
	}
	return bus.ClientURL()
}
