// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package counts

import (
	"fmt"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/test/bench/internal/world"
)

const hour = time.Hour

// Storm is a scheduler in a full cluster. It finds no node for any of the pods,
// and says so about each of them every minute, give or take five seconds.
type Storm struct {
	Pods     int
	Duration time.Duration
	Seed     uint64
}

// steady is how long kube-scheduler's message about a pod stays the same: it has
// the number of nodes in it, by reason why they do not fit.
const steady = 5 * time.Minute

func (s Storm) play(api *world.API, contender world.Contender) []*world.Series {
	scheduler := api.NewComponent(contender, world.Identity{Controller: "default-scheduler", Host: "control-plane-1"})
	rng := rand.New(rand.NewPCG(s.Seed, 1))
	var script world.Script
	all := make([]*world.Series, s.Pods)
	for i := range all {
		all[i] = scheduler.NewSeries(world.Subject{
			Regarding: pod(i), Type: corev1.EventTypeWarning, Reason: "FailedScheduling", Action: "Scheduling",
		})
		fail := func(now time.Time) time.Time {
			cordoned := int(now.Sub(api.Began())/steady)%7 + 1
			all[i].Occur("0/5000 nodes are available: %d Insufficient cpu, %d node(s) were unschedulable. "+
				"preemption: 0/5000 nodes are available: %d No preemption victims found for incoming pod.",
				5000-cordoned, cordoned, 5000-cordoned)
			return now.Add(time.Minute - 5*time.Second + upTo(rng, 10*time.Second))
		}
		script.Add(api.Began().Add(upTo(rng, time.Minute)), fail)
	}
	script.Play(api.Began().Add(s.Duration))
	return all
}

func pod(i int) *corev1.Pod {
	name := fmt.Sprintf("web-%05d", i)
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: name, UID: types.UID("uid-of-" + name), ResourceVersion: "1",
	}}
}

func upTo(rng *rand.Rand, d time.Duration) time.Duration { return time.Duration(rng.Int64N(int64(d))) }
