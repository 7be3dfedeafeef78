// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/cluster"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/table"
)

func newTop(r *reading) *cobra.Command {
	var by string
	var limit int
	c := &cobra.Command{
		Use:   "top [TYPE/NAME | TYPE NAME]",
		Short: "Show the reasons, objects, namespaces or reporters with the highest rates",
		Long: `Group Events by reason, object, namespace or reporter, and show the groups with the highest rates first. The first line, (all),
has the sums.

RATE is the number of occurrences divided by the time from the first to the last one, but by at least a minute. It is shown per
minute, and per hour if it is below one a minute. A group with a single occurrence has no rate. ETCD is the size of the Events
in etcd. Until etcd is compacted they take more, because each write of an Event stores a whole copy.`,
		RunE: func(c *cobra.Command, args []string) error { return r.top(c.Context(), args, by, limit) },
	}
	r.addFlags(c)
	r.print.AddFlags(c, "", "json", "yaml")
	c.Flags().StringVar(&by, "by", "reason", fmt.Sprintf("Group by one of: (%s).", strings.Join(keyNames, ", ")))
	c.Flags().IntVar(&limit, "limit", 20, "The maximum number of groups; 0 shows all.")
	_ = c.RegisterFlagCompletionFunc("by", cobra.FixedCompletions(keyNames, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (r *reading) top(ctx context.Context, args []string, by string, limit int) error {
	if keys[by] == nil {
		return fmt.Errorf("--by %s: want one of %s", by, strings.Join(keyNames, ", "))
	}
	_, _, events, err := r.read(ctx, args)
	if err != nil {
		return err
	}
	noisy := noiseOf(events, by, limit)
	switch {
	case r.print.Structured():
		return r.print.Print(r.Out, map[string]any{"items": noisy})
	case len(events) == 0:
		return nil
	}
	return printNoise(&r.print, r.Out, by, noisy, time.Now())
}

// noise is what Events that have something in common amount to.
type noise struct {
	Key           string    `json:"key"`
	Events        int       `json:"events"`
	Count         int64     `json:"count"`
	Warnings      int64     `json:"warnings"`
	RatePerMinute float64   `json:"ratePerMinute"`
	Bytes         int64     `json:"bytes"`
	First         time.Time `json:"first"`
	Last          time.Time `json:"last"`
}

// everything is the key of the first row.
const everything = "(all)"

// keys are what Events can be grouped by.
var keys = map[string]func(*eventview.Event) string{
	"reason":    func(e *eventview.Event) string { return cmp.Or(e.Reason, "<none>") },
	"object":    func(e *eventview.Event) string { return eventview.ByObject(e).String() },
	"namespace": func(e *eventview.Event) string { return e.Namespace },
	"reporter":  func(e *eventview.Event) string { return cmp.Or(e.Controller, "<none>") },
}

var keyNames = slices.Sorted(maps.Keys(keys))

// noiseOf returns all Events as one, and then the noisiest groups, as many as limit says. 0 is all.
func noiseOf(events []cluster.Event, by string, limit int) []noise {
	all := []noise{} // not nil
	add := func(key func(*eventview.Event) string) {
		from := len(all)
		bytes := map[string]int64{}
		for i := range events {
			bytes[key(&events[i].Event)] += events[i].Bytes
		}
		for _, g := range eventview.GroupBy(views(events), key) {
			perMinute := rate(g.Count, g.First, g.Last)
			all = append(all, noise{g.Key, len(g.Events), g.Count, g.Warnings, perMinute, bytes[g.Key], g.First, g.Last})
		}
		slices.SortStableFunc(all[from:], func(a, b noise) int {
			return cmp.Or(cmp.Compare(b.RatePerMinute, a.RatePerMinute), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key))
		})
	}
	add(func(*eventview.Event) string { return everything })
	add(keys[by])
	if limit > 0 {
		all = all[:min(limit+1, len(all))]
	}
	return all
}

func printNoise(o *table.Options, w io.Writer, by string, noisy []noise, now time.Time) error {
	var rows []table.Row
	for _, n := range noisy {
		rows = append(rows, table.Row{Warning: n.Warnings > 0 && n.Key != everything, Cells: []any{
			n.Key, rateText(n.RatePerMinute), n.Count, n.Warnings, n.Events, fmt.Sprintf("%.1fKi", float64(n.Bytes)/1024),
			ago(n.First, now), ago(n.Last, now),
		}})
	}
	return table.New(o, w, by, "Rate", "Count", "Warnings", "Events", "Etcd", "First Seen", "Last Seen").Print(rows...)
}
