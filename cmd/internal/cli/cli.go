// Package cli runs a program of commands: it reads the arguments by kong's grammar, and
// turns what a command answers into a message and an exit status.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// IO is what a command reads and writes; tests pass buffers.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
}

// exitError ends the process with a status, after its message, if any, is printed to
// standard error.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// Fail returns an error that ends the program with a status and a message.
func Fail(code int, format string, args ...any) error {
	return &exitError{code, fmt.Errorf(format, args...)}
}

// Exit returns an error that ends the program with a status and says nothing more.
func Exit(code int) error { return &exitError{code: code} }

// Program is a program by its name, what it is for, and its commands: Commands makes the
// struct that lists them.
type Program struct {
	Name, About string
	Commands    func() any
}

// Main runs the program on this process and ends it.
func (p Program) Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := p.Run(ctx, os.Args[1:], IO{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// Run returns the exit status: 0 done, 1 failed, 2 wrong usage or unreadable input, others
// by command.
func (p Program) Run(ctx context.Context, args []string, std IO) int {
	exited, status := false, 0
	parser, err := kong.New(p.Commands(),
		kong.Name(p.Name),
		kong.Description(p.About),
		kong.UsageOnError(),
		kong.Writers(std.Out, std.Err),
		kong.Exit(func(code int) { exited, status = true, code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(std),
	)
	if err != nil {
		fmt.Fprintf(std.Err, "%s: %v\n", p.Name, err)
		return 1
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	kctx, err := parser.Parse(args)
	if exited { // --help
		return status
	}
	if err != nil {
		fmt.Fprintf(std.Err, "%s: %v\n", p.Name, err)
		return 2
	}
	err = kctx.Run()
	var exit *exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		if exit.err != nil {
			fmt.Fprintf(std.Err, "%s: %v\n", p.Name, exit.err)
		}
		return exit.code
	default:
		fmt.Fprintf(std.Err, "%s: %v\n", p.Name, err)
		return 1
	}
}
