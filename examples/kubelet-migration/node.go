// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/kubelet"
)

// component is the reporting controller of all Events.
const component = "kubelet"

// side is one of the two ways to record that are compared.
type side struct {
	name              string
	makeEventRecorder func(ctx context.Context, deps *kubelet.Dependencies, nodeName types.NodeName)
	how               string // for the foot of the table
}

var (
	before = side{"before", makeEventRecorderBefore,
		"client-go tools/record to core/v1, with its spam filter; ended by Shutdown, which\n" +
			"        drops what is queued, as the end of a kubelet's context does"}
	after = side{"after", makeEventRecorderAfter,
		"this SDK to events.k8s.io/v1; ended by Drain, which writes the final counts"}
)

const (
	// stopTimeout bounds how long a kubelet that stops waits for its Events.
	stopTimeout = 30 * time.Second
	// settleTime is for a write that Shutdown left in flight.
	settleTime = 2 * time.Second
)

// node is a node that records its Events in one of the two ways.
type node struct {
	options
	name types.NodeName
	side side
	api  api
}

// result is what happened on a node, and what the server has of it.
type result struct {
	pods                int           // of the script
	ran                 time.Duration // less than the script if it was interrupted
	occurrences, writes int64
	stored              stored
}

// lost is the number of occurrences that no count on the server includes.
func (r result) lost() int64 { return r.occurrences - r.stored.counts }

// run plays the script on the node and counts what the server has afterwards. The end of ctx ends the script early.
func (n node) run(ctx context.Context) (result, error) {
	// The recorder outlives the kubelet, also when the script is interrupted.
	recording, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	deps := &kubelet.Dependencies{EventClient: n.api.client}
	n.side.makeEventRecorder(recording, deps, n.name)

	counted := &countingRecorder{EventRecorder: deps.Recorder}
	out := n.play(ctx, counted)
	out.occurrences = counted.occurrences.Load()

	stopping, cancel := context.WithTimeout(recording, stopTimeout)
	defer cancel()
	if err := deps.StopEvents(stopping); err != nil {
		return result{}, fmt.Errorf("stopping the Events: %w", err)
	}
	time.Sleep(settleTime)
	var err error
	out.writes = n.api.writes()
	out.stored, err = n.api.read(recording, n.name, n.namespace)
	return out, err
}

// play runs a kubelet for the length of the script.
func (n node) play(ctx context.Context, recorder clientevents.EventRecorder) result {
	script := newScript(n.options, n.name)
	containers := kubelet.NewRuntime(script.images...)
	k := kubelet.New(n.name, recorder, containers)

	running, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { k.Run(running) })
	began := time.Now()
	script.play(ctx, k)
	ran := time.Since(began).Round(time.Second)
	stop()
	group.Wait()
	return result{pods: script.pods, ran: ran}
}

// countingRecorder counts the occurrences that a recorder is given. Neither side can change that number.
type countingRecorder struct {
	clientevents.EventRecorder
	occurrences atomic.Int64
}

// Eventf counts an occurrence and passes it on. Then it lets a little time pass, because in simulated time none does
// while code runs. client-go names Events by object and nanosecond, and two of one name would be a conflict.
func (r *countingRecorder) Eventf(
	regarding, related runtime.Object, eventType, reason, action, note string, args ...any,
) {
	r.occurrences.Add(1)
	r.EventRecorder.Eventf(regarding, related, eventType, reason, action, note, args...)
	time.Sleep(time.Microsecond)
}
