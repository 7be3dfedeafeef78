// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// How long the runtime takes for what a kubelet asks of it.
const (
	createTime = 80 * time.Millisecond
	startTime  = 120 * time.Millisecond
	stopTime   = 700 * time.Millisecond
)

// Always is a number of pull errors that never runs out.
const Always = math.MaxInt

// stoppedExitCode is that of a container that was asked to end: 128 + SIGTERM.
const stoppedExitCode = 143

// streamSize is how many changes a watcher may be behind before its stream ends.
const streamSize = 1000

var (
	errPull   = errors.New("the registry does not deliver the image")
	errStatus = errors.New("the status of the pod cannot be read")
	errStream = errors.New("the event stream is down")
)

// Image is an image in the registry, with the behaviour of the containers that are made of it.
type Image struct {
	Name string
	// PullTime is how long a pull takes, successful or not.
	PullTime time.Duration
	// PullErrors is how many pulls fail before one succeeds, [Always] for all.
	PullErrors int
	// Run returns how long run number n of a container of the named pod lasts, and its exit code. If Run is nil,
	// containers run until they are stopped.
	Run func(pod string, n int) (time.Duration, int)
}

// State is the state of a container.
type State string

// The states of a container, in order.
const (
	Created State = "Created"
	Running State = "Running"
	Exited  State = "Exited"
)

// Container is a container of a pod.
type Container struct {
	ID, Name, Image string
	State           State
	FinishedAt      time.Time // zero before it exited
	ExitCode        int
}

// PodStatus has the containers of a pod at one moment, oldest first. Nobody may modify it.
type PodStatus struct {
	UID        types.UID
	At         time.Time
	Containers []Container
}

// find returns the container with the given ID, nil if there is none.
func (s *PodStatus) find(id string) *Container {
	for i := range s.Containers {
		if s.Containers[i].ID == id {
			return &s.Containers[i]
		}
	}
	return nil
}

// latest returns the youngest container with the given name, nil if there is none.
func (s *PodStatus) latest(name string) *Container {
	for i := range slices.Backward(s.Containers) {
		if s.Containers[i].Name == name {
			return &s.Containers[i]
		}
	}
	return nil
}

// Runtime is the container runtime of a node, in memory. All methods are safe for concurrent use.
type Runtime struct {
	images map[string]*Image // by name

	mu         sync.Mutex // guards the rest
	pulls      map[string]int
	pods       map[types.UID]*runtimePod
	unreadable map[types.UID]bool
	stream     chan *PodStatus // nil while nobody watches
	cut        bool
}

type runtimePod struct {
	PodStatus
	name string
	runs map[string]int // containers created so far, by name
}

// NewRuntime returns a runtime without pods, whose registry has the given images.
func NewRuntime(images ...Image) *Runtime {
	r := &Runtime{
		images:     map[string]*Image{},
		pulls:      map[string]int{},
		pods:       map[types.UID]*runtimePod{},
		unreadable: map[types.UID]bool{},
	}
	for i := range images {
		r.images[images[i].Name] = &images[i]
	}
	return r
}

// RunPod adds a pod without containers.
func (r *Runtime) RunPod(uid types.UID, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pods[uid] = &runtimePod{PodStatus: PodStatus{UID: uid}, name: name, runs: map[string]int{}}
}

// RemovePod removes a pod and its containers.
func (r *Runtime) RemovePod(uid types.UID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pods[uid]
	delete(r.pods, uid)
	p.Containers = nil
	r.publish(p)
}

// Pods lists the pods that have containers, and when that was so.
func (r *Runtime) Pods() (pods []*PodStatus, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.pods {
		if len(p.Containers) > 0 {
			pods = append(pods, p.snapshot())
		}
	}
	return pods, time.Now()
}

