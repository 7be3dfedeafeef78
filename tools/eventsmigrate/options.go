// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"go/build"
	"io"
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

// options are the command line.
type options struct {
	fix, force, diff, lint, json, rbac, version bool

	catalog, check bool

	from, target, actions, sdk string

	asks bool // the file of actions does not exist, and is to be written

	patterns []string
	tags     []string // one for each build
}

// fromEvents is the value of -from.
const fromEvents = "events"

// register declares the flags that go vet can pass, too.
func (o *options) register(flags *flag.FlagSet) {
	flags.BoolVar(&o.lint, "lint", false, "run the lints, and no rewrite")
	flags.StringVar(&o.from, "from", "", "the only API to move from: events, which is client-go's tools/events")
	flags.StringVar(&o.target, "target", "sdk", "what rewritten code uses: sdk, client-go or controller-runtime")
	flags.StringVar(&o.actions, "actions", "", "a `file` of lines \"Reason: Action\", which win over what "+
		"the tool would choose; if it does not exist, it is written with that, and nothing else is")
}

// parse reads the command line. It prints its errors.
func parse(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("eventsmigrate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintf(stderr, "%s\nFlags:\n", usage)
		flags.PrintDefaults()
	}
	o.register(flags)
	flags.BoolVar(&o.fix, "fix", false, "write the edits")
	flags.BoolVar(&o.force, "force", false, "with -fix: write even if nothing would write events.k8s.io that does not today; "+
		"with -catalog: leave out packages that do not compile")
	flags.BoolVar(&o.diff, "diff", false, "print the edits as a unified diff, and write nothing")
	flags.BoolVar(&o.json, "json", false, "print one JSON document")
	flags.BoolVar(&o.rbac, "rbac", false, "look at the roles in manifests, and at no code: of files, of directories, "+
		"or of standard input (-), such as what helm template prints")
	flags.BoolVar(&o.catalog, "catalog", false, "write events.yaml and events.md, which list the Events that the packages record")
	flags.BoolVar(&o.check, "check", false, "with -catalog: compare events.yaml with the code, and write nothing")
	flags.Func("tags", "build tags, as for go build; given again, another build to look at in the same run, "+
		"for files that the first leaves out", func(tags string) error {
		o.tags = append(o.tags, tags)
		return nil
	})
	flags.BoolVar(&o.version, "version", false, "print the version of this binary")
	flags.StringVar(&o.sdk, "sdk", released(),
		"the SDK `version` that go.mod is to require, where it requires none, or the directory of a checkout")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	o.patterns = flags.Args()
	switch {
	case len(o.patterns) > 0:
	case o.rbac:
		o.patterns = []string{standardInput}
	default:
		o.patterns = []string{"./..."}
	}
	if len(o.tags) == 0 {
		o.tags = []string{""}
	}
	if o.actions != "" && !o.lint {
		_, err := os.Stat(o.actions)
		o.asks = errors.Is(err, fs.ErrNotExist)
	}
	_, err := o.config()
	if err = errors.Join(err, o.checkSDK(), o.checkCatalog()); err != nil {
		fmt.Fprintf(stderr, "eventsmigrate: %v\n", err)
	}
	return o, err
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

// checkCatalog returns an error if flags do not go with -catalog, or -check without it.
func (o *options) checkCatalog() error {
	switch {
	case o.check && !o.catalog:
		return errors.New("-check needs -catalog")
	case o.catalog && (o.fix || o.diff || o.lint || o.json || o.rbac):
		return errors.New("-catalog takes of the other flags only -check, -force and -tags")
	}
	return nil
}

const usage = `usage: eventsmigrate [flags] [packages]
       eventsmigrate -rbac [flags] [manifests]

Moves Go code from k8s.io/client-go/tools/record to the events API, and the RBAC of kubebuilder markers with it.
Code that makes recorders of k8s.io/client-go/tools/events makes recorders of the SDK afterwards.
Without -fix or -diff it says what it would do. Packages are ./... unless named, and manifests are standard input.
Exit code: 0 nothing is left to do, 1 something is left, 2 it could not run.
`

// config is the configuration of the rewrite.
func (o *options) config() (*rewrite.Config, error) {
	target, err := api.ParseTarget(o.target)
	if err != nil {
		return nil, err
	}
	config := &rewrite.Config{}
	config.Target, config.EventsOnly = target, o.from == fromEvents
	switch {
	case o.from != "" && !config.EventsOnly:
		return nil, fmt.Errorf("unknown API %q: -from=%s moves from client-go's tools/events alone", o.from, fromEvents)
	case config.EventsOnly && target != api.SDK:
		return nil, fmt.Errorf("-from=%s needs -target=%s, because the other targets are tools/events itself", fromEvents, api.SDK)
	}
	if o.actions != "" && !o.asks {
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
