// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"text/template"

	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/count"
	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/script"
)

// wholeMinutes is the length of a run that may be published.
const wholeMinutes = 30

//go:embed page.md.tmpl
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"refused": refused,
	"percent": func(share float64) float64 { return 100 * share },
	"mib":     func(bytes int64) int64 { return bytes >> 20 },
}).Parse(pageText))

// print writes the table of one run for a terminal.
func (r *result) print(w io.Writer) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "component\treason\toccurrences\twrites\trefused\tEvents\tsum\tlost\tlate\taction\trelated\tannotated\t")
	line := func(row *count.Row) {
		fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", row.Component, row.Reason, row.Occurrences,
			row.Writes, refused(row.Refused), row.Events, row.Sum, row.Lost(), row.Late, row.Action, row.Related, row.Annotated)
	}
	for _, row := range r.Rows {
		line(&row)
	}
	for _, row := range r.Totals() {
		row.Reason = "(all)"
		line(&row)
	}
	_ = out.Flush()
	for _, u := range r.Usage {
		fmt.Fprintf(w, "%s: %.1f s of CPU, %d MiB, %d starts\n", u.Component, u.CPU.Seconds(), u.MaxRSS>>20, u.Starts)
	}
	fmt.Fprintf(w, "%d bytes of Events\n", r.Bytes)
}

// refused writes statuses and how often they were.
func refused(statuses map[int]int) string {
	var all []string
	for _, status := range slices.Sorted(maps.Keys(statuses)) {
		all = append(all, fmt.Sprintf("%d: %d", status, statuses[status]))
	}
	return strings.Join(all, ", ")
}

// comparison is both runs.
type comparison struct {
	Before, After *result
	Pod           string
	Steps         []script.Step
}

// pair is one row of both runs.
type pair struct{ Before, After count.Row }

// Worse pairs the rows of the reasons that lost occurrences after, or were written more often.
func (c *comparison) Worse() []pair {
	return slices.DeleteFunc(pairs(c.Before.Rows, c.After.Rows), func(p pair) bool {
		return p.After.Lost() == 0 && p.After.Writes <= p.Before.Writes
	})
}

// Totals pairs the rows of the components.
func (c *comparison) Totals() []pair { return pairs(c.Before.Totals(), c.After.Totals()) }

// Needs pairs what the components needed in both runs.
func (c *comparison) Needs() (all []struct{ Before, After usage }) {
	for _, u := range c.Before.Usage {
		pair := struct{ Before, After usage }{Before: u}
		for _, other := range c.After.Usage {
			if other.Component == u.Component {
				pair.After = other
			}
		}
		all = append(all, pair)
	}
	return all
}

func pairs(before, after []count.Row) (all []pair) {
	key := func(row count.Row) string { return row.Component + " " + row.Reason }
	seen := map[string]bool{}
	for _, row := range slices.Concat(before, after) {
		if seen[key(row)] {
			continue
		}
		seen[key(row)] = true
		all = append(all, pair{find(before, row), find(after, row)})
	}
	slices.SortStableFunc(all, func(a, b pair) int { return strings.Compare(key(a.Before), key(b.Before)) })
	return all
}

// find returns the row of the same component and reason, or an empty one.
func find(rows []count.Row, like count.Row) count.Row {
	for _, row := range rows {
		if row.Component == like.Component && row.Reason == like.Reason {
			return row
		}
	}
	return count.Row{Component: like.Component, Reason: like.Reason}
}

// Missing are the objects and reasons that have an Event before, and none after though they were recorded.
func (c *comparison) Missing() []string {
	return c.without(func(subject string) bool { return slices.Contains(c.After.Recorded, subject) })
}

// Absent are those that were not recorded after: on which node a pod is, or whether a node dies while it has one, is chance.
func (c *comparison) Absent() []string {
	return c.without(func(subject string) bool { return !slices.Contains(c.After.Recorded, subject) })
}

// without returns what has an Event before and none after, if want says so.
func (c *comparison) without(want func(subject string) bool) (all []string) {
	for _, subject := range c.Before.Stored {
		if !slices.Contains(c.After.Stored, subject) && want(subject) {
			all = append(all, subject)
		}
	}
	return all
}

// Failed are the demands that are not met.
func (c *comparison) Failed() (all []string) {
	for _, row := range c.After.Rows {
		if row.Early() > 0 {
			all = append(all, fmt.Sprintf("%s %s: %d of %d occurrences are lost", row.Component, row.Reason, row.Early(),
				row.Occurrences))
		}
		for _, status := range []int{403, 422} {
			if n := row.Refused[status]; n > 0 {
				all = append(all, fmt.Sprintf("%s %s: %d writes are refused with %d", row.Component, row.Reason, n, status))
			}
		}
	}
	for _, total := range c.Totals() {
		if total.After.Writes > total.Before.Writes {
			all = append(all, fmt.Sprintf("%s: %d writes, before %d", total.After.Component, total.After.Writes,
				total.Before.Writes))
		}
	}
	for _, subject := range c.Missing() {
		all = append(all, "no Event any more: "+subject)
	}
	return all
}

// publish compares both runs, and writes the page if they were whole.
func (o *options) publish() (err error) {
	c := &comparison{Pod: script.Pod, Steps: o.script()}
	if c.Before, err = load(o.resultFile(before)); err != nil {
		return err
	}
	if c.After, err = load(o.resultFile(after)); err != nil {
		return err
	}
	failed := c.Failed()
	for _, line := range failed {
		fmt.Println("not met:", line)
	}
	fmt.Printf("%d demands are not met\n", len(failed))
	if o.kubelet && len(failed) > 0 {
		return fmt.Errorf("what the components logged is in %s", o.cache)
	}
	if c.Before.Minutes < wholeMinutes || c.After.Minutes < wholeMinutes {
		return nil
	}
	text, err := c.render()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.docs, "kubernetes.md"), text, 0o644)
}

func (c *comparison) render() ([]byte, error) {
	var text bytes.Buffer
	err := page.Execute(&text, c)
	return text.Bytes(), err
}
