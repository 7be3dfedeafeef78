// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cri

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// How long the runtime takes for what a kubelet asks of it.
const (
	createTime = 80 * time.Millisecond
	startTime  = 120 * time.Millisecond
	stopTime   = 700 * time.Millisecond
)

// stopped is the exit code of a container that was asked to end (128+SIGTERM).
const stopped = 143

// container is the runtime's own record of a container.
type container struct {
	status ContainerStatus
}

// CreateContainer makes the next container of the given name in a pod and
// returns its ID. The image must have been pulled.
func (r *Runtime) CreateContainer(ctx context.Context, uid types.UID, name, image string) (string, error) {
	if err := sleep(ctx, createTime); err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pods[uid]
	if p == nil {
		return "", fmt.Errorf("cri: no pod %q to create container %q in", uid, name)
	}
	if !r.pulled[image] {
		return "", fmt.Errorf("cri: image %q of container %q was not pulled", image, name)
	}
	id := fmt.Sprintf("%s/%s/%d", p.name, name, p.runs[name])
	p.runs[name]++
	p.containers = append(p.containers, &container{status: ContainerStatus{
		Container: Container{ID: id, Name: name, State: Created},
		Image:     image,
	}})
	r.publish(p, ContainerCreated)
	return id, nil
}

// StartContainer starts a container that was created. From then on it ends as
// its image says.
func (r *Runtime) StartContainer(ctx context.Context, uid types.UID, id string) error {
	if err := sleep(ctx, startTime); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p, c := r.find(uid, id)
	if c == nil || c.status.State != Created {
		return fmt.Errorf("cri: container %q is not there to be started", id)
	}
	c.status.State, c.status.StartedAt = Running, time.Now()
	life, code := r.images[c.status.Image].run(p.name, p.runs[c.status.Name]-1)
	if life > 0 {
		time.AfterFunc(life, func() { r.exit(uid, id, code) })
	}
	r.publish(p, ContainerStarted)
	return nil
}

// StopContainer ends a container and returns when it has. A container that is
// gone or has exited is no error.
func (r *Runtime) StopContainer(ctx context.Context, uid types.UID, id string) error {
	if err := sleep(ctx, stopTime); err != nil {
		return err
	}
	r.exit(uid, id, stopped)
	return nil
}

// RemoveContainer forgets a container. One that runs is not removed.
func (r *Runtime) RemoveContainer(uid types.UID, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, c := r.find(uid, id)
	if c == nil || c.status.State == Running {
		return
	}
	kept := p.containers[:0:0]
	for _, other := range p.containers {
		if other != c {
			kept = append(kept, other)
		}
	}
	p.containers = kept
	r.publish(p, ContainerDeleted)
}

// exit ends a running container. One that was stopped or removed before its time
// came stays as it is.
func (r *Runtime) exit(uid types.UID, id string, code int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, c := r.find(uid, id)
	if c == nil || c.status.State != Running {
		return
	}
	c.status.State, c.status.FinishedAt, c.status.ExitCode = Exited, time.Now(), code
	r.publish(p, ContainerStopped)
}

// find must be called with the lock held.
func (r *Runtime) find(uid types.UID, id string) (*pod, *container) {
	p := r.pods[uid]
	if p == nil {
		return nil, nil
	}
	for _, c := range p.containers {
		if c.status.ID == id {
			return p, c
		}
	}
	return p, nil
}
