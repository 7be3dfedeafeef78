// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events/eventstest"
)

// An expired Event is created again under its name with the full count and its first time.
func TestExpiredEventIsCreatedAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		record(rec, 3, "web")
		flush(t, b)
		before := only(t, sink)
		sink.Expire(before.Namespace, before.Name)
		time.Sleep(time.Minute)
		record(rec, 3, "web")
		flush(t, b)
		after := only(t, sink)
		if after.Name != before.Name || !after.EventTime.Equal(&before.EventTime) || count(&after) != 6 {
			t.Errorf("%s of %v count %d, want %s of %v count 6",
				after.Name, after.EventTime, count(&after), before.Name, before.EventTime)
		}
	})
}

// After an ambiguous failure the body is repeated byte for byte, so that both a 2xx and a 409 say what is stored;
// occurrences that arrived since wait for the patch. After a definite one the Create carries them at once.
func TestRetriedCreate(t *testing.T) {
	for _, test := range []struct {
		name  string
		err   error
		times int // the first retry comes at once
		log   string
	}{
		{"ambiguous", errTimeout, 1, retried("context deadline exceeded") + "patch pod/web Killing count=4\n"},
		{
			"definite", errRateLimited, 2,
			"create pod/web Killing: TooManyRequests\ncreate pod/web Killing: TooManyRequests\ncreate pod/web Killing count=4\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				sink.FailNext(test.times, test.err)
				b, rec := start(t, sink)
				record(rec, 1, "web")
				synctest.Wait()
				record(rec, 3, "web")
				flush(t, b)
				checkLog(t, sink, test.log)
			})
		})
	}
}

// One namespace whose writes hang does not hold up the others.
func TestHangingNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &hanging{Sink: eventstest.NewSink()}
		_, rec := start(t, sink)
		for i := range 50 {
			rec.Eventf(newPodIn("hangs", fmt.Sprint(i)), nil, "Normal", "Killing", "Kill", "note")
		}
		synctest.Wait()
		for i := range 50 {
			record(rec, 1, fmt.Sprint("web-", i))
		}
		synctest.Wait()
		if n := len(sink.Events()); n != 50 {
			t.Errorf("%d Events, want all 50 of the other namespace", n)
		}
	})
}

type hanging struct{ *eventstest.Sink }

func (s *hanging) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	if e.Namespace == "hangs" {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.Sink.Create(ctx, e)
}
