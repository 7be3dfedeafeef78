// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// results are values by "name unit", as 198 of "Repeat/impl=eventseries/series=1/args=no cpu-ns/op".
type results struct {
	values  map[string][]float64
	configs map[string]map[string]string // the circumstances by the name of a benchmark
}

// readResults reads what go test -bench has printed.
func readResults(dir string) (*results, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	r := &results{values: map[string][]float64{}, configs: map[string]map[string]string{}}
	files := benchfmt.Files{Paths: paths}
	for files.Scan() {
		switch record := files.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, record
		case *benchfmt.Result:
			r.add(record)
		}
	}
	return r, files.Err()
}

func (r *results) add(record *benchfmt.Result) {
	base, parts := record.Name.Parts()
	name := string(base)
	for _, part := range parts {
		if part[0] == '/' { // and not GOMAXPROCS
			name += string(part)
		}
	}
	for _, v := range record.Values {
		if v.OrigUnit != "" {
			v.Value, v.Unit = v.OrigValue, v.OrigUnit
		}
		r.values[name+" "+v.Unit] = append(r.values[name+" "+v.Unit], v.Value)
	}
	config := map[string]string{}
	for _, c := range record.Config {
		config[c.Key] = string(c.Value)
	}
	r.configs[string(base)] = config
}

// config is one of the circumstances of a benchmark.
func (r *results) config(benchmark, key string) string { return r.configs[benchmark][key] }

// page has the functions of a template. Each table compares columns: the values that stand for "*" in the pattern of a
// row, which is a key of results.
type page struct {
	results *results
	columns []string
	Demands int      // in all tables
	Failed  []string // those that are not met

	Compared, Reproduced int // public figures
}

var pages = []string{"benchmarks.md", "scale.md", "cost.md"}

