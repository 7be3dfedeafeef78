// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"errors"
	"fmt"
	"math"
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

var errPull = errors.New("the registry does not deliver the image")

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

// Container is the newest run of a container of a pod.
type Container struct {
	Image      string
	State      State // "" before the first run
	FinishedAt time.Time
	ExitCode   int
	run        int // its number
}

// Runtime is the container runtime of a node, in memory. All methods are safe for concurrent use.
type Runtime struct {
	images map[string]*Image // by name

	mu    sync.Mutex // guards the rest
	pulls map[string]int
	pods  map[types.UID]*runtimePod
}

type runtimePod struct {
	name       string
	changed    func()
	containers map[string]*Container // by name
}

// NewRuntime returns a runtime without pods, whose registry has the given images.
func NewRuntime(images ...Image) *Runtime {
	r := &Runtime{
		images: map[string]*Image{},
		pulls:  map[string]int{},
		pods:   map[types.UID]*runtimePod{},
	}
	for i := range images {
		r.images[images[i].Name] = &images[i]
	}
	return r
}

// RunPod adds a pod without containers. It has changed called when one of them has started or ended, which must not
// block.
func (r *Runtime) RunPod(uid types.UID, name string, changed func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pods[uid] = &runtimePod{
		name:       name,
		changed:    changed,
		containers: map[string]*Container{},
	}
}

// RemovePod removes a pod and its containers.
func (r *Runtime) RemovePod(uid types.UID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.pods, uid)
}

// Container returns the newest run of a container.
func (r *Runtime) Container(uid types.UID, name string) Container {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.pods[uid].containers[name]; c != nil {
		return *c
	}
	return Container{run: -1}
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

// CreateContainer creates the next run of a container.
func (r *Runtime) CreateContainer(ctx context.Context, uid types.UID, name, image string) error {
	if err := sleep(ctx, createTime); err != nil {
		return err
	}
	next := Container{
		Image: image,
		State: Created,
		run:   r.Container(uid, name).run + 1,
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pods[uid].containers[name] = &next
	return nil
}

// StartContainer starts a container. It ends when its image says, or by StopContainer.
func (r *Runtime) StartContainer(ctx context.Context, uid types.UID, name string) error {
	if err := sleep(ctx, startTime); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pods[uid]
	c := p.containers[name]
	c.State = Running
	if run := r.images[c.Image].Run; run != nil {
		lasts, code := run(p.name, c.run)
		time.AfterFunc(lasts, func() { r.exit(p, c, code) })
	}
	p.changed()
	return nil
}

// StopContainer ends a container and returns when it has ended.
func (r *Runtime) StopContainer(ctx context.Context, uid types.UID, name string) error {
	if err := sleep(ctx, stopTime); err != nil {
		return err
	}
	r.mu.Lock()
	p := r.pods[uid]
	r.mu.Unlock()
	r.exit(p, p.containers[name], stoppedExitCode)
	return nil
}

// exit ends a container, unless it has ended.
func (r *Runtime) exit(p *runtimePod, c *Container, code int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.State == Running {
		c.State = Exited
		c.FinishedAt = time.Now()
		c.ExitCode = code
		p.changed()
	}
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
