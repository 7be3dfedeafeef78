// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package leader

import (
	"context"
	"testing"

	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/record"
)

func TestRun(t *testing.T) {
	recorder := record.NewFakeRecorder(10)
	ctx, cancel := context.WithCancel(t.Context())
	config := Config{Namespace: "default", Name: "lock", Identity: "me", Recorder: recorder}
	if err := Run(ctx, fake.NewClientset(), config, func(context.Context) { cancel() }); err != nil {
		t.Fatal(err)
	}
	if got, want := <-recorder.Events, "Normal LeaderElection me became leader"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNewLock(t *testing.T) {
	config := Config{Namespace: "default", Name: "lock", Identity: "me", Recorder: &record.FakeRecorder{}}
	lock, err := NewLock(fake.NewClientset(), config)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := lock.Describe(), "default/lock"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
