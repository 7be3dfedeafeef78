// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// version is that of the file's form.
const version = 1

const header = `# The Events that this repository records. "eventsmigrate catalog" writes this file, and "eventsmigrate catalog -check"
# fails if a controller, type, reason or action is not as it is here. Written by hand are only "meaning", which says more
# than the comment in "doc", the "controller" of entries for which the code does not tell it, and fields of your own.
`

type file struct {
	Version int      `yaml:"version"`
	Events  []*Entry `yaml:"events"`
}

// Read reads the entries of a file.
func Read(text []byte) ([]*Entry, error) {
	var f file
	if err := yaml.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	if f.Version != version {
		return nil, fmt.Errorf("version is %d, want %d", f.Version, version)
	}
	return f.Events, nil
}

// Write returns the file with these entries.
func Write(entries []*Entry) ([]byte, error) {
	text := bytes.NewBufferString(header)
	encoder := yaml.NewEncoder(text)
	encoder.SetIndent(2)
	if err := encoder.Encode(file{version, entries}); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}
