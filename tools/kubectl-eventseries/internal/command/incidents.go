// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/eventview/incident"
	"github.com/eventseries/eventseries/internal/plural"
	"github.com/eventseries/eventseries/internal/usercode"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/cluster"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/table"
)

func newIncidents(r *reading) *cobra.Command {
	watch := false
	c := &cobra.Command{
		Use:   "incidents [TYPE/NAME | TYPE NAME]",
		Short: "Join the Events of one cause, and show a line for each cause",
		Long: `Join the Events that have the same cause into an incident, such as all failures to pull from one registry, and show a line for
each incident, the newest last. An incident is over if nothing of it has occurred for 10 minutes, or for 36 minutes if a node is
away or the writer may count late.`,
		Example: `  # What is wrong in the cluster
  kubectl eventseries incidents -A

  # Also what begins, grows and ends from now on
  kubectl eventseries incidents -A -w`,
		RunE: func(c *cobra.Command, args []string) error { return r.incidents(c.Context(), args, watch) },
	}
	r.addFlags(c)
	r.print.AddFlags(c, "", "wide", "json", "yaml")
	c.Flags().BoolVarP(&watch, "watch", "w", false, "After the existing incidents, show each that opens, grows or ends.")
	return c
}

func (r *reading) incidents(ctx context.Context, args []string, watch bool) error {
	c, q, events, err := r.read(ctx, args)
	if err != nil {
		return err
	}
	tracker := trackerOf(views(events), time.Now())
	all := tracker.Incidents()
	if r.print.Structured() && !watch {
		return r.print.Print(r.Out, map[string]any{"items": append([]incident.Incident{}, all...)}) // not nil
	}
	if len(events) > 0 && len(all) == 0 && !r.print.Structured() {
		fmt.Fprintln(r.ErrOut, "No incidents found.")
	}
	rows := r.newIncidentTable()
	if err := r.printIncidents(rows, all, time.Now()); err != nil || !watch {
		return err
	}
	return r.watchIncidents(ctx, c, q, events, tracker, rows)
}

// trackerOf returns a tracker that knows the Events of a list.
func trackerOf(events []eventview.Event, now time.Time) *incident.Tracker {
	tracker := incident.New()
	for _, e := range slices.SortedFunc(slices.Values(events), incident.Compare) {
		tracker.Observe(&e)
	}
	tracker.Tick(now)
	return tracker
}

// tickInterval is the time between two looks at incidents that may have opened or ended.
const tickInterval = 5 * time.Second

// watchIncidents prints the changes of incidents until ctx ends.
func (r *reading) watchIncidents(
	ctx context.Context, c *cluster.Client, q *cluster.Query, known []cluster.Event, tracker *incident.Tracker, rows *table.Table,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changes := make(chan *eventview.Event)
	ended := make(chan error, 1)
	go func() {
		ended <- c.Watch(ctx, q, known, func(e *eventview.Event) error {
			select {
			case changes <- e:
			case <-ctx.Done():
			}
			return nil
		})
	}()
	ticker := time.NewTicker(tickInterval)
	defer ticker.Stop()
	for {
		select {
		case e := <-changes:
			tracker.Observe(e)
		case now := <-ticker.C:
			if err := r.printIncidents(rows, tracker.Tick(now), now); err != nil {
				cancel()
				<-ended
				return err
			}
		case err := <-ended:
			return err
		}
	}
}

func (r *reading) newIncidentTable() *table.Table {
	return table.New(&r.print, r.Out, "State", "Since", "Last Seen", "Objects", "Reason", "First Object", "Reporter", "ID+", "Before+",
		"Note")
}

// printIncidents prints incidents as they come.
func (r *reading) printIncidents(rows *table.Table, all []incident.Incident, now time.Time) error {
	var cells []table.Row
	for _, i := range all {
		if r.print.Structured() {
			if err := r.printDocument(i); err != nil {
				return err
			}
			continue
		}
		cells = append(cells, table.Row{Warning: i.State != incident.Over, Cells: []any{
			string(i.State), ago(i.First, now), ago(i.Last, now), i.Objects, i.Reason, i.FirstObject.String(), i.Controller, i.ID,
			strings.Join(i.Before, "; "), i.Note,
		}})
	}
	if len(cells) == 0 {
		return nil
	}
	return rows.Print(cells...)
}

// maxIncidentNote is the maximum length of the note in a line of a digest, in bytes.
const maxIncidentNote = 120

// incidentLines returns a line for each incident that is not over, the newest first, in at most size bytes.
func incidentLines(events []eventview.Event, size int, now time.Time) (lines string) {
	all := trackerOf(events, now).Incidents()
	all = slices.DeleteFunc(all, func(i incident.Incident) bool { return i.State == incident.Over })
	slices.Reverse(all)
	for n, i := range all {
		line := fmt.Sprintf("incident %s for %s: %s of %s, first %v: %s\n", i.State, ago(i.First, now), i.Reason,
			plural.Of(i.Objects, "object"), i.FirstObject, usercode.Shorten(i.Note, maxIncidentNote))
		rest := ""
		if left := len(all) - n - 1; left > 0 {
			rest = fmt.Sprintf("and %s\n", plural.Of(left, "more incident"))
		}
		if len(lines)+len(line)+len(rest) > size {
			if n > 0 {
				lines += fmt.Sprintf("and %s\n", plural.Of(len(all)-n, "more incident"))
			}
			return lines
		}
		lines += line
	}
	return lines
}
