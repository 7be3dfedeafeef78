// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// poisoned fails with a 500 for some objects, as a webhook does that cannot handle one kind.
type poisoned struct {
	*eventstest.Sink
	mu     sync.Mutex // guards stored
	stored map[string]time.Time
}

func (p *poisoned) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	if strings.HasPrefix(e.Regarding.Name, "poison") {
		return nil, apierrors.NewInternalError(fmt.Errorf("the webhook cannot decode %s", e.Regarding.Name))
	}
	stored, err := p.Sink.Create(ctx, e)
	if err == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.stored[e.Regarding.Name] = time.Now()
	}
	return stored, err
}

// Events that the server always answers with a 500 do not keep those from being written that it would take.
//
// Caught: a failure that shuts the gate and is tried again before what has not failed.
func TestPoisonStarvesNobody(t *testing.T) {
	for _, k := range []int{1, 3, 10, 100} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := &poisoned{Sink: eventstest.NewSink(), stored: map[string]time.Time{}}
				sink.SetLatency(10 * time.Millisecond)
				sink.CountOnly()
				b, rec := start(t, sink)
				var recorded []time.Time
				for second := range 3 * 3600 {
					if second%60 == 0 {
						for i := range k {
							rec.Eventf(newPod(fmt.Sprint("poison-", i)), nil, corev1.EventTypeWarning, "Failed", "Sync", "again")
						}
					}
					if second%5 == 0 {
						rec.Eventf(newPod(fmt.Sprint("healthy-", len(recorded))), nil, corev1.EventTypeNormal, "Synced", "Sync", "once")
						recorded = append(recorded, time.Now())
					}
					time.Sleep(time.Second)
				}
				time.Sleep(2 * time.Minute)
				b.Shutdown()
				within, sum, worst := 0, time.Duration(0), time.Duration(0)
				for i, at := range recorded {
					wait := 3 * time.Hour
					if stored, ok := sink.stored[fmt.Sprint("healthy-", i)]; ok {
						wait = stored.Sub(at)
					}
					if sum, worst = sum+wait, max(worst, wait); wait <= 2*time.Minute {
						within++
					}
				}
				n := len(recorded)
				t.Logf("%d poisoned series: %.1f %% of %d stored within 2 minutes, mean %v, worst %v, TooOld %d",
					k, 100*float64(within)/float64(n), n, (sum / time.Duration(n)).Round(time.Millisecond), worst.Round(time.Millisecond), b.Stats().Dropped[events.TooOld])
				if within < n*99/100 {
					t.Error("fewer than 99 % are stored within 2 minutes")
				}
			})
		})
	}
}
