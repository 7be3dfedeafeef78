// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package command has the commands of kubectl eventseries.
package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/catalog"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/cluster"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/table"
)

// errFound is what doctor returns when it has found something.
var errFound = errors.New("there are findings")

// Run runs the program and returns its exit code: 1 after an error, and for doctor 1 after a finding and 2 after an error.
func Run(ctx context.Context, args []string, streams genericiooptions.IOStreams) int {
	root := newRoot(streams)
	root.SetArgs(args)
	c, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errFound):
		return 1
	case ctx.Err() != nil:
		return 130 // as a shell says of Ctrl-C
	}
	fmt.Fprintf(streams.ErrOut, "error: %v\n", err)
	if c.Name() == "doctor" {
		return 2
	}
	return 1
}

func newRoot(streams genericiooptions.IOStreams) *cobra.Command {
	flags := genericclioptions.NewConfigFlags(true)
	all := func() *reading {
		r := &reading{IOStreams: streams, flags: flags}
		r.print.Colour = printers.AllowsColorOutput(streams.Out)
		return r
	}
	root := newTimeline(all())
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl eventseries"}
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetOut(streams.Out)
	root.SetErr(streams.ErrOut)
	if info, ok := debug.ReadBuildInfo(); ok {
		root.Version = info.Main.Version
	}
	flags.AddFlags(root.PersistentFlags())
	for _, name := range []string{"namespace", "context", "cluster", "user"} {
		_ = root.RegisterFlagCompletionFunc(name, asKubectl("--"+name))
	}
	root.AddCommand(newTop(all()), newDoctor(all()), newDigest(all()), newIncidents(all()))
	return root
}

// reading is what commands have that read Events, with the flags that say which.
type reading struct {
	genericiooptions.IOStreams
	flags *genericclioptions.ConfigFlags
	print table.Options

	all               bool
	since             time.Duration
	types, reasons    []string
	children, related bool

	catalogs []string
	catalog  *catalog.Catalog // nil without a file
}

func (r *reading) connect() (*cluster.Client, error) { return cluster.Connect(r.flags, r.ErrOut) }

func (r *reading) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVarP(&r.all, "all-namespaces", "A", false, "Read the Events of all namespaces.")
	f.DurationVar(&r.since, "since", 0, "Only Events that occurred within this time, such as 10m.")
	f.StringSliceVar(&r.types, "types", nil, "Only these types, such as Warning.")
	f.StringSliceVar(&r.reasons, "reason", nil, "Only these reasons.")
	f.BoolVar(&r.children, "children", false, "Also Events about what the object owns, such as a Deployment's Pods.")
	f.BoolVar(&r.related, "related", false, "Also Events in which the object is the related one.")
	c.ValidArgsFunction = asKubectl()
	_ = c.RegisterFlagCompletionFunc("types", cobra.FixedCompletions([]string{"Normal", "Warning"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("reason", r.completeReason)
}

// addCatalog adds the flag of commands that show what Events mean.
func (r *reading) addCatalog(c *cobra.Command) {
	c.Flags().StringSliceVar(&r.catalogs, "catalog", nil,
		"Files that say what Events mean, such as events.yaml of eventsmigrate catalog.")
	_ = c.MarkFlagFilename("catalog", "yaml", "yml")
}

// meaning returns what an Event means, as far as the files say.
func (r *reading) meaning(e *eventview.Event) string {
	if r.catalog == nil {
		return ""
	}
	return r.catalog.Meaning(e)
}

// query resolves the objects that the arguments name.
func (r *reading) query(ctx context.Context, c *cluster.Client, args []string) (*cluster.Query, error) {
	objects, _, err := c.Objects(args)
	if err != nil {
		return nil, err
	}
	switch named := len(objects) > 0; {
	case (r.children || r.related) && !named:
		return nil, errors.New("--children and --related need an object, such as deployment/web")
	case r.all && named && objects[0].Namespace != "":
		return nil, errors.New("a resource cannot be retrieved by name across all namespaces")
	}
	q := &cluster.Query{Namespace: c.Namespace, Reasons: r.reasons}
	for _, t := range r.types {
		q.Types = append(q.Types, strings.ToUpper(t[:min(1, len(t))])+strings.ToLower(t[min(1, len(t)):]))
	}
	if r.since > 0 {
		q.Since = time.Now().Add(-r.since)
	}
	if r.all || len(objects) > 0 && objects[0].Namespace == "" { // Events about cluster-scoped objects may be anywhere
		q.Namespace = ""
	}
	if len(objects) == 1 && !r.children && !r.related {
		q.Object = &objects[0]
	}
	var family *cluster.Family
	if r.children {
		if family, err = c.NewFamily(objects); err != nil {
			return nil, err
		}
	}
	if len(objects) > 0 {
		q.About = func(e *eventview.Event) bool {
			return slices.ContainsFunc(objects, func(o cluster.Object) bool {
				return o.Is(&e.Regarding) || r.related && o.Is(&e.Related)
			}) || r.children && family.Has(ctx, &e.Regarding)
		}
	}
	return q, nil
}

// read reads the Events. Without any, it says so, but to programs.
func (r *reading) read(ctx context.Context, args []string) (*cluster.Client, *cluster.Query, []cluster.Event, error) {
	if len(r.catalogs) > 0 {
		var err error
		if r.catalog, err = catalog.Read(r.catalogs...); err != nil {
			return nil, nil, nil, err
		}
	}
	c, err := r.connect()
	if err != nil {
		return nil, nil, nil, err
	}
	q, err := r.query(ctx, c, args)
	if err != nil {
		return nil, nil, nil, err
	}
	events, err := c.List(ctx, q)
	if err == nil && len(events) == 0 && !r.print.Structured() {
		fmt.Fprintf(r.ErrOut, "No Events found in %s namespace.\n", cmp.Or(q.Namespace, "any"))
	}
	return c, q, events, err
}

func views(events []cluster.Event) (all []eventview.Event) {
	for i := range events {
		all = append(all, events[i].Event)
	}
	return all
}
