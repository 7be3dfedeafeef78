// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed table/*.txt
var files embed.FS

// bases contains the Events to which the edits of creates and updates are applied. For each API
// group, "new" is a valid Event with an eventTime, "old" is a valid Event without one, as written
// by components that use client-go's package record, and "empty" has no fields. events.k8s.io/v1
// refuses "old", because it requires an eventTime.
//
//go:embed bases.json
var bases []byte

// File is one file of the table.
type File struct {
	Name   string
	Scenes []Scene
}

// Scene is a list of requests that are sent in order. A request may depend on the effects of the
// earlier ones.
type Scene struct {
	// Title contains the lines of the title.
	Title []string
	Rows  []Row
}

// Row is a request and the answer to it.
type Row struct {
	// Line is the line of the request in its file.
	Line    int
	Rules   []string
	Request string
	Answer  string
	// Kit is the answer of the test kit's clientset, or "" if it equals Answer.
	Kit string
}

// FromKit returns the answer that the clientset of the test kit must give.
func (r Row) FromKit() string {
	if r.Kit != "" {
		return r.Kit
	}
	return r.Answer
}

// Indent is the prefix of a line that contains an answer. If Kit follows Indent, the line contains
// the answer of the clientset, which differs from the answer of the server.
const (
	Indent = "    "
	Kit    = "kit: "
)

// Load returns the files of the table, sorted by name. It panics if a file contains a mistake,
// because the table is part of the program.
func Load() []File {
	entries, err := files.ReadDir("table")
	if err != nil {
		panic(err)
	}
	var all []File
	for _, entry := range entries {
		text, err := files.ReadFile("table/" + entry.Name())
		if err != nil {
			panic(err)
		}
		scenes, err := parse(string(text))
		if err != nil {
			panic(fmt.Sprintf("parity: table/%s:%v", entry.Name(), err))
		}
		all = append(all, File{entry.Name(), scenes})
	}
	return all
}

// parse parses a file of the table. Its errors begin with a line number.
func parse(text string) ([]Scene, error) {
	var scenes []Scene
	scene := &Scene{}
	end := func() {
		if len(scene.Title) > 0 || len(scene.Rows) > 0 {
			scenes = append(scenes, *scene)
		}
		scene = &Scene{}
	}
	for i, line := range strings.Split(text, "\n") {
		if line == "" {
			end()
			continue
		}
		if err := scene.add(i+1, line); err != nil {
			return nil, fmt.Errorf("%d: %w", i+1, err)
		}
	}
	end()
	return scenes, nil
}

// add parses one line and adds it to the scene.
func (s *Scene) add(number int, line string) error {
	if title, ok := strings.CutPrefix(line, "# "); ok && len(s.Rows) == 0 {
		s.Title = append(s.Title, title)
		return nil
	}
	answer, indented := strings.CutPrefix(line, Indent)
	if !indented {
		rules, request, found := strings.Cut(line, " ")
		if !found {
			return fmt.Errorf("no request: %q", line)
		}
		s.Rows = append(s.Rows, Row{
			Line:    number,
			Rules:   strings.Split(rules, ","),
			Request: request,
		})
		return nil
	}
	if len(s.Rows) == 0 {
		return fmt.Errorf("an answer without a request: %q", line)
	}
	row := &s.Rows[len(s.Rows)-1]
	if other, ok := strings.CutPrefix(answer, Kit); ok {
		row.Kit = other
	} else if row.Answer == "" {
		row.Answer = answer
	} else {
		return fmt.Errorf("a second answer: %q", line)
	}
	return nil
}
