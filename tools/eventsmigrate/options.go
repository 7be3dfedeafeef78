// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// options are a command line. A command has flags for some of them.
type options struct {
	json, fix, diff bool
	args            []string

	tags  []string // one for each build
	force bool

	check bool

	version, fromEvents  bool
	target, actions, sdk string
	writesActions        bool // the file of actions does not exist, and is to be written
}

// rewriteFlags declares the flags that go vet can pass, too.
func (o *options) rewriteFlags(flags *flag.FlagSet) {
	flags.BoolVar(&o.fromEvents, "from-events", false,
		"move only recorders of client-go's tools/events, and no code of tools/record")
	flags.StringVar(&o.target, "target", "sdk", "what rewritten code uses: sdk, client-go or controller-runtime")
	flags.StringVar(&o.actions, "actions", "", "a `file` of lines \"Reason: Action\", which win over what "+
		"the tool would choose; if it does not exist, it is written with that, and nothing else is")
}

func (o *options) migrationFlags(flags *flag.FlagSet) {
	o.rewriteFlags(flags)
	o.lintFlags(flags)
	flags.BoolVar(&o.force, "force", false, "with -fix: write what the tool refuses to write, because no call would write "+
		"events.k8s.io that does not today, or because a package does not compile")
	flags.BoolVar(&o.version, "version", false, "print the version of this binary")
	flags.StringVar(&o.sdk, "sdk", released(),
		"the SDK `version` that go.mod is to require, where it requires none, or the directory of a checkout")
}

func (o *options) lintFlags(flags *flag.FlagSet) {
	o.editFlags(flags)
	o.tagsFlag(flags)
}

func (o *options) editFlags(flags *flag.FlagSet) {
	o.jsonFlag(flags)
	flags.BoolVar(&o.fix, "fix", false, "write the edits")
	flags.BoolVar(&o.diff, "diff", false, "print the edits as a unified diff, and write nothing")
}

func (o *options) catalogFlags(flags *flag.FlagSet) {
	o.jsonFlag(flags)
	o.tagsFlag(flags)
	flags.BoolVar(&o.check, "check", false, "compare events.yaml with the code, and write nothing")
	flags.BoolVar(&o.force, "force", false, "leave out packages that do not compile")
}

func (o *options) jsonFlag(flags *flag.FlagSet) {
	flags.BoolVar(&o.json, "json", false, "print one JSON document")
}

func (o *options) tagsFlag(flags *flag.FlagSet) {
	flags.Func("tags", "build tags, as for go build; given again, another build to look at in the same run, "+
		"for files that the first leaves out", func(tags string) error {
		o.tags = append(o.tags, tags)
		return nil
	})
}

// checkMigration returns an error if the flags of a migration have values that they cannot have.
func (o *options) checkMigration() error {
	if o.actions != "" {
		_, err := os.Stat(o.actions)
		o.writesActions = errors.Is(err, fs.ErrNotExist)
	}
	_, err := o.config()
	return errors.Join(err, o.checkSDK())
}

// checkSDK returns an error if -sdk is no version, and no checkout either.
func (o *options) checkSDK() error {
	info, err := os.Stat(o.sdk)
	isPath := filepath.IsAbs(o.sdk) || build.IsLocalImport(filepath.ToSlash(o.sdk)) || err == nil && info.IsDir()
	switch {
	case !isPath:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("-sdk: the directory %s does not exist", o.sdk)
	case err != nil:
		return fmt.Errorf("-sdk: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(o.sdk, "go.mod"))
	if err != nil || modfile.ModulePath(text) != load.SDK {
		return fmt.Errorf("-sdk: the directory %s is no checkout of %s: its go.mod is not there, or names another module",
			o.sdk, load.SDK)
	}
	return nil
}

// config is the configuration of the rewrite.
func (o *options) config() (*rewrite.Config, error) {
	target, err := api.ParseTarget(o.target)
	if err != nil {
		return nil, err
	}
	if o.fromEvents && target != api.SDK {
		return nil, fmt.Errorf("-from-events needs -target=%s, because the other targets are tools/events itself", api.SDK)
	}
	config := &rewrite.Config{EventsOnly: o.fromEvents}
	config.Target = target
	if o.actions != "" && !o.writesActions {
		config.Actions, err = readActions(o.actions)
	}
	return config, err
}

// version is that of this binary, such as v0.1.0, or (devel) if nobody knows.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// released is the version of this binary if it is a release. The SDK has the same.
func released() string {
	if v := version(); semver.IsValid(v) && semver.Prerelease(v) == "" {
		return v
	}
	return ""
}
