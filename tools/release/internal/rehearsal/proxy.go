// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rehearsal

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/module"
)

// proxyDir is the module proxy of a rehearsal, a directory in its work.
const proxyDir = "proxy"

// serve puts a module where the go command looks for it below a GOPROXY (go help goproxy).
func (r *Rehearsal) serve(ctx context.Context, p *packed) error {
	escaped, err := module.EscapePath(p.Path)
	if err != nil {
		return err
	}
	dir, err := r.dir(filepath.Join(proxyDir, filepath.FromSlash(escaped), "@v"))
	if err != nil {
		return err
	}
	_, when, err := r.repository.Head(ctx)
	if err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{r.Version, when})
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"list":              []byte(r.Version + "\n"),
		r.Version + ".info": info,
		r.Version + ".mod":  p.gomod,
		r.Version + ".zip":  p.zip,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
