// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
)

// answersThatRefuse are an API server's, by what is refused.
func answersThatRefuse(namespace string) map[string]func(sinkCall) error {
	always := func(err error) func(sinkCall) error { return func(sinkCall) error { return err } }
	creates := func(err error) func(sinkCall) error {
		return func(r sinkCall) error {
			if r.Op == "create" {
				return err
			}
			return nil
		}
	}
	return map[string]func(sinkCall) error{
		"400":                   always(status(400, "BadRequest")),
		"413":                   always(status(413, "RequestEntityTooLarge")),
		"422":                   always(status(422, "Invalid")),
		"422 of creates":        creates(status(422, "Invalid")),
		"401":                   always(status(401, "Unauthorized")),
		"403 of RBAC":           always(forbidden()),
		"403 of a quota":        creates(apierrors.NewForbidden(eventResource, "a", fmt.Errorf("exceeded quota: events"))),
		"404 of the event":      always(apierrors.NewNotFound(eventResource, "a")),
		"404 of the API":        always(status(404, "NotFound")),
		"409 of a webhook":      always(status(409, "Conflict")),
		"409 of creates":        creates(status(409, "Conflict")),
		"429 with Retry-After":  always(apierrors.NewTooManyRequests("later", 5)),
		"500":                   always(status(500, "InternalError")),
		"cannot be sent":        always(&rest.RequestConstructionError{Err: fmt.Errorf("x")}),
		"namespace terminating": creates(terminating(namespace)),
		"no namespace":          creates(apierrors.NewNotFound(corev1.Resource("namespaces"), namespace)),
	}
}

// Whatever refused an hour of Events, and whether there was one before, what goes on occurring is recorded within ten
// minutes of the end of it: the spam filter lets one through in five.
//
// Caught: a refusal that answers for occurrences after it; a Patch of what was refused
// that is never created again.
func TestWhatRecursAfterARefusalIsRecorded(t *testing.T) {
	for name, refuse := range answersThatRefuse("default") {
		for _, every := range []time.Duration{time.Minute, 5 * time.Minute} {
			for _, before := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s every %v, stored before: %v", name, every, before), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { recurAfter(t, refuse, every, before) })
				})
			}
		}
	}
}

func recurAfter(t *testing.T, refuse func(sinkCall) error, every time.Duration, before bool) {
	sink := &server{script: refuse}
	if before {
		sink.answer(nil)
	}
	b, recorder := recordTo(sink)
	defer b.Shutdown()
	recur := func(d time.Duration) {
		for range d / every {
			recorder.Event(pod("a"), "Warning", "BackOff", "m")
			time.Sleep(every)
		}
	}
	recur(every)
	sink.answer(refuse)
	recur(time.Hour)
	sink.answer(nil)
	ended, refused := time.Now(), b.Stats().Recorded
	recur(10 * time.Minute)
	if err := b.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if b.Stats().Recorded == refused {
		t.Errorf("nothing is recorded: %v", b.Stats().Dropped)
	}
	var newest time.Time
	for _, event := range sink.stored {
		newest = event.LastTimestamp.Time
	}
	if newest.Before(ended) {
		t.Errorf("the newest that is stored is of %v before the end of the refusal", ended.Sub(newest))
	}
}

// A namespace that is made again a moment after it was refused for gone is tried again within a minute, and what
// occurs then is recorded.
//
// Caught: one refusal that answers for all to come.
func TestNamespaceMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{script: answersThatRefuse("doomed")["namespace terminating"]}
		b, recorder := recordTo(sink)
		defer b.Shutdown()
		recorder.Event(podIn("doomed", "a"), "Normal", "Started", "m")
		time.Sleep(time.Second)
		sink.answer(nil)
		for range 3 {
			recorder.Event(podIn("doomed", "a"), "Normal", "Started", "m")
			time.Sleep(time.Minute)
		}
		checkStats(t, b.Stats(), map[string]int64{"NamespaceGone": 1, "Recorded": 3})
	})
}
