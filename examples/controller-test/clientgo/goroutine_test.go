// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// goroutine is one that goleak found.
type goroutine struct {
	creator string
	busy    bool // it waits for nothing
}

func (g goroutine) String() string {
	if g.busy {
		return g.creator + ", which never waits"
	}
	return g.creator
}

// goroutines reads goleak's error: for each goroutine a line with its state, its stack, and who created it.
func goroutines(leak error) (all []goroutine) {
	if leak == nil {
		return nil
	}
	busy := false
	for line := range strings.Lines(leak.Error()) {
		if _, state, ok := strings.Cut(line, " in state "); ok {
			busy = strings.HasPrefix(state, "run") // running, or runnable: it only lacks a processor
		}
		if creator, ok := strings.CutPrefix(line, "created by "); ok {
			creator, _, _ = strings.Cut(creator, " in goroutine")
			if strings.Contains(creator, "clientgo_test") {
				creator = "the test"
			}
			all = append(all, goroutine{creator, busy})
		}
	}
	return all
}

func TestGoroutines(t *testing.T) {
	leak := errors.New(`found unexpected goroutines:
[Goroutine 7 in state chan receive, with k8s.io/a.(*B).loop on top of the stack:
k8s.io/a.(*B).loop(0x1)
	/go/a/b.go:12 +0x1
created by k8s.io/a.NewB in goroutine 6
	/go/a/b.go:10 +0x1
 Goroutine 8 in state runnable, with k8s.io/a.(*B).spin on top of the stack:
k8s.io/a.(*B).spin(0x1)
	/go/a/b.go:22 +0x1
created by k8s.io/a.(*B).Watch in goroutine 6
	/go/a/b.go:20 +0x1
]`)
	want := []goroutine{{creator: "k8s.io/a.NewB"}, {creator: "k8s.io/a.(*B).Watch", busy: true}}
	if diff := cmp.Diff(want, goroutines(leak), cmp.AllowUnexported(goroutine{})); diff != "" {
		t.Errorf("goroutines (-want +got):\n%s", diff)
	}
	if got := goroutines(nil); got != nil {
		t.Errorf("without a leak: %v", got)
	}
}
