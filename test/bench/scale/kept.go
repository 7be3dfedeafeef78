// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// archive keeps what jobs came to, so that a run goes on where it was interrupted and
// the page can be written again without one.
type archive struct {
	dir   string
	build string // of this program, whose results count as done
	any   bool   // those of any other program, too
	fresh bool   // none
}

// kept is the file of a job.
type kept struct {
	Job    job
	Build  string
	Result json.RawMessage
}

// find returns what a job came to, and nil if that is not kept.
func (a *archive) find(j job) (json.RawMessage, error) {
	if a.fresh {
		return nil, nil
	}
	f, err := os.Open(a.path(j))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	var k kept
	if err := json.NewDecoder(zipped).Decode(&k); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	if k.Job != j || !a.any && k.Build != a.build {
		return nil, nil
	}
	return k.Result, nil
}

// put keeps what a job came to.
func (a *archive) put(j job, result json.RawMessage) (err error) {
	if err := os.MkdirAll(a.dir, 0o755); err != nil {
		return err
	}
	f, err := os.Create(a.path(j))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	zipped := gzip.NewWriter(f)
	return errors.Join(json.NewEncoder(zipped).Encode(kept{Job: j, Build: a.build, Result: result}), zipped.Close())
}

var noName = regexp.MustCompile(`[^a-z]+`)

func (a *archive) path(j job) string {
	return filepath.Join(a.dir, noName.ReplaceAllString(strings.ToLower(j.String()), "-")+".json.gz")
}
