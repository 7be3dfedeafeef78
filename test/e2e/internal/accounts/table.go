// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package accounts

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/eventseries/eventseries/events"
)

// Row is what is to be said about one scenario.
type Row struct {
	Scenario    string
	Emitted     int64
	Stats       events.Stats
	OnServer    int64
	Unaccounted int64
	// Resumed is the longest that it took from a recovery to the next write that
	// the server accepted, and CaughtUp until all that waited was written.
	Resumed, CaughtUp time.Duration
}

// Table collects rows. It is safe for concurrent use.
type Table struct {
	mu   sync.Mutex
	rows []Row
}

// Add adds a row at the end.
func (t *Table) Add(row Row) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = append(t.rows, row)
}

// Print writes the table as plain text; nothing if it is empty.
func (t *Table) Print(w io.Writer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.rows) == 0 {
		return
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "scenario\temitted\trecorded\tdropped\tunconfirmed\ton server\tunaccounted\t"+
		"resumed\tcaught up\twrites\tretries\t")
	for i := range t.rows {
		r := &t.rows[i]
		fmt.Fprintf(out, "%s\t%d\t%d\t%s\t%d\t%d\t%d\t%s\t%s\t%d\t%d\t\n",
			r.Scenario, r.Emitted, r.Stats.Recorded, reasons(r.Stats.Dropped), r.Stats.Unconfirmed, r.OnServer,
			r.Unaccounted, seconds(r.Resumed), seconds(r.CaughtUp), r.Stats.Creates+r.Stats.Patches, r.Stats.Retries)
	}
	_ = out.Flush()
}

func reasons(dropped map[events.DropReason]int64) string {
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(dropped)) {
		if n := dropped[reason]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", reason, n))
		}
	}
	if len(parts) == 0 {
		return "0"
	}
	return strings.Join(parts, ", ")
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }
