// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package command

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/table"
)

func newTimeline(r *reading) *cobra.Command {
	watch := false
	c := &cobra.Command{
		Use:   "kubectl-eventseries [TYPE/NAME | TYPE NAME]",
		Short: "List Events as series, in the order in which they were last seen",
		Long:  "List the Events of any component, with a line for each series. The newest series is the last line.",
		Example: `  # What happened in the last ten minutes
  kubectl eventseries -A --since 10m

  # Warnings about a Deployment, its ReplicaSets and its Pods, also new ones
  kubectl eventseries deployment/web --children --types Warning -w`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return r.timeline(c.Context(), args, watch) },
	}
	r.addFlags(c)
	r.addCatalog(c)
	r.print.AddFlags(c, "", "wide", "json", "yaml", "name")
	c.Flags().BoolVarP(&watch, "watch", "w", false, "After the existing Events, show each change of an Event and each new one.")
	return c
}

func (r *reading) timeline(ctx context.Context, args []string, watch bool) error {
	c, q, events, err := r.read(ctx, args)
	if err != nil {
		return err
	}
	all := views(events)
	slices.SortStableFunc(all, func(a, b eventview.Event) int {
		return cmp.Or(a.Last.Compare(b.Last), a.First.Compare(b.First), cmp.Compare(a.Name, b.Name))
	})
	if r.print.Structured() && !watch {
		list := []series{} // not nil
		for i := range all {
			list = append(list, r.newSeries(&all[i], time.Now()))
		}
		return r.print.Print(r.Out, map[string]any{"items": list})
	}
	rows := table.New(&r.print, r.Out, r.columns()...)
	if err := r.printEvents(rows, all...); err != nil || !watch {
		return err
	}
	return c.Watch(ctx, q, events, func(e *eventview.Event) error { return r.printEvents(rows, *e) })
}

// printEvents prints Events as they come.
func (r *reading) printEvents(rows *table.Table, events ...eventview.Event) (err error) {
	var cells []table.Row
	for i := range events {
		switch e := &events[i]; r.print.Format {
		case "name":
			_, err = fmt.Fprintf(r.Out, "event/%s\n", e.Name)
		case "json", "yaml":
			err = r.printDocument(r.newSeries(e, time.Now()))
		default:
			cells = append(cells, r.row(e, time.Now()))
		}
		if err != nil {
			return err
		}
	}
	if len(cells) == 0 {
		return nil
	}
	return rows.Print(cells...)
}

// printDocument prints one of several JSON or YAML documents.
func (r *reading) printDocument(document any) error {
	if r.print.Format == "yaml" {
		fmt.Fprintln(r.Out, "---")
	}
	return r.print.Print(r.Out, document)
}

// series is an Event as programs read it.
type series struct {
	eventview.Event
	RatePerMinute float64 `json:"ratePerMinute,omitempty"`
	Ended         bool    `json:"ended"`
	Meaning       string  `json:"meaning,omitempty"`
}

func (r *reading) newSeries(e *eventview.Event, now time.Time) series {
	return series{*e, rate(e.Count, e.First, e.Last), e.Ended(now), r.meaning(e)}
}

var timelineColumns = []string{
	"Namespace", "Last Seen", "First Seen", "Count", "Rate", "Type", "Reason", "Object", "Related+", "Action+", "Reporter",
	"Instance+", "Name+", "Note",
}

// columns are those of the timeline that the flags ask for.
func (r *reading) columns() []string {
	columns := timelineColumns
	if !r.all {
		columns = columns[1:]
	}
	if r.catalog != nil {
		columns = append(slices.Clone(columns), "Meaning")
	}
	return columns
}

func (r *reading) row(e *eventview.Event, now time.Time) table.Row {
	row := table.Row{Warning: e.Type == corev1.EventTypeWarning, Cells: []any{
		e.Namespace, ago(e.Last, now), ago(e.First, now), e.Count, rateText(rate(e.Count, e.First, e.Last)), e.Type, e.Reason,
		objectText(&e.Regarding), objectText(&e.Related), e.Action, e.Controller, e.Instance, e.Name, noteText(e),
	}}
	if !r.all {
		row.Cells = row.Cells[1:]
	}
	if r.catalog != nil {
		row.Cells = append(row.Cells, r.meaning(e))
	}
	return row
}

// noteText is the note, and the newest one if it differs.
func noteText(e *eventview.Event) string {
	if e.NewestNote == e.Note {
		return e.Note
	}
	return cmp.Or(e.Note, "-") + "; newest: " + e.NewestNote
}

func objectText(r *corev1.ObjectReference) string { return strings.Trim(r.Kind+"/"+r.Name, "/") }

// rate is the number of occurrences a minute, and zero for a single one. What took less than a minute took one: two in a
// second say nothing about a minute.
func rate(count int64, first, last time.Time) float64 {
	if count < 2 {
		return 0
	}
	return float64(count) / max(last.Sub(first).Minutes(), 1)
}

func rateText(perMinute float64) string {
	switch {
	case perMinute == 0:
		return ""
	case perMinute < 1:
		return fmt.Sprintf("%.1f/h", perMinute*60)
	}
	return fmt.Sprintf("%.1f/min", perMinute)
}

// ago is the time since at, as kubectl writes it. An Event may have no time, one that no clock has, or one of a clock that
// is ahead: by up to a minute that is now.
func ago(at, now time.Time) string {
	const century = 100 * 365 * 24 * time.Hour
	switch since := now.Sub(at); {
	case at.IsZero(), since.Abs() >= century:
		return "<unknown>"
	case since < -time.Minute:
		return duration.HumanDuration(-since) + " ahead"
	default:
		return duration.HumanDuration(max(since, 0))
	}
}
