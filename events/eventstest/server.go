// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"fmt"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/rand"

	"github.com/eventseries/eventseries/internal/eventrules"
	"k8s.io/utils/clock"
)

// server answers requests about Events as a kube-apiserver does: one storage behind two API groups. It is what [Sink]
// and [Clientset] share. Events go in and come out in their core/v1 shape as copies; the via of every request is the
// group version that picks the rules, the patch's field names and the errors' group. Nothing blocks.
type server struct {
	mu      sync.Mutex // guards everything below
	store   store
	clock   clock.PassiveClock
	version int64
}

func newServer() *server {
	return &server{clock: clock.RealClock{}, store: newStore()}
}

// create stores event in namespace and returns it as stored.
func (s *server) create(via schema.GroupVersion, namespace string, event *corev1.Event) (*corev1.Event, error) {
	event, err := onTheWire(event)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store.sweep(s.clock.Now())
	return s.createLocked(via, namespace, event)
}

func (s *server) createLocked(via schema.GroupVersion, namespace string, event *corev1.Event) (*corev1.Event, error) {
	if err := scope(namespace, event); err != nil {
		return nil, err
	}
	for event.Name == "" && event.GenerateName != "" {
		if name := event.GenerateName + rand.String(5); s.store.get(namespace, name) == nil {
			event.Name = name
		}
	}
	version := event.ResourceVersion
	s.wipe(&event.ObjectMeta)
	if err := eventrules.ValidateCreate(event, via); err != nil {
		return nil, err
	}
	if version != "" {
		return nil, eventrules.ResourceVersionOnCreate()
	}
	if s.store.get(namespace, event.Name) != nil {
		return nil, eventrules.AlreadyExists(via, event.Name)
	}
	return s.write(event), nil
}

// wipe replaces what only the server may say about a new object.
func (s *server) wipe(meta *metav1.ObjectMeta) {
	meta.UID, meta.CreationTimestamp = "", metav1.NewTime(s.clock.Now().Truncate(time.Second))
	meta.DeletionTimestamp, meta.DeletionGracePeriodSeconds, meta.SelfLink = nil, nil, ""
}

// update replaces the Event of that name, and creates it if there is none: the server allows that for Events.
func (s *server) update(via schema.GroupVersion, namespace string, event *corev1.Event) (*corev1.Event, error) {
	event, err := onTheWire(event)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store.sweep(s.clock.Now())
	if err := scope(namespace, event); err != nil {
		return nil, err
	}
	old := s.store.get(namespace, event.Name)
	switch {
	case old == nil && event.UID != "":
		return nil, eventrules.ConflictUID(via, event.Name, string(event.UID), "")
	case old == nil:
		event.ResourceVersion = ""
		return s.createLocked(via, namespace, event)
	case event.UID != "" && event.UID != old.UID:
		return nil, eventrules.ConflictUID(via, event.Name, string(event.UID), string(old.UID))
	}
	return s.replace(via, old, event)
}

// patch applies a strategic merge patch to the via view of the Event.
func (s *server) patch(via schema.GroupVersion, namespace, name string, patch []byte) (*corev1.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store.sweep(s.clock.Now())
	old := s.store.get(namespace, name)
	if old == nil {
		return nil, eventrules.NotFound(via, name)
	}
	event, err := applyPatch(via, old, patch)
	if err != nil {
		return nil, err
	}
	if err := scope(namespace, event); err != nil {
		return nil, err
	}
	if event.Name != name {
		return nil, eventrules.NameMismatch(event.Name, name)
	}
	return s.replace(via, old, event)
}

// replace stores event, which the caller hands over, in the place of old. What changes nothing writes nothing: the
// resource version stays and the lease is not renewed.
func (s *server) replace(via schema.GroupVersion, old, event *corev1.Event) (*corev1.Event, error) {
	switch event.ResourceVersion {
	case "", "0":
		event.ResourceVersion = old.ResourceVersion
	case old.ResourceVersion:
	default:
		return nil, eventrules.Conflict(via, event.Name)
	}
	if event.UID == "" {
		event.UID = old.UID
	}
	event.CreationTimestamp, event.Generation = old.CreationTimestamp, old.Generation
	if err := eventrules.ValidateUpdate(event, old, via); err != nil {
		return nil, err
	}
	if sameEvent(event, old) {
		return old.DeepCopy(), nil
	}
	return s.write(event), nil
}

// write stores event, which the caller hands over, under the next resource version and returns a copy.
func (s *server) write(event *corev1.Event) *corev1.Event {
	s.version++
	event.ResourceVersion = strconv.FormatInt(s.version, 10)
	if event.UID == "" {
		event.UID = types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012x", s.version))
	}
	s.store.put(event, s.clock.Now())
	return event.DeepCopy()
}

// scope puts event into the request's namespace, or refuses when it names another one.
func scope(namespace string, event *corev1.Event) error {
	switch {
	case namespace == "":
		return eventrules.NamespaceRequired()
	case event.Namespace == "":
		event.Namespace = namespace
	case event.Namespace != namespace:
		return eventrules.NamespaceMismatch()
	}
	return nil
}
