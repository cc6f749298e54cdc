package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/account"
)

type playerCmd struct {
	Add  playerAddCmd  `cmd:"" help:"Create an account."`
	Bot  playerBotCmd  `cmd:"" help:"Turn an account that has played no match into a bot, for good."`
	Link playerLinkCmd `cmd:"" help:"Print a link that signs an account in once, within a day."`
}

type playerAddCmd struct {
	databaseFlag
	Handle string `arg:"" help:"3 to 20 Latin letters, digits, - and _."`
	Role   string `default:"player" enum:"player,organizer,operator" help:"player, organizer or operator."`
	Bot    bool   `help:"Played by the house."`
}

// Run creates an account without a password: its owner signs in by a link and chooses
// one, or uses a token.
func (c playerAddCmd) Run(ctx context.Context, std cli.IO) error {
	handle, err := player.ParseNewHandle(c.Handle)
	if err != nil {
		return cli.Fail(2, "%q: %w", c.Handle, err)
	}
	role, err := player.ParseRole(c.Role)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	if c.Bot && role != player.Plain {
		return cli.Fail(2, "a bot only plays: it has the role player")
	}
	err = c.write(ctx, func(tx *store.Tx) error {
		return tx.AddPlayer(player.Player{ID: player.ID(store.NewID()), Handle: handle, Role: role, Bot: c.Bot, Created: time.Now()}, "")
	})
	if errors.Is(err, store.ErrTaken) {
		return cli.Fail(1, "the handle %s is taken", handle)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(std.Out, "%s added\n", handle)
	return nil
}

type playerBotCmd struct {
	databaseFlag
	Handle     string `arg:"" help:"The account."`
	Maintainer string `required:"" help:"The person who answers for it."`
}

// Run converts an account and ends its sessions and tokens.
func (c playerBotCmd) Run(ctx context.Context, std cli.IO) error {
	err := c.write(ctx, func(tx *store.Tx) error {
		p, err := playerNamed(tx, c.Handle)
		if err != nil {
			return err
		}
		of, err := playerNamed(tx, c.Maintainer)
		if err != nil {
			return err
		}
		n, err := tx.CountMatches(p.ID)
		if err != nil {
			return err
		}
		if p, err = p.BecomeBot(of, n); err != nil {
			return cli.Fail(1, "%w", err)
		}
		return tx.ConvertToBot(p)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(std.Out, "%s is a bot now\n", c.Handle)
	return nil
}

type playerLinkCmd struct {
	databaseFlag
	Handle  string `arg:"" help:"The account."`
	BaseURL string `name:"base-url" env:"CHPOK_BASE_URL" default:"http://127.0.0.1:8080" help:"Address of the site."`
}

func (c playerLinkCmd) Run(ctx context.Context, std cli.IO) error {
	var secret player.Secret
	err := c.write(ctx, func(tx *store.Tx) error {
		p, err := playerNamed(tx, c.Handle)
		if err != nil {
			return err
		}
		secret, err = tx.CreateSignInLink(p.ID, time.Now().Add(player.SignInLinkLife))
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(std.Out, strings.TrimRight(c.BaseURL, "/")+account.SignInLinkPath(secret))
	return nil
}

type tokenCmd struct {
	Add tokenAddCmd `cmd:"" help:"Create an API token for an account and print it."`
}

type tokenAddCmd struct {
	databaseFlag
	Handle string   `arg:"" help:"The account the token acts for."`
	Name   string   `default:"command line" help:"Name by which its owner recognizes it."`
	Days   int      `help:"Days until it expires; 0: never."`
	Scope  []string `placeholder:"SCOPE,…" help:"What it may do: the scopes that /api names. Default: all that the account can."`
}

func (c tokenAddCmd) Run(ctx context.Context, std cli.IO) error {
	name, err := player.ParseTokenName(c.Name)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	var secret player.Secret
	err = c.write(ctx, func(tx *store.Tx) error {
		p, err := playerNamed(tx, c.Handle)
		if err != nil {
			return err
		}
		scopes, err := p.ParseScopes(c.Scope)
		if err != nil {
			return cli.Fail(2, "%w", err)
		}
		t := player.Token{Player: p.ID, Name: name, Scopes: scopes, Created: time.Now()}
		if c.Days > 0 {
			t.Ends = t.Created.AddDate(0, 0, c.Days)
		}
		secret, err = tx.AddToken(t)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(std.Out, secret)
	return nil
}

// playerNamed returns an account; without it the command ends with status 1.
func playerNamed(tx *store.Tx, handle string) (player.Player, error) {
	p, err := tx.PlayerByHandle(player.Handle(handle))
	if errors.Is(err, store.ErrNotFound) {
		err = cli.Fail(1, "there is no account %s", handle)
	}
	return p, err
}

type migrateCmd struct {
	databaseFlag
	NoBackup bool `name:"no-backup" help:"Make no copy of the database before."`
}

// Run opens the database, which brings its schema up to date.
func (c migrateCmd) Run(ctx context.Context, std cli.IO) error {
	s, err := c.openWith(ctx, store.Options{NoBackup: c.NoBackup})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(std.Out, "the database has this release's schema")
	return nil
}
