// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Events that the server always answers with a 500, as a webhook makes it that cannot handle one kind, do not keep those from
// being written that it would take. docs/reliability.md has the figures.
func TestPoisonStarvesNobody(t *testing.T) {
	for _, k := range []int{1, 100} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			inBubble(t, nil, func(r *rig) {
				var mu sync.Mutex // guards stored
				stored := map[string]time.Time{}
				r.sink.SetLatency(10 * time.Millisecond)
				r.sink.CountOnly()
				r.sink.around = func(ctx context.Context, _ string, e *eventsv1.Event, store answer) (*eventsv1.Event, error) {
					if strings.HasPrefix(e.Regarding.Name, "poison") {
						return nil, apierrors.NewInternalError(fmt.Errorf("the webhook cannot decode %s", e.Regarding.Name))
					}
					answer, err := store(ctx)
					mu.Lock()
					defer mu.Unlock()
					stored[e.Regarding.Name] = time.Now()
					return answer, err
				}
				var recorded []time.Time
				for second := range 3 * 3600 {
					for i := range k {
						if second%60 == 0 {
							r.rec.Eventf(newPod(fmt.Sprint("poison-", i)), nil, "Warning", "Failed", "Sync", "again")
						}
					}
					if second%5 == 0 {
						r.record(1, fmt.Sprint("healthy-", len(recorded)))
						recorded = append(recorded, time.Now())
					}
					time.Sleep(time.Second)
				}
				time.Sleep(2 * time.Minute)
				r.b.Shutdown()
				within, sum, worst := 0, time.Duration(0), time.Duration(0)
				for i, at := range recorded {
					wait := stored[fmt.Sprint("healthy-", i)].Sub(at) // negative if it is not stored
					if sum, worst = sum+wait, max(worst, wait); 0 <= wait && wait <= 2*time.Minute {
						within++
					}
				}
				n := len(recorded)
				r.Logf("%d poisoned series: %d of %d stored within 2 minutes, mean %v, worst %v", k, within, n, sum/time.Duration(n), worst)
				if within < n*99/100 {
					r.Error("fewer than 99 % are stored within 2 minutes")
				}
			})
		})
	}
}
