// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/flowcontrol"
)

// Dependencies are those of kubelet that have to do with Events. A makeEventRecorder function fills them in.
type Dependencies struct {
	// EventClient writes Events. It writes nothing else, so that Events compete with no other requests.
	EventClient kubernetes.Interface
	// Recorder records Events.
	Recorder clientevents.EventRecorderLogger
	// StopEvents ends the recording when the kubelet has stopped.
	StopEvents func(ctx context.Context) error
}

// Kubelet runs the pods of a node. AddPod and DeletePod are safe for concurrent use.
type Kubelet struct {
	node     *corev1.ObjectReference
	recorder clientevents.EventRecorder
	runtime  *Runtime
	updates  chan update
	// The back-offs of restarts, by pod and container, and of pulls, by pod and image.
	restarts, pulls *flowcontrol.Backoff
}

// update is a pod that is assigned to the node, or is to leave it.
type update struct {
	pod    *corev1.Pod
	remove bool
}

// New returns a kubelet without pods.
func New(node types.NodeName, recorder clientevents.EventRecorder, runtime *Runtime) *Kubelet {
	const minBackOff, maxBackOff = 10 * time.Second, 5 * time.Minute
	return &Kubelet{
		// As in kubelet, the UID is the name. kubectl describe node looks for Events with either.
		node: &corev1.ObjectReference{
			APIVersion: "v1",
			Kind:       "Node",
			Name:       string(node),
			UID:        types.UID(node),
		},
		recorder: recorder,
		runtime:  runtime,
		updates:  make(chan update),
		restarts: flowcontrol.NewBackOff(minBackOff, maxBackOff),
		pulls:    flowcontrol.NewBackOff(minBackOff, maxBackOff),
	}
}

// AddPod assigns a pod to the node. It returns when the kubelet has taken it, or when ctx ends.
func (k *Kubelet) AddPod(ctx context.Context, pod *corev1.Pod) {
	k.update(ctx, update{pod: pod})
}

// DeletePod stops the containers of a pod and removes it. It returns when the kubelet has begun, or when ctx ends.
func (k *Kubelet) DeletePod(ctx context.Context, pod *corev1.Pod) {
	k.update(ctx, update{pod: pod, remove: true})
}

func (k *Kubelet) update(ctx context.Context, u update) {
	select {
	case k.updates <- u:
	case <-ctx.Done():
	}
}

// Run runs the node until ctx ends, and returns when all its goroutines have ended. Containers keep running, as when a
// kubelet restarts. Run must be called once.
func (k *Kubelet) Run(ctx context.Context) {
	var group sync.WaitGroup
	defer group.Wait()
	k.recorder.Eventf(k.node, nil, corev1.EventTypeNormal, "Starting", actionStartKubelet, "kubelet is starting")
	workers := map[types.UID]*worker{}
	for {
		select {
		case <-ctx.Done():
			return
		case u := <-k.updates:
			w := workers[u.pod.UID]
			switch {
			case u.remove && w != nil:
				w.remove()
				delete(workers, u.pod.UID)
			case !u.remove && w == nil:
				w = newWorker(ctx, k, u.pod)
				workers[u.pod.UID] = w
				group.Go(func() { w.run(ctx) })
			}
		}
	}
}
