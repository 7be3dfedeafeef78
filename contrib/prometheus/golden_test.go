// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventsprom_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

var update = flag.Bool("update", false, "rewrite testdata/metrics.txt")

const golden = "testdata/metrics.txt"

// The names, types, labels and help texts of all metrics are what users build on. They follow
// Prometheus' conventions. docs/operations.md has the same table.
func TestMetricsAreAsPromised(t *testing.T) {
	a := adapter.New(context.Background(), eventstest.NewClientset(), events.WithLogger(klog.Logger{}))
	registry := register(t, eventsprom.NewCollector(a))
	a.NewRecorder(controller).Eventf(pod, nil, corev1.EventTypeNormal, "Started", "", "no action: repaired")
	flush(t, a)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("promlint: %v %v", problems, err)
	}
	var b strings.Builder
	for _, family := range families {
		var labels []string
		for _, label := range family.Metric[0].Label {
			labels = append(labels, label.GetName())
		}
		fmt.Fprintf(&b, "%s %s {%s} %s\n", family.GetName(), strings.ToLower(family.GetType().String()),
			strings.Join(labels, ","), family.GetHelp())
	}
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("go test -update rewrites %s (-want +got):\n%s", golden, diff)
	}
}