// writePages executes every template.
func writePages(dir, docs string) error {
	r, err := readResults(dir)
	if err != nil {
		return err
	}
	for _, name := range pages {
		text, err := r.page(name + ".tmpl")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(docs, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// page executes a template, twice: its head tells of demands that are decided below it.
func (r *results) page(name string) ([]byte, error) {
	p := &page{results: r}
	t, err := template.New(name).Funcs(template.FuncMap{
		"head": p.head, "row": p.row, "growth": p.growth, "config": r.config,
		"runs": p.runs, "facts": p.facts, "fact": p.fact, "compare": p.compare, "spread": p.spread,
		"migrated": p.migrated,
	}).ParseFiles(name)
	if err != nil {
		return nil, err
	}
	if err := t.Execute(io.Discard, p); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	first := *p
	p.Demands, p.Failed, p.Compared, p.Reproduced = 0, nil, 0, 0
	err = t.Execute(&b, first)
	return b.Bytes(), err
}

// runs lists when benchmarks were run, those of one run in one line.
func (p *page) runs(benchmarks ...string) string {
	var order []string
	names := map[string][]string{}
	for _, name := range benchmarks {
		run := p.results.config(name, "date") + ", commit " + p.results.config(name, "commit")
		if names[run] == nil {
			order = append(order, run)
		}
		names[run] = append(names[run], name)
	}
	text := ""
	for _, run := range order {
		text += "\n* " + strings.Join(names[run], ", ") + ": " + run
	}
	return strings.TrimSpace(text)
}

// head begins a table with a column for each contender or size, and one for demands.
func (p *page) head(columns ...string) string {
	p.columns = columns
	rule := "\n|---|" + strings.Repeat("--:|", len(columns)) + "---|"
	return line(append(append([]string{""}, columns...), "demand")) + rule
}

// line is one of a table.
func line(cells []string) string {
	for i, cell := range cells {
		cells[i] = cmp.Or(cell, " ")
	}
	return "|" + strings.Join(cells, "|") + "|"
}

// row is a line with the medians of a pattern. Several units make several figures of a cell.
func (p *page) row(label, pattern string, demands ...string) (string, error) {
	name, units, _ := strings.Cut(pattern, " ")
	key := func(impl, unit string) string { return strings.ReplaceAll(name, "*", slug(impl)) + " " + unit }
	first, _, _ := strings.Cut(units, " ")
	if len(p.results.values[key(sdk, first)]) == 0 {
		return "", fmt.Errorf("no results of %q", pattern)
	}
	cells := []string{label}
	for _, column := range p.columns {
		var figures []string
		for unit := range strings.FieldsSeq(units) {
			figures = append(figures, figure(p.results.values[key(column, unit)], p.results.values[key(sdk, unit)], unit))
		}
		cells = append(cells, strings.Join(figures, ", "))
	}
	return p.judge(cells, demands, func(impl, unit string) float64 {
		if unit == "" {
			unit = first
		}
		return median(p.results.values[key(impl, unit)])
	})
}

// growth is a line with a column for each size, "#" in the pattern, of what the SDK, "*" in the
// pattern, needs for one. The demands are about the exponent, which is the slope of a line through
// the logarithms. It is 0 if the size does not matter.
func (p *page) growth(label, pattern string, demands ...string) (string, error) {
	sizes := p.columns[:len(p.columns)-1]
	at := func(size, impl string) float64 {
		return median(p.results.values[strings.NewReplacer("*", slug(impl), "#", slug(size)).Replace(pattern)])
	}
	exponent := func(impl, _ string) float64 {
		var xs, ys []float64
		for _, size := range sizes {
			x, _ := strconv.ParseFloat(slug(size), 64) // not a number makes no exponent
			xs, ys = append(xs, math.Log(x)), append(ys, math.Log(at(size, impl)))
		}
		return slope(xs, ys)
	}
	cells := []string{label}
	for _, size := range sizes {
		cells = append(cells, amount(at(size, sdk)))
	}
	return p.judge(append(cells, amount(exponent(sdk, ""))), demands, exponent)
}

// slope is that of the line which fits best.
func slope(xs, ys []float64) float64 {
	var mx, my, covariance, variance float64
	for i := range xs {
		mx, my = mx+xs[i]/float64(len(xs)), my+ys[i]/float64(len(ys))
	}
	for i := range xs {
		covariance += (xs[i] - mx) * (ys[i] - my)
		variance += (xs[i] - mx) * (xs[i] - mx)
	}
	return covariance / variance
}

var spaces = regexp.MustCompile(` ?([≤≥×÷+]) ?`)

// judge ends a line with its demands.
func (p *page) judge(cells, demands []string, value func(impl, unit string) float64) (string, error) {
	for i, d := range demands {
		met, err := decide(d, value)
		if err != nil {
			return "", err
		}
		p.Demands++
		d = spaces.ReplaceAllString(d, "$1")
		if met {
			demands[i] = d + " ✓"
			continue
		}
		demands[i] = "**" + d + " ✗**"
		p.Failed = append(p.Failed, cells[0]+": "+d)
	}
	return line(append(cells, strings.Join(demands, ", "))), nil
}

// demand is a bound of what the SDK needs, of another unit than the row's perhaps: "≤ 480", "≤ 10 s", "≤ 1.3 × floor",
// "≤ tools/events ÷ 15", "≤ floor + 0.1", "allocs/op ≤ 0".
var demand = regexp.MustCompile(`^(?:([^ ]+) )?([≤≥]) (?:([\d.]+)(?: s| × (.+))?|(.+?)(?: ([÷+]) ([\d.]+))?)$`)

// decide reports whether a demand is met, or one of several demands with "or" between them. A
// demand about a value that was not measured is not met.
func decide(text string, value func(impl, unit string) float64) (bool, error) {
	for one := range strings.SplitSeq(text, " or ") {
		m := demand.FindStringSubmatch(one)
		if m == nil {
			return false, fmt.Errorf("no demand: %q", one)
		}
		number, _ := strconv.ParseFloat(m[3]+m[7], 64) // one of them is empty
		bound := number
		switch {
		case m[4] != "":
			bound = number * value(m[4], m[1])
		case m[6] == "÷":
			bound = value(m[5], m[1]) / number
		case m[5] != "":
			bound = value(m[5], m[1]) + number
		}
		if got := value(sdk, m[1]); m[2] == "≤" && got <= bound || m[2] == "≥" && got >= bound {
			return true, nil
		}
	}
	return false, nil
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return summary(values).Center
}

func summary(values []float64) benchmath.Summary {
	return benchmath.AssumeNothing.Summary(sample(values), 0.95)
}

func sample(values []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
}

// figure is the median with its confidence interval. A "~" says that the difference to the SDK may be chance.
func figure(values, sdk []float64, unit string) string {
	switch {
	case len(values) == 0:
		return ""
	case strings.HasSuffix(unit, "-seconds"):
		return short(time.Duration(median(values) * float64(time.Second)))
	case strings.HasSuffix(unit, "-bytes"):
		return kib(median(values))
	}
	text := amount(median(values))
	if varies(values) {
		text += "±" + summary(values).PctRangeString()
	}
	c := benchmath.AssumeNothing.Compare(sample(sdk), sample(values))
	if !slices.Equal(values, sdk) && (varies(values) || varies(sdk)) && c.P > c.Alpha {
		text += "~"
	}
	return text
}

func varies(values []float64) bool {
	return slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

// amount is a value with three significant digits, and whole where it is a hundred or more.
func amount(v float64) string {
	switch size := math.Abs(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "–"
	case v == math.Trunc(v) || size >= 100:
		return grouped(int64(math.Round(v)))
	case size >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case size >= 0.1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

func grouped(n int64) string {
	if n < 0 {
		return "-" + grouped(-n)
	}
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
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
