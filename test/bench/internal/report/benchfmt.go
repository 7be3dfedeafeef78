// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"strings"
)

// WriteBenchfmt writes every value as a line of Go's benchmark format, for
// benchstat.
func WriteBenchfmt(w io.Writer, sections []Section) error {
	for _, s := range sections {
		for _, r := range s.Rows {
			for _, v := range r.Values {
				_, err := fmt.Fprintf(w, "Benchmark%s/%s/by=%s 1 %v %s\n",
					camel(s.Title), camel(r.What), strings.NewReplacer("/", "-", " ", "-").Replace(r.Contender),
					v, strings.ReplaceAll(r.Unit, " ", "-"))
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// camel joins words as a benchmark's name has them.
func camel(text string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return r > 'z' || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", r)
	}) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
