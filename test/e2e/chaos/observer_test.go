// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/eventseries/eventseries/eventview"
)

// retryPeriod is the pause before a failed request is sent again.
const retryPeriod = 50 * time.Millisecond

// Observer sees every state of every Event of one reporting controller, also of those
// that expire or are deleted. It watches through core/v1, which is always served. It is
// safe for concurrent use.
type Observer struct {
	client     kubernetes.Interface
	controller string
	cancel     context.CancelFunc
	done       chan struct{}

	mu       sync.Mutex // guards the rest
	objects  map[types.NamespacedName]*object
	markers  map[string]chan struct{}
	problems []string
}

// object is the newest Event with a name.
type object struct {
	key   Key
	uid   types.UID
	count int64
	lives int         // how often it was created
	seen  []time.Time // when its count was seen to grow
}

// Observe starts an observer. The caller must call Stop.
func Observe(ctx context.Context, client kubernetes.Interface, controller string) *Observer {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	o := &Observer{
		client: client, controller: controller, cancel: cancel, done: make(chan struct{}),
		objects: map[types.NamespacedName]*object{}, markers: map[string]chan struct{}{},
	}
	go func() {
		defer close(o.done)
		all := client.CoreV1().Events(metav1.NamespaceAll)
		for change, err := range eventview.Watch(ctx, all, metav1.ListOptions{}, nil) {
			if err == nil { // else the server is broken, which is what a scenario does
				o.see(&change.Event)
			}
		}
	}()
	return o
}

func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(retryPeriod):
	}
}

// Stop ends the watch.
func (o *Observer) Stop() {
	o.cancel()
	<-o.done
}

func (o *Observer) see(event *eventview.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if marker, found := o.markers[event.Name]; found {
		close(marker)
		delete(o.markers, event.Name)
	}
	if event.Controller != o.controller {
		return
	}
	name := types.NamespacedName{Namespace: event.Namespace, Name: event.Name}
	known := o.objects[name]
	if known == nil {
		regarding := event.Regarding
		known = &object{key: Key{Namespace: regarding.Namespace, Name: regarding.Name, Type: event.Type, Reason: event.Reason}}
		o.objects[name] = known
	}
	if known.uid != event.UID {
		known.uid = event.UID
		known.lives++
	}
	if event.Count < known.count {
		o.problems = append(o.problems,
			fmt.Sprintf("the count of %s went from %d down to %d (life %d)", name, known.count, event.Count, known.lives))
	}
	if event.Count > known.count {
		known.seen = append(known.seen, time.Now())
	}
	known.count = event.Count
}

// CatchUp returns when the observer has seen all that the server has stored so far.
func (o *Observer) CatchUp(ctx context.Context) error {
	name := fmt.Sprintf("seen-%d", time.Now().UnixNano())
	seen := make(chan struct{})
	o.mu.Lock()
	o.markers[name] = seen
	o.mu.Unlock()
	marker := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Name: name, Namespace: metav1.NamespaceDefault},
		InvolvedObject: corev1.ObjectReference{Kind: "Node", Name: "none"},
	}
	for {
		_, err := o.client.CoreV1().Events(marker.Namespace).Create(ctx, marker, metav1.CreateOptions{})
		if err == nil || apierrors.IsAlreadyExists(err) {
			break
		}
		if pause(ctx); ctx.Err() != nil {
			return fmt.Errorf("accounts: %w; the last answer was %w", ctx.Err(), err)
		}
	}
	select {
	case <-seen:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("accounts: the watch does not catch up: %w", ctx.Err())
	}
}

// Counts returns what the server stores, or stored when the object expired or was deleted.
func (o *Observer) Counts() Counts {
	o.mu.Lock()
	defer o.mu.Unlock()
	counts := Counts{}
	for _, object := range o.objects {
		counts[object.key] += object.count
	}
	return counts
}

// Seen returns the times at which each count was seen to grow, in order.
func (o *Observer) Seen() map[Key][]time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	seen := map[Key][]time.Time{}
	for _, object := range o.objects {
		seen[object.key] = append(seen[object.key], object.seen...)
	}
	for _, times := range seen {
		slices.SortFunc(times, time.Time.Compare)
	}
	return seen
}

// Recreated returns how often Events were created again with the same name.
func (o *Observer) Recreated() (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, object := range o.objects {
		n += object.lives - 1
	}
	return n
}

// Problems returns what should not have happened.
func (o *Observer) Problems() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]string(nil), o.problems...)
}
