// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/pleg"
)

// Runtime is what the workers need of a container runtime.
type Runtime interface {
	RunPod(uid types.UID, name string)
	RemovePod(uid types.UID)
	HasImage(name string) bool
	PullImage(ctx context.Context, name string) error
	CreateContainer(ctx context.Context, uid types.UID, name, image string) (string, error)
	StartContainer(ctx context.Context, uid types.UID, id string) error
	StopContainer(ctx context.Context, uid types.UID, id string) error
	RemoveContainer(uid types.UID, id string)
}

// Generator says which pods to look at.
type Generator interface {
	// Run generates events until ctx ends.
	Run(ctx context.Context)
	// Events is where they come out.
	Events() <-chan pleg.Event
}

// Parts are what a kubelet is made of. All are required.
type Parts struct {
	Node     types.NodeName
	Recorder clientevents.EventRecorderLogger
	Runtime  Runtime
	PLEG     Generator
	Cache    *pleg.Cache // the one that PLEG fills
}

// Kubelet runs the pods of one node. Make one with [New]; AddPod and DeletePod
// are safe for concurrent use.
type Kubelet struct {
	node     *corev1.ObjectReference
	recorder clientevents.EventRecorderLogger
	runtime  Runtime
	pleg     Generator
	cache    *pleg.Cache
	pods     *Pods
	restarts *flowcontrol.Backoff
	pulls    *flowcontrol.Backoff
	updates  chan update
}

// update is a pod that was assigned to the node, or is to leave it.
type update struct {
	pod    *corev1.Pod
	delete bool
}

// kubelet's numbers.
const (
	minBackOff = 10 * time.Second
	maxBackOff = 5 * time.Minute
)

// New returns a kubelet without pods. Nothing happens before Run.
func New(parts Parts) *Kubelet {
	return &Kubelet{
		// A kubelet refers to its node by name also where a UID is asked for; kubectl
		// describe node looks for both.
		node: &corev1.ObjectReference{
			APIVersion: "v1", Kind: "Node", Name: string(parts.Node), UID: types.UID(parts.Node),
		},
		recorder: parts.Recorder,
		runtime:  parts.Runtime,
		pleg:     parts.PLEG,
		cache:    parts.Cache,
		pods:     NewPods(),
		restarts: flowcontrol.NewBackOff(minBackOff, maxBackOff),
		pulls:    flowcontrol.NewBackOff(minBackOff, maxBackOff),
		updates:  make(chan update),
	}
}

// AddPod assigns a pod to the node. It returns when the sync loop took it, or
// when ctx ended.
func (k *Kubelet) AddPod(ctx context.Context, pod *corev1.Pod) {
	k.update(ctx, update{pod: pod})
}

// DeletePod has the containers of a pod stopped, and the pod removed. It returns
// when the sync loop took it, or when ctx ended.
func (k *Kubelet) DeletePod(ctx context.Context, pod *corev1.Pod) {
	k.update(ctx, update{pod: pod, delete: true})
}

func (k *Kubelet) update(ctx context.Context, u update) {
	select {
	case k.updates <- u:
	case <-ctx.Done():
	}
}

// Run runs the node until ctx ends, and returns when all its goroutines have.
// Containers that run are left running, as when a kubelet restarts. It must be
// called once.
func (k *Kubelet) Run(ctx context.Context) {
	var group sync.WaitGroup
	defer group.Wait()
	k.recorder.Eventf(k.node, nil, corev1.EventTypeNormal, reasonStarting, actionStartKubelet, "kubelet is starting")
	group.Go(func() { k.pleg.Run(ctx) })

	workers := map[types.UID]*worker{}
	for {
		select {
		case <-ctx.Done():
			return
		case u := <-k.updates:
			k.dispatch(ctx, &group, workers, u)
		case event := <-k.pleg.Events():
			if w := workers[event.UID]; w != nil && worthSync(event) {
				w.wake()
			}
		}
	}
}

// dispatch starts a worker, or tells one to end.
func (k *Kubelet) dispatch(ctx context.Context, group *sync.WaitGroup, workers map[types.UID]*worker, u update) {
	uid := u.pod.UID
	w := workers[uid]
	switch {
	case u.delete && w != nil:
		w.remove()
		delete(workers, uid)
	case !u.delete && w == nil:
		k.pods.Add(u.pod)
		w = newWorker(ctx, k, u.pod)
		workers[uid] = w
		group.Go(func() { w.run(ctx) })
	}
}

// worthSync says whether a worker could have something to do. There is nothing
// to do about a container that is gone, and the worker itself creates them.
func worthSync(event pleg.Event) bool {
	return event.Type != pleg.ContainerRemoved && event.Type != pleg.ContainerChanged
}

var _ Runtime = (*cri.Runtime)(nil)
