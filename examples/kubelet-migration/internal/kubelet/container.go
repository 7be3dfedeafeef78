// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

// syncContainer starts a container if it should run and does not. The error
// says why it still does not.
func (w *worker) syncContainer(pod *corev1.Pod, spec *corev1.Container, status *cri.PodStatus) error {
	latest := status.Latest(spec.Name)
	if !shouldStart(pod, latest) {
		return nil
	}
	if latest != nil && latest.State == cri.Exited {
		if err := w.backOffRestart(spec.Name, latest.FinishedAt); err != nil {
			return err
		}
	}
	if err := w.ensureImage(spec); err != nil {
		return err
	}
	if err := w.startContainer(spec); err != nil {
		return err
	}
	w.prune(spec.Name, status)
	return nil
}

// shouldStart says whether a container is wanted and not there.
func shouldStart(pod *corev1.Pod, latest *cri.ContainerStatus) bool {
	switch {
	case latest == nil:
		return true
	case latest.State != cri.Exited:
		return false
	case pod.Spec.RestartPolicy == corev1.RestartPolicyNever:
		return false
	case pod.Spec.RestartPolicy == corev1.RestartPolicyOnFailure:
		return latest.ExitCode != 0
	default:
		return true
	}
}

// backOffRestart refuses a restart too soon after the container exited. The
// wait doubles with each restart, and starts over after a long run.
func (w *worker) backOffRestart(container string, exited time.Time) error {
	key := string(w.uid) + "/" + container
	if w.k.restarts.IsInBackOffSince(key, exited) {
		w.warning(container, reasonBackOff, actionStart, "backing off before container %s of pod %s is restarted",
			container, w.name)
		return fmt.Errorf("kubelet: waiting %v before the restart of %s", w.k.restarts.Get(key), container)
	}
	w.k.restarts.Next(key, exited)
	return nil
}

// startContainer creates and starts the next container.
func (w *worker) startContainer(spec *corev1.Container) error {
	id, err := w.k.runtime.CreateContainer(w.removed, w.uid, spec.Name, spec.Image)
	if err != nil {
		return w.failed(spec.Name, "create", err)
	}
	w.normal(spec.Name, reasonCreated, actionStart, "created container %s", spec.Name)
	if err := w.k.runtime.StartContainer(w.removed, w.uid, id); err != nil {
		return w.failed(spec.Name, "start", err)
	}
	w.normal(spec.Name, reasonStarted, actionStart, "started container %s", spec.Name)
	return nil
}

// failed reports that a container does not start, unless that is because the
// pod or the kubelet goes away.
func (w *worker) failed(container, step string, err error) error {
	if w.removed.Err() == nil {
		w.warning(container, reasonFailed, actionStart, "could not %s container %s: %v", step, container, err)
	}
	return err
}

// prune removes the dead containers of a name except the youngest one, which
// shows how the last run ended.
func (w *worker) prune(container string, status *cri.PodStatus) {
	latest := status.Latest(container)
	for i := range status.Containers {
		c := &status.Containers[i]
		if c.Name == container && c != latest && c.State == cri.Exited {
			w.k.runtime.RemoveContainer(w.uid, c.ID)
		}
	}
}

// podStatus is what the API server is told of a pod.
func podStatus(pod *corev1.Pod, status *cri.PodStatus, waiting map[string]string) corev1.PodStatus {
	out := corev1.PodStatus{Phase: corev1.PodPending}
	for _, spec := range pod.Spec.Containers {
		c := corev1.ContainerStatus{Name: spec.Name, Image: spec.Image}
		latest := status.Latest(spec.Name)
		switch {
		case waiting[spec.Name] != "":
			c.State.Waiting = &corev1.ContainerStateWaiting{Reason: reasonBackOff, Message: waiting[spec.Name]}
		case latest != nil && latest.State == cri.Running:
			c.State.Running = &corev1.ContainerStateRunning{}
			c.Ready = true
			out.Phase = corev1.PodRunning
		case latest != nil && latest.State == cri.Exited:
			c.State.Terminated = &corev1.ContainerStateTerminated{ExitCode: int32(latest.ExitCode)}
		}
		if latest != nil {
			c.ContainerID = latest.ID
		}
		out.ContainerStatuses = append(out.ContainerStatuses, c)
	}
	return out
}
