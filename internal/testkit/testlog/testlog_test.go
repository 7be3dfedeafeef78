// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package testlog_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// Caught: values of WithValues that are lost; a line above the level; a nil error that is shown.
func TestLines(t *testing.T) {
	calls := 0
	log := &testlog.Log{Level: 1, OnLine: func() { calls++ }}
	logger := klog.New(log).WithName("a").WithValues("k", 1)
	logger.V(1).Info("one", "of", klog.KRef("shop", "web"))
	logger.V(2).Info("two")
	logger.Error(errors.New("boom"), "three")
	logger.Error(nil, "four")
	want := []string{
		`info: one k="1" of="shop/web"`, `error: three k="1" err="boom"`, `error: four k="1"`,
	}
	log.Await(t, "three")
	log.CheckOnce(t, "four")
	if diff := cmp.Diff(want, log.Take()); diff != "" || calls != len(want) || len(log.Lines("")) != 0 {
		t.Errorf("%d calls of OnLine, lines (-want +got):\n%s", calls, diff)
	}
}

func TestAwait(t *testing.T) {
	log := &testlog.Log{}
	go klog.New(log).Info("later")
	log.Await(t, "info: later")
}
