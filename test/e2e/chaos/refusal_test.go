// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/webhook"
)

// trialBound is how soon after the end of a short refusal all that recurs is recorded: a minute after it was refused, an
// occurrence of a series is let through.
const trialBound = 2 * time.Minute

// recurrence is how often each object of a Walk recurs.
const recurrence = 10 * time.Second

// refusals are what an admission plugin says that does not like an Event.
var refusals = []metav1.Status{
	{Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden, Message: "not yet ready to handle request"},
	{Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid, Message: "a label is missing"},
}

// A webhook refuses the Events of some namespaces for 30 s, in each namespace with another refusal.
// It refuses Events that exist and new ones. All series go on. Occurrences that were dropped in
// that time are not counted later.
//
// Caught: a refused series that is dropped until it is quiet.
func TestWebhookDenies(t *testing.T) {
	dropped := []events.DropReason{events.DropRejected}
	s := open(t, scenario{
		title: "a webhook that denies (403, 422) for 30 s", tenants: 5, drops: dropped,
		// Else what was not refused has nothing to write for half an hour, unless its count has doubled.
		events: []events.Option{events.WithRefreshInterval(time.Minute)},
	})
	old := s.beside(scenario{
		title: "a webhook that denies (403, 422) for 30 s, mode legacy", calm: true, drops: dropped,
		adapter: []adapter.Option{adapter.WithMode(adapter.ModeLegacy)},
	})
	both := []*rig{s, old}
	for _, c := range both {
		c.recur("Recurring", c.podsNamed("there"))
	}
	s.Run(2 * recurrence)

	answers := map[string]webhook.Answer{}
	for i, namespace := range s.sick() {
		answers[namespace] = webhook.Deny(refusals[i%len(refusals)])
	}
	server := webhook.Start(webhook.In(answers))
	t.Cleanup(server.Close)
	s.Webhook(server, 30*time.Second, s.sick()...)
	for _, c := range both {
		c.recur("Recurring", c.podsNamed("new"))
	}
	s.Run(30 * time.Second)
	server.Set(webhook.Allow)
	allowed := time.Now()
	for len(s.silent(allowed))+len(old.silent(allowed)) > 0 && time.Since(allowed) < trialBound {
		s.Run(5 * time.Second)
	}
	for _, c := range both {
		c.allRecordedSince(allowed)
		c.settle()
	}
	for _, refusal := range refusals {
		s.wants(int(refusal.Code))
	}
}

// podsNamed returns some pods in each namespace. Each recurs too seldom for client-go's spam filter.
func (s *rig) podsNamed(name string) (all []Object) {
	for _, namespace := range s.namespaces {
		for i := range 5 {
			all = append(all, Pod(namespace, fmt.Sprintf("%s-%d", name, i)))
		}
	}
	return all
}

// recur has a Walk come back to each of the objects for as long as the storm goes on.
func (s *rig) recur(reason string, objects []Object) {
	s.Walk(recurrence/time.Duration(len(objects)), reason, func(n int) Object { return objects[n%len(objects)] })
}

// recurring are the keys in sick namespaces of which the storm records all the time.
func (s *rig) recurring() (keys []Key) {
	for key := range s.Emitted() {
		if slices.Contains(s.sick(), key.Namespace) && (key.IsHot() || key.Reason == "Recurring") {
			keys = append(keys, key)
		}
	}
	return keys
}

// silent are those of the recurring keys of which nothing was written since a time.
func (s *rig) silent(since time.Time) []Key {
	seen := s.observer.Seen()
	return slices.DeleteFunc(s.recurring(), func(key Key) bool {
		times := seen[key]
		return len(times) > 0 && times[len(times)-1].After(since)
	})
}

// allRecordedSince checks that all that recurs was written since a time, and tells how soon.
func (s *rig) allRecordedSince(since time.Time) {
	s.t.Helper()
	seen, silent := s.observer.Seen(), s.silent(since)
	var lags []time.Duration
	for _, key := range s.recurring() {
		times := seen[key]
		if i := slices.IndexFunc(times, since.Before); i >= 0 {
			lags = append(lags, times[i].Sub(since))
		}
	}
	slices.Sort(lags)
	s.t.Logf("%s: %d of %d series that recur were written again, %d dropped occurrences", s.scenario.title,
		len(lags), len(lags)+len(silent), s.adapter.Stats().Dropped[events.DropRejected])
	if len(lags) > 0 {
		s.t.Logf("%s: after %.1fs (median) and %.1fs (worst)", s.scenario.title,
			lags[len(lags)/2].Seconds(), lags[len(lags)-1].Seconds())
	}
	if len(silent) > 0 {
		s.t.Errorf("%s: of %d series that recur nothing was written in %.0fs since their refusal has ended, as of %v",
			s.scenario.title, len(silent), time.Since(since).Seconds(), silent[0])
	}
}
