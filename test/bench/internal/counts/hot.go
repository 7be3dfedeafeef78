// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package counts

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/test/bench/internal/world"
)

// Hot is a controller that reconciles one object in a loop, and says so each time.
type Hot struct {
	Every, Duration time.Duration
}

func (h Hot) play(api *world.API, contender world.Contender) []*world.Series {
	controller := api.NewComponent(contender, world.Identity{Controller: "example.com/controller", Host: "control-plane-1"})
	series := controller.NewSeries(world.Subject{
		Regarding: pod(0), Type: corev1.EventTypeNormal, Reason: "Reconciled", Action: "Reconcile",
	})
	var script world.Script
	script.Add(api.Began().Add(h.Every), func(now time.Time) time.Time {
		series.Occur("The object is as it should be")
		return now.Add(h.Every)
	})
	script.Play(api.Began().Add(h.Duration))
	return []*world.Series{series}
}
