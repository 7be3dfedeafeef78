// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"cmp"
	"fmt"
	"strings"
)

// PageHead is how a page begins. It tells the page from one that somebody has written.
const PageHead = "<!-- \"eventsmigrate catalog\" writes this page together with events.yaml. -->\n"

// Page returns the entries as a page of Markdown, with a table for each controller.
func Page(entries []*Entry) []byte {
	var page strings.Builder
	page.WriteString(PageHead + "\n# Events\n")
	for i, e := range entries {
		if i == 0 || entries[i-1].Controller != e.Controller {
			fmt.Fprintf(&page, "\n## %s\n\n| type | reason | action | about | note | meaning |\n|---|---|---|---|---|---|\n",
				cmp.Or(e.Controller, "Any controller"))
		}
		about := strings.Join(e.Regarding, ", ")
		if len(e.Related) > 0 {
			about += " with " + strings.Join(e.Related, ", ")
		}
		var notes []string
		for _, note := range e.Notes {
			notes = append(notes, asCode(note))
		}
		fmt.Fprintf(&page, "| %s | %s | %s | %s | %s | %s |\n", e.Type, e.Reason, e.Action, about,
			strings.Join(notes, "<br>"), cell(cmp.Or(e.Meaning, e.Doc)))
	}
	return []byte(page.String())
}

// cell returns text that stays in one cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}

// asCode returns text as code. What has a backquote is between two of them.
func asCode(text string) string {
	quote := "`"
	if strings.Contains(text, "`") {
		quote = "``"
	}
	return quote + strings.NewReplacer("|", `\|`, "\n", " ").Replace(text) + quote
}
