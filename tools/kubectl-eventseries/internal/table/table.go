// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package table prints rows as kubectl does, and objects as JSON and YAML.
package table

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/liggitt/tabwriter"
	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/printers"
	"sigs.k8s.io/yaml"
)

// Options are the flags that say how a command prints.
type Options struct {
	Format    string
	NoHeaders bool
	// Colour is for terminals.
	Colour bool
}

// AddFlags adds -o with these formats, the first of which is the default, and --no-headers.
func (o *Options) AddFlags(c *cobra.Command, formats ...string) {
	allowed := strings.TrimPrefix(strings.Join(formats, ","), ",")
	c.Flags().StringVarP(&o.Format, "output", "o", formats[0], "Output format. One of: ("+allowed+").")
	c.Flags().BoolVar(&o.NoHeaders, "no-headers", false, "Print no headers.")
	_ = c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	c.PreRunE = func(*cobra.Command, []string) error {
		if !slices.Contains(formats, o.Format) {
			return fmt.Errorf("unable to match a printer suitable for the output format %q, allowed formats are: %s", o.Format, allowed)
		}
		return nil
	}
}

// Structured reports whether the format is one for programs.
func (o *Options) Structured() bool { return o.Format == "json" || o.Format == "yaml" }

// Marshal is v as JSON or YAML.
func (o *Options) Marshal(v any) ([]byte, error) {
	if o.Format == "yaml" {
		return yaml.Marshal(v)
	}
	text, err := json.MarshalIndent(v, "", "    ")
	return append(text, '\n'), err
}

// Print prints v as JSON or YAML.
func (o *Options) Print(w io.Writer, v any) error {
	text, err := o.Marshal(v)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// Row is one of a table.
type Row struct {
	Cells []any
	// Warning is shown in yellow.
	Warning bool
}

// Table prints rows as they come. Columns stay as wide as they were.
type Table struct {
	columns []metav1.TableColumnDefinition
	paint   *painter
	out     *tabwriter.Writer
	printer printers.ResourcePrinter
}

// New returns a table that is printed to w. Columns whose names end in "+" are for -o wide only.
func New(o *Options, w io.Writer, columns ...string) *Table {
	t := &Table{paint: &painter{out: w, enabled: o.Colour}}
	for _, c := range columns {
		name, wide := strings.CutSuffix(c, "+")
		column := metav1.TableColumnDefinition{Name: name}
		if wide {
			column.Priority = 1
		}
		t.columns = append(t.columns, column)
	}
	if !o.NoHeaders {
		t.paint.yellow = []bool{false}
	}
	t.out = printers.GetNewTabWriter(t.paint)
	t.printer = printers.NewTablePrinter(printers.PrintOptions{NoHeaders: o.NoHeaders, Wide: o.Format == "wide"})
	return t
}

// Print prints rows.
func (t *Table) Print(rows ...Row) error {
	table := &metav1.Table{ColumnDefinitions: t.columns}
	for _, r := range rows {
		table.Rows = append(table.Rows, metav1.TableRow{Cells: r.Cells})
		t.paint.yellow = append(t.paint.yellow, r.Warning)
	}
	if err := t.printer.PrintObj(table, t.out); err != nil {
		return err
	}
	return t.out.Flush()
}

// painter colours whole lines, since the widths of columns must not count colours. A row is one line.
type painter struct {
	out     io.Writer
	enabled bool
	yellow  []bool // the lines that come
	line    []byte
}

func (p *painter) Write(text []byte) (int, error) {
	for _, c := range text {
		if c != '\n' {
			p.line = append(p.line, c)
			continue
		}
		line := strings.TrimRight(string(p.line), " ")
		if p.enabled && p.yellow[0] {
			line = "\x1b[33m" + line + "\x1b[0m"
		}
		p.line, p.yellow = p.line[:0], p.yellow[1:]
		if _, err := io.WriteString(p.out, line+"\n"); err != nil {
			return 0, err
		}
	}
	return len(text), nil
}
