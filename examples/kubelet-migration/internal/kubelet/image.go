// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// ensureImage pulls the image of a container if it is not on the node. Pulls
// that fail are repeated with a doubling wait, per pod and image.
func (w *worker) ensureImage(spec *corev1.Container) error {
	if w.k.runtime.HasImage(spec.Image) {
		w.normal(spec.Name, reasonPulled, actionPull, "image %q is already on the node", spec.Image)
		return nil
	}
	key := string(w.uid) + "/" + spec.Image
	if w.k.pulls.IsInBackOffSinceUpdate(key, time.Now()) {
		w.normal(spec.Name, reasonBackOff, actionPull, "backing off before image %q is pulled again", spec.Image)
		w.warning(spec.Name, reasonFailed, actionStart, "container %s waits for its image", spec.Name)
		return fmt.Errorf("kubelet: waiting %v before the next pull of %q", w.k.pulls.Get(key), spec.Image)
	}
	w.normal(spec.Name, reasonPulling, actionPull, "pulling image %q", spec.Image)
	began := time.Now()
	if err := w.k.runtime.PullImage(w.removed, spec.Image); err != nil {
		if w.removed.Err() != nil {
			return err
		}
		w.k.pulls.Next(key, time.Now())
		w.warning(spec.Name, reasonFailed, actionPull, "could not pull image %q: %v", spec.Image, err)
		w.warning(spec.Name, reasonFailed, actionStart, "container %s has no image", spec.Name)
		return err
	}
	took := time.Since(began).Truncate(time.Millisecond)
	w.normal(spec.Name, reasonPulled, actionPull, "pulled image %q in %v", spec.Image, took)
	return nil
}
