// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package catalog reads the file in which "eventsmigrate catalog" lists the Events of a program, and finds what an Event
// means.
package catalog

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/eventseries/eventseries/eventview"
)

// Catalog has the entries of files.
type Catalog struct{ entries []entry }

type entry struct {
	Controller string `json:"controller"`
	Type       string `json:"type"`
	Reason     string `json:"reason"`
	Action     string `json:"action"`
	Doc        string `json:"doc"`
	Meaning    string `json:"meaning"`
}

// Read reads files.
func Read(names ...string) (*Catalog, error) {
	c := &Catalog{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var file struct {
			Version int     `json:"version"`
			Events  []entry `json:"events"`
		}
		if err := yaml.Unmarshal(text, &file); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if file.Version != 1 {
			return nil, fmt.Errorf("%s: version is %d, want 1, as eventsmigrate catalog writes it", name, file.Version)
		}
		c.entries = append(c.entries, file.Events...)
	}
	return c, nil
}

// Meaning returns what an Event means: what somebody has written, or else the comment in the code. The entry has the
// reason of the Event, and its controller, unless it has none. Of several it is the one with the same controller, type and
// action, in this order. Meaning returns one line, or "" if there is no entry.
func (c *Catalog) Meaning(e *eventview.Event) (meaning string) {
	best := -1
	for i := range c.entries {
		known := &c.entries[i]
		text := cmp.Or(known.Meaning, known.Doc)
		if text == "" || known.Reason != e.Reason || known.Controller != "" && known.Controller != e.Controller {
			continue
		}
		score := 0
		for _, same := range []bool{known.Controller == e.Controller, known.Type == e.Type, known.Action == e.Action} {
			score *= 2
			if same {
				score++
			}
		}
		if score > best {
			best, meaning = score, strings.Join(strings.Fields(text), " ")
		}
	}
	return meaning
}
