// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/lifecycle"
)

// slow answers after a second, and counts.
type slow struct {
	answers
	asked int
	named int
}

func (s *slow) Permission(ctx context.Context, namespace, group string) (discovery.Permission, error) {
	if group == eventsv1.GroupName {
		s.asked++
	}
	time.Sleep(time.Second)
	return s.answers.Permission(ctx, namespace, group)
}

func (s *slow) User(ctx context.Context) (string, error) {
	s.named++
	time.Sleep(time.Second)
	return "jane", nil
}

// Two workers that need the client's name at a time share one question.
func TestTheIdentityIsAskedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := &slow{}
		c := config{clock: clock.RealClock{}, logger: &klog.Logger{}, mode: Auto}
		p := newPermissions(&c)
		p.prober = asker
		var workers lifecycle.Group
		for range 3 {
			workers.Go(func() {
				if user := p.username(t.Context()); user != "jane" {
					t.Errorf("user %q", user)
				}
			})
		}
		workers.Wait(t.Context())
		if asker.named != 1 {
			t.Errorf("asked %d times, want once", asker.named)
		}
	})
}

// A namespace in which a write succeeds while another one asks about it is remembered until the answer is there: the
// next refusal waits for that, and does not ask again.
//
// Caught: a namespace that is forgotten while it is asked about.
func TestANamespaceIsNotForgottenWhileItIsAskedAbout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := &slow{answers: answers{v1: discovery.Denied, core: discovery.Allowed}}
		c := config{clock: clock.RealClock{}, logger: &klog.Logger{}, mode: Auto}
		p := newPermissions(&c)
		p.prober = asker
		w := &write{verb: create, event: &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}}
		refuse := func() {
			if step := p.onRefused(t.Context(), w, EventsV1, true, errors.New("no")); step != switchToOther {
				t.Errorf("step %v, want switchToOther", step)
			}
		}
		var writes lifecycle.Group
		writes.Go(refuse)
		synctest.Wait()
		p.onStored(w, EventsV1)
		writes.Go(refuse)
		writes.Wait(t.Context())
		if asker.asked != 1 {
			t.Errorf("%d questions about one namespace, want 1", asker.asked)
		}
	})
}
