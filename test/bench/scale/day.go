// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"runtime"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/test/bench/internal/world"
	"github.com/eventseries/eventseries/test/bench/scale/internal/load"
)

// sampling is how often the cluster is looked at while a day goes by.
const sampling = time.Minute

// day is one contender in all components of a cluster.
type day struct {
	contender  world.Contender
	config     load.Config
	say        sayer
	api        *world.API
	components []*world.Component
	result     *dayResult
}

// simulateDay lets a day pass. It must be called in a bubble.
func simulateDay(contender world.Contender, config load.Config, say sayer) *dayResult {
	d := &day{
		contender: contender, config: config, say: say,
		api: world.NewAPI(world.Settings{}), result: &dayResult{Contender: contender.Name, Config: config},
	}
	d.components = startComponents(d.api, contender, config, 0, config.Nodes+len(config.Central()))
	d.play(load.New(config))
	d.api.Finish()
	d.result.count(d.api, d.components)
	return d.result
}

// startComponents starts those from first up to the one before end.
func startComponents(api *world.API, by world.Contender, config load.Config, first, end int) []*world.Component {
	var all []*world.Component
	for i, c := range config.Components()[first:end] {
		all = append(all, api.NewComponent(by, world.Identity{
			Controller: c.Name, Host: c.Host, QPS: c.QPS, Burst: c.Burst,
			Cut: func(now time.Time) bool { return config.Cut(first+i, now.Sub(api.Began())) },
		}))
	}
	return all
}

// play has everything said at its time.
func (d *day) play(cluster *load.Cluster) {
	began, sample := d.api.Began(), sampling
	d.result.Said = map[string]int64{}
	for e, ok := cluster.Next(); ok; e, ok = cluster.Next() {
		for ; sample <= e.At; sample += sampling {
			time.Sleep(time.Until(began.Add(sample)))
			d.sample(sample)
		}
		time.Sleep(time.Until(began.Add(e.At)))
		occur(d.components[e.Component], &e)
		d.result.Said[e.Type+" "+e.Reason]++
	}
	for ; sample <= d.config.Span; sample += sampling {
		time.Sleep(time.Until(began.Add(sample)))
		d.sample(sample)
	}
}

// occur calls Eventf as the component would.
func occur(c *world.Component, e *load.Emission) {
	o := &e.Regarding
	regarding := &corev1.ObjectReference{
		APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, UID: types.UID(o.UID),
		ResourceVersion: o.ResourceVersion, FieldPath: o.FieldPath,
	}
	s := c.Series(world.Subject{Regarding: regarding, Type: e.Type, Reason: e.Reason, Action: e.Action})
	s.Regarding = regarding // as it is now: its resourceVersion may have changed
	s.Occur(e.Note)
}

func (d *day) sample(at time.Duration) {
	d.result.Goroutines = append(d.result.Goroutines, runtime.NumGoroutine())
	d.result.Alive = append(d.result.Alive, d.api.Stored())
	if at%(10*time.Minute) == 0 {
		d.say("%v of %v simulated, %v", at, d.config.Span, d.api.Totals())
	}
}
