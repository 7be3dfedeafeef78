// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/eventseries/eventseries/internal/testkit/controlplane"
	"github.com/eventseries/eventseries/test/kubernetes/internal/clienttests"
	"github.com/eventseries/eventseries/test/kubernetes/internal/tree"
)

// test runs tests that Kubernetes has: that of recorders, on the SDK, and those of what the migration changes.
func (o *options) test(ctx context.Context, sides []side) error {
	last := sides[len(sides)-1].tree
	if o.upstream && o.after {
		if err := errors.Join(upstream(ctx, last), o.clientTests(ctx)); err != nil {
			return err
		}
	}
	if !o.unit || len(sides) < 2 {
		return nil
	}
	packages, err := last.Touched(sides[0].tree)
	if err != nil {
		return err
	}
	var results []map[string]string
	for _, s := range sides {
		r, err := s.tree.UnitTests(ctx, packages)
		if err != nil {
			return fmt.Errorf("unit tests %s: %w", s.name, err)
		}
		results = append(results, r)
	}
	different := differences(results[0], results[1])
	fmt.Printf("%d packages with tests are changed; of %d results %d are different\n", len(packages), len(results[0]), len(different))
	for _, line := range different {
		fmt.Println(line)
	}
	return nil
}

// differences are the tests with another result after.
func differences(before, after map[string]string) (all []string) {
	for test, result := range before {
		if after[test] != result {
			all = append(all, fmt.Sprintf("%s: %s, then %s", test, result, cmp.Or(after[test], "not there")))
		}
	}
	for test, result := range after {
		if before[test] == "" {
			all = append(all, fmt.Sprintf("%s: not there, then %s", test, result))
		}
	}
	slices.Sort(all)
	return all
}

// upstream runs Kubernetes' own test of recorders on the SDK, with etcd on the PATH.
func upstream(ctx context.Context, t *tree.Tree) error {
	etcd, err := controlplane.Program("etcd")
	if err != nil {
		return err
	}
	t.Env = []string{"PATH=" + filepath.Dir(etcd) + string(filepath.ListSeparator) + os.Getenv("PATH")}
	return t.Upstream(ctx)
}

// clientTests runs client-go's own tests on the SDK. docs/evidence/upstream.md says why each that does not pass is right
// not to.
func (o *options) clientTests(ctx context.Context) error {
	results, err := clienttests.Run(ctx, tree.Staging, o.root, filepath.Join(o.cache, "client-go"))
	if err != nil {
		return err
	}
	for _, r := range results {
		verdict := "passes"
		switch {
		case !r.Run:
			verdict = "tests internals: " + r.Why
		case !r.Passed:
			verdict = "does not pass: " + r.Why
		}
		fmt.Printf("tools/%s %s %s\n", r.Package, r.Test, verdict)
	}
	return nil
}
