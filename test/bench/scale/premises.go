// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"

	"github.com/eventseries/eventseries/test/bench/scale/internal/load"
)

// PremisesTable tells what users are assumed to do: the numbers are the model's own.
func (s *study) PremisesTable() string {
	c := s.Normal
	whole := func(share float64, of int) string { return grouped(round(share * float64(of))) }
	rows := [][]string{
		{"Deployments", grouped(c.Deployments()), fmt.Sprintf("of %d pods each", load.PodsPerDeployment)},
		{"rollouts of each in a day", fmt.Sprint(load.RolloutsPerDay),
			fmt.Sprintf("%d pods at a time (25 %% surge, 25 %% unavailable); each pulls a new image", load.WavePods)},
		{"CronJobs", whole(load.CronJobsPerNode, c.Nodes), "half of them every five minutes, half at the full hour"},
		{"pods whose readiness probe fails", whole(load.ShareUnready, c.Pods()),
			fmt.Sprintf("at any time, each for %v on average; an event every %v", load.UnreadyFor, load.ProbePeriod)},
		{"containers in a crash loop", whole(load.ShareCrashing, c.Pods()), "at any time; back-off up to five minutes"},
		{"pods that fit nowhere", whole(load.PendingPerNode, c.Nodes),
			fmt.Sprintf("at any time; tried again every %v", load.PendingRetry)},
		{"autoscalers", whole(load.ShareAutoscaled, c.Deployments()),
			fmt.Sprintf("%v rescales of each in a day; %v %% of them get no metrics and say so twice every %v",
				load.RescalesPerDay, 100*load.ShareWithoutMetric, load.AutoscalerSync)},
		{"other pods that need an image", fmt.Sprintf("%v %%", 100*load.OtherNeedsPull),
			"of those of jobs and autoscalers"},
	}
	return table("what|how many|how", rows)
}

// Outage is how long the registry is down, and Split how long a zone is cut off.
func (s *study) Outage() string { return short(s.part(load.RegistryTo - load.RegistryFrom)) }

// Split is how long a zone is cut off.
func (s *study) Split() string { return short(s.part(load.ZoneTo - load.ZoneFrom)) }

func (s *study) part(share float64) time.Duration { return time.Duration(share * float64(s.Bad.Span)) }
