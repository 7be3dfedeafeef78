// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// row is a release of client-go or kube-apiserver: a minor, or one patch.
type row struct{ component, release string }

// rows are what the SDK supports. The first is what its own go.mod names.
var rows = []row{
	{clientGo, "0.35.0"}, {clientGo, "0.35"}, {clientGo, "0.36"}, {clientGo, "0.37"},
	{apiserver, "1.34"}, {apiserver, "1.35"}, {apiserver, "1.36"},
}

const clientGo, apiserver = "client-go", "kube-apiserver"

func (r row) name() string { return r.component + "-" + r.release }

// exact says that the release is a patch and no minor.
func (r row) exact() bool { return strings.Count(r.release, ".") == 2 }

// choose returns the rows of these names, all without any.
func choose(names []string) ([]row, error) {
	if len(names) == 0 {
		return rows, nil
	}
	var chosen []row
	for _, name := range names {
		i := slices.IndexFunc(rows, func(r row) bool { return r.name() == name })
		if i < 0 {
			return nil, fmt.Errorf("no row %q; -list prints their names", name)
		}
		chosen = append(chosen, rows[i])
	}
	return chosen, nil
}

// run fills in a result; the error is what kept it from being whole.
func (r row) run(ctx context.Context, s *steps) (*result, error) {
	res := newResult(r)
	if r.component == clientGo {
		return res, testClientGo(ctx, r, s, res)
	}
	return res, testAPIServer(ctx, r, s, res)
}
