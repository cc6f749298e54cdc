package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/migrations"
)

type versionCmd struct{}

// Run prints what Go has stamped into the program: the tag of its commit, or a version made of the commit's day and
// hash ("+dirty" if files were changed), the commit, and when it was made (RFC 3339, UTC). Go stamps nothing where it
// finds no repository, and in linked work trees.
func (versionCmd) Run(std cli.IO) error {
	version, stamped := "(devel)", map[string]string{"vcs.revision": "unknown", "vcs.time": "unknown"}
	if build, ok := debug.ReadBuildInfo(); ok {
		version = build.Main.Version
		for _, s := range build.Settings {
			stamped[s.Key] = s.Value
		}
	}
	_, err := fmt.Fprintf(std.Out, "chpok %s\ncommit %s\ndate %s\nschema %d\nbuilt by %s for %s/%s\n", version,
		stamped["vcs.revision"], stamped["vcs.time"], migrations.Newest(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
