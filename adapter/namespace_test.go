// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
)

// A Patch ends a refusal of creates until a Create is refused after that; a Create ends it always. All exceptions may try
// when what was refused is stored, and not when a Patch stands for a Create.
//
// Caught: a Patch that is a proof for ever, and one that lets all exceptions try.
func TestProofOfCreates(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	// result is what a step has led to.
	type result struct{ moved, granted, healthy bool }
	steps := map[string]func(*namespace) (moved, granted bool){
		"create is refused": func(ns *namespace) (moved, granted bool) {
			ns.onRefused(request.Create, ModeEventsV1, "no", now)
			return ns.fallBack(request.Create, now), false
		},
		"patch is refused": func(ns *namespace) (moved, granted bool) {
			ns.onRefused(request.Patch, ModeEventsV1, "no", now)
			return ns.fallBack(request.Patch, now), false
		},
		"create is stored":           func(ns *namespace) (moved, granted bool) { return ns.onStored(request.Create, ModeEventsV1) },
		"patch is stored":            func(ns *namespace) (moved, granted bool) { return ns.onStored(request.Patch, ModeEventsV1) },
		"patch is stored by core/v1": func(ns *namespace) (moved, granted bool) { return ns.onStored(request.Patch, ModeCoreV1) },
	}
	fallsBack := result{moved: true}
	nothing := result{}
	returns := result{moved: true, healthy: true}
	for name, row := range map[string][]struct {
		step string
		want result
	}{
		"creates and patches are granted, and a patch is first": {
			{"create is refused", fallsBack},
			{"patch is stored by core/v1", nothing},
			{"patch is stored", returns},
			{"create is stored", result{granted: true, healthy: true}},
			{"create is stored", result{healthy: true}},
		},
		"a create is first": {
			{"create is refused", fallsBack},
			{"create is stored", result{moved: true, granted: true, healthy: true}},
			{"create is refused", fallsBack},
			{"patch is stored", returns},
		},
		"patches alone are granted, and creates later": {
			{"create is refused", fallsBack},
			{"patch is stored", returns},
			{"create is refused", fallsBack},
			{"patch is stored", nothing},
			{"create is stored", result{moved: true, granted: true, healthy: true}},
		},
		"creates alone are granted": {
			{"patch is refused", fallsBack},
			{"create is stored", nothing},
			{"patch is stored", result{moved: true, granted: true, healthy: true}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			ns := &namespace{}
			for i, r := range row {
				moved, granted := steps[r.step](ns)
				got := result{moved, granted, ns.healthy()}
				if diff := cmp.Diff(r.want, got, cmp.AllowUnexported(result{})); diff != "" {
					t.Fatalf("step %d, %s (-want +got):\n%s", i, r.step, diff)
				}
			}
		})
	}
}