// PodStatus inspects a pod. A pod that the runtime does not know has no containers.
func (r *Runtime) PodStatus(uid types.UID) (*PodStatus, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch p := r.pods[uid]; {
	case r.unreadable[uid]:
		return nil, fmt.Errorf("pod %q: %w", uid, errStatus)
	case p == nil:
		return &PodStatus{UID: uid, At: time.Now()}, nil
	default:
		return p.snapshot(), nil
	}
}

// BreakStatus makes inspections of a pod fail, or work again.
func (r *Runtime) BreakStatus(uid types.UID, broken bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unreadable[uid] = broken
}

// HasImage reports whether the image was pulled.
func (r *Runtime) HasImage(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hasImage(name)
}

func (r *Runtime) hasImage(name string) bool { return r.pulls[name] > r.images[name].PullErrors }

// PullImage pulls an image, for as long as the image says.
func (r *Runtime) PullImage(ctx context.Context, name string) error {
	if err := sleep(ctx, r.images[name].PullTime); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pulls[name]++
	if !r.hasImage(name) {
		return fmt.Errorf("%w: %q", errPull, name)
	}
	return nil
}

// CreateContainer creates the next container with the given name and returns its ID.
func (r *Runtime) CreateContainer(ctx context.Context, uid types.UID, name, image string) (string, error) {
	if err := sleep(ctx, createTime); err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pods[uid]
	id := fmt.Sprintf("%s/%s/%d", p.name, name, p.runs[name])
	p.runs[name]++
	p.Containers = append(p.Containers, Container{ID: id, Name: name, Image: image, State: Created})
	r.publish(p)
	return id, nil
}

// StartContainer starts a container. It ends when its image says, or by StopContainer.
func (r *Runtime) StartContainer(ctx context.Context, uid types.UID, id string) error {
	if err := sleep(ctx, startTime); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pods[uid]
	c := p.find(id)
	c.State = Running
	if run := r.images[c.Image].Run; run != nil {
		lasts, code := run(p.name, p.runs[c.Name]-1)
		time.AfterFunc(lasts, func() { r.exit(uid, id, code) })
	}
	r.publish(p)
	return nil
}

// StopContainer ends a container and returns when it has ended.
func (r *Runtime) StopContainer(ctx context.Context, uid types.UID, id string) error {
	if err := sleep(ctx, stopTime); err != nil {
		return err
	}
	r.exit(uid, id, stoppedExitCode)
	return nil
}

// exit ends a container, unless it has ended or was removed.
func (r *Runtime) exit(uid types.UID, id string, code int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pods[uid]
	if p == nil {
		return
	}
	if c := p.find(id); c != nil && c.State == Running {
		c.State, c.FinishedAt, c.ExitCode = Exited, time.Now(), code
		r.publish(p)
	}
}

// RemoveContainer removes a container that has ended.
func (r *Runtime) RemoveContainer(uid types.UID, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pods[uid]
	p.Containers = slices.DeleteFunc(p.Containers, func(c Container) bool { return c.ID == id })
	r.publish(p)
}

// Watch streams the status of each pod that changes, in place of any earlier stream. The channel is closed when the
// stream is cut, or when the receiver is too slow.
func (r *Runtime) Watch() (<-chan *PodStatus, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cut {
		return nil, errStream
	}
	r.endStream()
	r.stream = make(chan *PodStatus, streamSize)
	return r.stream, nil
}

// CutStream ends the stream and refuses another one, or allows one again.
func (r *Runtime) CutStream(cut bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cut = cut
	r.endStream()
}

func (r *Runtime) endStream() {
	if r.stream != nil {
		close(r.stream)
		r.stream = nil
	}
}

// publish sends the status of a pod. The caller holds the lock, so that changes are streamed in order.
func (r *Runtime) publish(p *runtimePod) {
	if r.stream == nil {
		return
	}
	select {
	case r.stream <- p.snapshot():
	default:
		r.endStream()
	}
}

func (p *runtimePod) snapshot() *PodStatus {
	return &PodStatus{UID: p.UID, At: time.Now(), Containers: slices.Clone(p.Containers)}
}

// sleep waits for d and fails if ctx ends before.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
