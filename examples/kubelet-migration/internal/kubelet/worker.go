// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/reference"
)

// How long a worker waits before it looks at its pod without being woken, plus up to half of that, so that pods that
// fail together do not retry together.
const (
	resyncAfterFailure = 10 * time.Second
	resync             = time.Minute
)

// The actions are new with events.k8s.io/v1. They distinguish the back-off of a pull from that of a restart.
const (
	actionStartKubelet = "StartKubelet"
	actionPull         = "PullImage"
	actionStart        = "StartContainer"
	actionStop         = "StopContainer"
)

// worker runs the containers of one pod.
type worker struct {
	*Kubelet
	pod     *corev1.Pod // its own
	version int
	wakeups chan struct{}
	removed context.Context // ends with the pod, or with the kubelet
	remove  context.CancelFunc
	rand    *rand.Rand
}

func newWorker(ctx context.Context, k *Kubelet, pod *corev1.Pod) *worker {
	w := &worker{
		Kubelet: k,
		pod:     pod.DeepCopy(),
		wakeups: make(chan struct{}, 1),
	}
	w.removed, w.remove = context.WithCancel(ctx)
	// Seeded by the name, so that an hour can be repeated in whatever order workers run.
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(pod.Name))
	w.rand = rand.New(rand.NewPCG(seed.Sum64(), 0))
	return w
}

// wake makes the worker look at its pod soon. It never blocks.
func (w *worker) wake() {
	select {
	case w.wakeups <- struct{}{}:
	default:
	}
}

// run runs the pod until it is removed, or ctx ends.
func (w *worker) run(ctx context.Context) {
	defer w.remove()
	w.runtime.RunPod(w.pod.UID, w.pod.Name, w.wake)
	for {
		pause := resync
		if !w.sync() {
			pause = resyncAfterFailure
		}
		pause += time.Duration(w.rand.Int64N(int64(pause / 2)))
		select {
		case <-w.wakeups:
		case <-time.After(pause):
		case <-w.removed.Done():
			if ctx.Err() == nil {
				w.terminate(ctx)
			}
			return
		}
	}
}

// sync starts the containers that should run and do not, and reports whether all do.
func (w *worker) sync() (ok bool) {
	ok = true
	for i := range w.pod.Spec.Containers {
		ok = w.syncContainer(&w.pod.Spec.Containers[i]) && ok
	}
	// A kubelet writes the status of the pod now, and the API server gives the pod a new resourceVersion. Recorders
	// must not take that for another object.
	w.version++
	w.pod.ResourceVersion = strconv.Itoa(w.version)
	return ok
}

func (w *worker) syncContainer(spec *corev1.Container) (ok bool) {
	latest := w.runtime.Container(w.pod.UID, spec.Name)
	if !w.shouldStart(latest) {
		return true
	}
	if latest.State == Exited && !w.mayRestart(spec.Name, latest.FinishedAt) {
		return false
	}
	return w.ensureImage(spec) && w.startContainer(spec)
}

// shouldStart reports whether a container is wanted and does not run.
func (w *worker) shouldStart(latest Container) bool {
	policy := w.pod.Spec.RestartPolicy
	failed := latest.ExitCode != 0
	return latest.State == "" || latest.State == Exited &&
		(policy == corev1.RestartPolicyAlways || policy == corev1.RestartPolicyOnFailure && failed)
}

// mayRestart reports whether the back-off of a container that has ended is over. It doubles with each restart, and
// begins anew after a long run.
func (w *worker) mayRestart(container string, finished time.Time) bool {
	key := string(w.pod.UID) + "/" + container
	if w.restarts.IsInBackOffSince(key, finished) {
		w.warning(container, "BackOff", actionStart, "backing off before container %s of pod %s is restarted",
			container, w.pod.Name)
		return false
	}
	w.restarts.Next(key, finished)
	return true
}

// ensureImage pulls the image of a container if it is not on the node, with a back-off after failures.
func (w *worker) ensureImage(spec *corev1.Container) (ok bool) {
	if w.runtime.HasImage(spec.Image) {
		w.normal(spec.Name, "Pulled", actionPull, "image %q is already on the node", spec.Image)
		return true
	}
	key := string(w.pod.UID) + "/" + spec.Image
	if w.pulls.IsInBackOffSinceUpdate(key, time.Now()) {
		w.normal(spec.Name, "BackOff", actionPull, "backing off before image %q is pulled again", spec.Image)
		w.warning(spec.Name, "Failed", actionStart, "container %s waits for its image", spec.Name)
		return false
	}
	w.normal(spec.Name, "Pulling", actionPull, "pulling image %q", spec.Image)
	began := time.Now()
	err := w.runtime.PullImage(w.removed, spec.Image)
	switch {
	case w.removed.Err() != nil:
		return false
	case err != nil:
		w.pulls.Next(key, time.Now())
		w.warning(spec.Name, "Failed", actionPull, "could not pull image %q: %v", spec.Image, err)
		w.warning(spec.Name, "Failed", actionStart, "container %s has no image", spec.Name)
		return false
	}
	took := time.Since(began).Truncate(time.Millisecond)
	w.normal(spec.Name, "Pulled", actionPull, "pulled image %q in %v", spec.Image, took)
	return true
}

// startContainer creates and starts the next container. It fails only when the pod is removed, or the kubelet ends.
func (w *worker) startContainer(spec *corev1.Container) (ok bool) {
	if w.runtime.CreateContainer(w.removed, w.pod.UID, spec.Name, spec.Image) != nil {
		return false
	}
	w.normal(spec.Name, "Created", actionStart, "created container %s", spec.Name)
	if w.runtime.StartContainer(w.removed, w.pod.UID, spec.Name) != nil {
		return false
	}
	w.normal(spec.Name, "Started", actionStart, "started container %s", spec.Name)
	return true
}

// terminate stops the containers of a pod that was removed.
func (w *worker) terminate(ctx context.Context) {
	for _, c := range w.pod.Spec.Containers {
		if w.runtime.Container(w.pod.UID, c.Name).State == Running {
			w.normal(c.Name, "Killing", actionStop, "stopping container %s", c.Name)
			_ = w.runtime.StopContainer(ctx, w.pod.UID, c.Name) // fails with ctx only
		}
	}
	w.runtime.RemovePod(w.pod.UID)
}

func (w *worker) normal(container, reason, action, note string, args ...any) {
	w.record(container, corev1.EventTypeNormal, reason, action, note, args...)
}

func (w *worker) warning(container, reason, action, note string, args ...any) {
	w.record(container, corev1.EventTypeWarning, reason, action, note, args...)
}

// record records one occurrence about a container. The related object is the node. The reasons are those of kubelet,
// because people alert on them.
func (w *worker) record(container, eventType, reason, action, note string, args ...any) {
	regarding, err := reference.GetPartialReference(scheme.Scheme, w.pod, "spec.containers{"+container+"}")
	if err != nil {
		panic(err) // a Pod is in the scheme
	}
	w.recorder.Eventf(regarding, w.node, eventType, reason, action, note, args...)
}
