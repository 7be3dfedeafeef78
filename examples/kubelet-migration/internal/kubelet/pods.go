// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
)

// Pods is the API server's copy of the pods of the node. Each write of a status
// gives the pod a new resourceVersion, as on a server: an Event recorder that
// takes the version for a part of the identity of an object sees a new object
// every time. It is safe for concurrent use.
type Pods struct {
	mu       sync.Mutex // guards everything below
	pods     map[types.UID]*corev1.Pod
	revision int
}

// NewPods returns a store without pods.
func NewPods() *Pods { return &Pods{pods: map[types.UID]*corev1.Pod{}} }

// Add stores a copy of a pod.
func (p *Pods) Add(pod *corev1.Pod) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.store(pod.DeepCopy())
}

// Get returns a pod, nil if there is none. The caller must not modify it; later
// writes do not change it either.
func (p *Pods) Get(uid types.UID) *corev1.Pod {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pods[uid]
}

// Delete forgets a pod.
func (p *Pods) Delete(uid types.UID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pods, uid)
}

// UpdateStatus writes a status. One that changes nothing is not written.
func (p *Pods) UpdateStatus(uid types.UID, status corev1.PodStatus) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pod := p.pods[uid]
	if pod == nil || equality.Semantic.DeepEqual(pod.Status, status) {
		return
	}
	pod = pod.DeepCopy()
	pod.Status = status
	p.store(pod)
}

// store must be called with the lock held and owns the pod.
func (p *Pods) store(pod *corev1.Pod) {
	p.revision++
	pod.ResourceVersion = strconv.Itoa(p.revision)
	p.pods[pod.UID] = pod
}
