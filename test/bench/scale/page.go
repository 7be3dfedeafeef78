// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/eventseries/eventseries/test/bench/scale/internal/load"
)

//go:embed page.md.tmpl
var pageText string

//go:embed example_test.go
var exampleText string

// Example is code that a test runs.
func (*study) Example() string {
	code := strings.ReplaceAll(strings.Split(exampleText, "\t// ---\n")[1], "\n\t", "\n")
	return strings.TrimSpace(code)
}

// write writes the page and its charts.
func (s *study) write(dir string) error {
	for name, c := range s.charts() {
		svg, err := c.svg(s.Runs)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), svg, 0o644); err != nil {
			return err
		}
	}
	text, err := s.page()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "scale.md"), []byte(text), 0o644)
}

// charts are the pictures of the page, by the names of their files.
func (s *study) charts() map[string]chart {
	hours := s.Normal.Span.Hours()
	requests := func(title string, day func(*run) *dayResult) chart {
		values := func(r *run) []float64 { return day(r).perMinute() }
		return chart{title + ", mean of each minute", "requests per second", values, hours}
	}
	normal, bad := func(r *run) *dayResult { return &r.Normal }, func(r *run) *dayResult { return &r.Bad }
	stored := func(r *run) []float64 { return r.Bad.alive() }
	return map[string]chart{
		"scale-normal.svg": requests("Normal day", normal),
		"scale-bad.svg":    requests("Bad day", bad),
		"scale-stored.svg": {"Bad day", "Events stored", stored, hours},
	}
}

func (s *study) page() (string, error) {
	functions := template.FuncMap{"n": grouped[int], "f": func(x float64) string { return fmt.Sprintf("%.3g", x) }}
	t, err := template.New("page").Funcs(functions).Parse(pageText)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := t.Execute(&b, s); err != nil {
		return "", err
	}
	return b.String(), nil
}

// table is one in Markdown.
func table(head string, rows [][]string) string {
	columns := strings.Split(head, "|")
	var b strings.Builder
	fmt.Fprintf(&b, "|%s|\n|%s\n", head, strings.Repeat("---|", len(columns)))
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// NormalTable and BadTable tell how the days went.
func (s *study) NormalTable() string { return s.dayTable(func(r *run) *dayResult { return &r.Normal }) }

// BadTable is NormalTable of the bad day.
func (s *study) BadTable() string { return s.dayTable(func(r *run) *dayResult { return &r.Bad }) }

func (s *study) dayTable(of func(*run) *dayResult) string {
	var rows [][]string
	for _, r := range s.Runs {
		d := of(r)
		mean, p99, peak := d.perSecond()
		rows = append(rows, []string{
			r.Name, fmt.Sprintf("%.0f", mean), grouped(p99), grouped(peak), grouped(d.Totals.Writes()),
			short(d.Warnings.Took.Median) + ", " + short(d.Warnings.Took.P99),
			short(d.Firsts.Took.Median) + ", " + short(d.Firsts.Took.P99), short(d.All.Median) + ", " + short(d.All.P99),
			percent(d.Totals.Lost(), d.Totals.Occurrences), percent(int64(d.Totals.Inexact), int64(d.Totals.Series)),
			grouped(slices.Max(d.Goroutines)),
		})
	}
	return table(" |writes/s: mean|99 % of seconds below|busiest second|writes in all|"+
		"first occurrence of a Warning until stored: median, p99|first occurrence of an Event: median, p99|"+
		"every occurrence until a count includes it: median, p99|"+
		"never arrives|wrong count in the end|goroutines at most", rows)
}

// MemoryTable tells what a component holds.
func (s *study) MemoryTable() string {
	var rows [][]string
	calm, whole := time.Duration(load.RegistryFrom*float64(s.Bad.Span)), s.Bad.Span
	for _, r := range s.Runs {
		for _, of := range []struct {
			kind string
			m    *memory
		}{{"kubelet", &r.Kubelet}, {"scheduler", &r.Scheduler}} {
			control := s.Controls[of.kind]
			heap, stacks, goroutines := of.m.each(control, calm)
			worst, worstStacks, worstGoroutines := of.m.each(control, whole)
			rows = append(rows, []string{
				of.kind, r.Name, kib(heap), kib(stacks), fmt.Sprintf("%.1f", goroutines),
				kib(worst), kib(worstStacks), fmt.Sprintf("%.1f", worstGoroutines),
			})
		}
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return table("component| |heap before the trouble|stacks|goroutines|heap at worst|stacks|goroutines", rows)
}

// IdleTable tells what silence costs.
func (s *study) IdleTable() string {
	var rows [][]string
	for _, r := range s.Runs {
		n := float64(r.Idle.Components)
		rows = append(rows, []string{
			r.Name, fmt.Sprintf("%.1f", float64(r.Idle.Alive.Goroutines)/n), kib(float64(r.Idle.Alive.Heap) / n),
			kib(float64(r.Idle.Alive.Stacks) / n), r.Idle.CPU.Round(time.Millisecond).String(),
		})
	}
	return table(" |goroutines each|heap each|stacks each|CPU of all in an hour", rows)
}

// SaidTable tells what there was to say.
func (s *study) SaidTable() string {
	normal, bad := s.Runs[0].Normal.Said, s.Runs[0].Bad.Said
	var rows [][]string
	for _, what := range slices.Sorted(maps.Keys(bad)) {
		rows = append(rows, []string{what, grouped(normal[what]), grouped(bad[what])})
	}
	return table("type and reason|normal day|bad day", rows)
}

// Warnings is the share of the bad day's occurrences that are Warnings.
func (s *study) Warnings() string {
	var warnings, all int64
	for what, n := range s.Runs[0].Bad.Said {
		all += n
		if strings.HasPrefix(what, "Warning") {
			warnings += n
		}
	}
	return percent(warnings, all)
}

func grouped[T int | int64](n T) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func percent(n, of int64) string {
	if n == 0 {
		return "0"
	}
	share := 100 * float64(n) / float64(max(1, of))
	if share >= 10 {
		return fmt.Sprintf("%.0f %%", share)
	}
	return fmt.Sprintf("%.2g %%", share)
}

func kib(bytes float64) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%.1f MiB", bytes/(1<<20))
	}
	return fmt.Sprintf("%.0f KiB", bytes/(1<<10))
}

func short(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}
