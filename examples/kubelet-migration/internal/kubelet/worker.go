// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

// How long a worker waits before it looks at its pod again unasked, plus up to
// half of that, so that pods that fail together do not retry together.
const (
	resyncFailed = 10 * time.Second
	resync       = time.Minute
)

// worker looks after one pod.
type worker struct {
	k       *Kubelet
	uid     types.UID
	name    string
	wakeups chan struct{} // one slot: what matters is that something changed
	remove  context.CancelFunc
	removed context.Context // ends with the pod, or with the kubelet
	rand    *rand.Rand
}

func newWorker(ctx context.Context, k *Kubelet, pod *corev1.Pod) *worker {
	w := &worker{k: k, uid: pod.UID, name: pod.Name, wakeups: make(chan struct{}, 1)}
	w.removed, w.remove = context.WithCancel(ctx)
	// Of its own, so that an hour can be repeated whatever the scheduler does.
	h := fnv.New64a()
	_, _ = h.Write([]byte(pod.Name))
	w.rand = rand.New(rand.NewPCG(h.Sum64(), 0))
	return w
}

// wake makes the worker look at its pod soon. It never blocks.
func (w *worker) wake() {
	select {
	case w.wakeups <- struct{}{}:
	default:
	}
}

// run looks after the pod until it is removed, or ctx ends.
func (w *worker) run(ctx context.Context) {
	defer w.remove()
	w.k.runtime.RunPod(w.uid, w.name)
	var last time.Time
	for {
		pause := resync
		if err := w.sync(last); err != nil {
			pause = resyncFailed
		}
		last = time.Now()
		pause += time.Duration(w.rand.Int64N(int64(pause / 2)))
		select {
		case <-w.wakeups:
		case <-time.After(pause):
		case <-w.removed.Done():
			w.terminate(ctx, last)
			return
		}
	}
}

// sync brings the containers of the pod to where its spec wants them. last is
// when that was done before: a status from before that would not show the
// containers that were started then, and they would be started again.
func (w *worker) sync(last time.Time) error {
	status, err := w.k.cache.GetNewerThan(w.removed, w.uid, last)
	if err != nil {
		return err
	}
	pod := w.k.pods.Get(w.uid)
	var errs []error
	waiting := map[string]string{}
	for i := range pod.Spec.Containers {
		spec := &pod.Spec.Containers[i]
		if err := w.syncContainer(pod, spec, status); err != nil {
			waiting[spec.Name] = err.Error()
			errs = append(errs, err)
		}
	}
	if w.removed.Err() == nil {
		w.k.pods.UpdateStatus(w.uid, podStatus(pod, status, waiting))
	}
	return errors.Join(errs...)
}

// terminate stops what runs of a pod that was removed. It does nothing when it
// is the kubelet that ends.
func (w *worker) terminate(ctx context.Context, last time.Time) {
	if ctx.Err() != nil {
		return
	}
	if status, err := w.k.cache.GetNewerThan(ctx, w.uid, last); err == nil {
		for _, c := range status.Containers {
			if c.State != cri.Running {
				continue
			}
			w.normal(c.Name, reasonKilling, actionStop, "stopping container %s", c.Name)
			_ = w.k.runtime.StopContainer(ctx, w.uid, c.ID) // fails with ctx only
		}
	}
	w.k.runtime.RemovePod(w.uid)
	w.k.pods.Delete(w.uid)
}
