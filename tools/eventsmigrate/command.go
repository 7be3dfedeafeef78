// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// command is one of the tool's commands.
type command struct {
	name  string // the first argument, or "" for the migration
	about string // for people, in one line
	files string // what its arguments are
	none  string // the argument if there is none
	flags func(*options, *flag.FlagSet)
	run   func(context.Context, *job) error
}

// commands are all commands. The first is the one without a name.
var commands = []*command{
	{
		about: "Move Go code from client-go's tools/record and tools/events to the events API, and kubebuilder's RBAC with it.",
		files: "packages",
		none:  "./...",
		flags: (*options).migrationFlags,
		run:   migrate,
	},
	{
		name:  "rbac",
		about: "Add the rule for events.k8s.io to roles in files, below directories, or in standard input (-).",
		files: "manifests",
		none:  standardInput,
		flags: (*options).editFlags,
		run:   checkRoles,
	},
	{
		name:  "catalog",
		about: "Write events.yaml and events.md, which list the Events that the packages record.",
		files: "packages",
		none:  "./...",
		flags: (*options).catalogFlags,
		run:   catalogue,
	},
	{
		name:  "lint",
		about: "Find mistakes in the arguments of recording calls.",
		files: "packages",
		none:  "./...",
		flags: (*options).lintFlags,
		run:   runLints,
	},
}

// helpCommand prints the usage of a command.
const helpCommand = "help"

// commandOf returns the command of a name, or nil.
func commandOf(name string) *command {
	i := slices.IndexFunc(commands, func(c *command) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return commands[i]
}

// chosen returns the command that the first argument names, and the arguments of the command.
func chosen(args []string) (*command, []string) {
	if len(args) > 0 && args[0] != "" {
		if c := commandOf(args[0]); c != nil {
			return c, args[1:]
		}
	}
	return commands[0], args
}

// help prints the usage of the command that is named, or of the migration, which lists all commands.
func help(args []string, stdout, stderr io.Writer) int {
	c := commandOf(strings.Join(args, " "))
	if c == nil {
		fmt.Fprintf(stderr, "eventsmigrate: unknown command %q: eventsmigrate help lists all\n", strings.Join(args, " "))
		return couldNotRun
	}
	_, _ = c.parse([]string{"-h"}, stdout)
	return nothingLeft
}

// parse reads the arguments of the command. It prints its errors.
func (c *command) parse(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("eventsmigrate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintf(stderr, "usage: %s\n\n%s\nUnless named, %s are %s\n", c.synopsis(), c.about, c.files, c.none)
		fmt.Fprintf(stderr, "Exit code: %d nothing is left to do, %d something is left, %d it could not run.\n\nFlags:\n",
			nothingLeft, somethingLeft, couldNotRun)
		flags.PrintDefaults()
		if c != commands[0] {
			return
		}
		fmt.Fprintf(stderr, "\nOther commands:\n")
		for _, other := range commands[1:] {
			fmt.Fprintf(stderr, "  %s\n    \t%s\n", other.synopsis(), other.about)
		}
		fmt.Fprintf(stderr, "  eventsmigrate %s [command]\n    \tPrint the flags of a command.\n", helpCommand)
	}
	c.flags(o, flags)
	err := flags.Parse(args)
	if err != nil {
		return nil, err
	}
	o.args = flags.Args()
	err = behind(o.args, c.files)
	if len(o.args) == 0 {
		o.args = []string{c.none}
	}
	if len(o.tags) == 0 {
		o.tags = []string{""}
	}
	if c == commands[0] {
		err = cmp.Or(err, errors.Join(misplaced(o.args[0]), o.checkMigration()))
	}
	if err != nil {
		fmt.Fprintf(stderr, "eventsmigrate: %v\n", err)
	}
	return o, err
}

// behind returns an error if a flag stands behind the packages or manifests, where it would count as one of them.
func behind(args []string, files string) error {
	i := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") && arg != standardInput })
	if i < 0 {
		return nil
	}
	return fmt.Errorf("flags stand before the %s: %s", files, args[i])
}

// misplaced returns an error if the first package has the name of a command, which most likely stands behind its flags.
func misplaced(pattern string) error {
	if pattern != helpCommand && commandOf(pattern) == nil {
		return nil
	}
	return fmt.Errorf("%[1]s is a command, and stands before its flags: eventsmigrate %[1]s; a package is ./%[1]s", pattern)
}

func (c *command) synopsis() string {
	return strings.Join(strings.Fields("eventsmigrate "+c.name+" [flags] ["+c.files+"]"), " ")
}

// job runs the command.
func (c *command) job(ctx context.Context, o *options, stdin io.Reader, stderr io.Writer) (*report.Report, error) {
	j, err := newJob(o, stdin, stderr)
	if err != nil {
		return nil, err
	}
	defer j.progress.Done()
	if err := c.run(ctx, j); err != nil {
		return nil, err
	}
	j.report.Finish()
	return j.report, nil
}
