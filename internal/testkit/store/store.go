// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/internal/testkit/rules"
)

// Store stores Events and validates requests. Create one with [New]; the zero value is not usable.
type Store struct {
	// mu guards the fields below.
	mu       sync.Mutex
	objects  objects
	history  history
	watchers map[*watcher]struct{}
	clock    clock.PassiveClock
	version  int64
}

// New returns an empty Store whose Events never expire.
func New() *Store {
	return &Store{
		clock:    clock.RealClock{},
		objects:  newObjects(),
		watchers: make(map[*watcher]struct{}),
	}
}

// Request holds the parameters that all requests have in common.
type Request struct {
	// Via is the group version through which the request is made.
	Via schema.GroupVersion
	// Namespace is the namespace of the request, or "" for all namespaces.
	Namespace string
	// Name is the name of the Event, for requests whose body does not contain it.
	Name string
	// DryRun makes the Store validate and answer the request without storing anything.
	DryRun bool
	// Terminating reports whether a namespace is being deleted and accepts no new Events. If it is
	// nil, no namespace is being deleted.
	Terminating func(namespace string) bool
}

// Create stores a new Event and returns the stored Event.
func (s *Store) Create(r Request, event *corev1.Event) (*corev1.Event, error) {
	event, err := onTheWire(event)
	if err != nil {
		return nil, err
	}
	if r.Namespace == "" {
		return nil, rules.NamespaceRequired()
	}
	defer s.open()()
	if err := scope(r.Namespace, event); err != nil {
		return nil, err
	}
	return s.create(r, event)
}

// create is Create for an event that was passed through onTheWire and is in the namespace of the
// request. The caller must hold mu, and gives up ownership of event.
func (s *Store) create(r Request, event *corev1.Event) (*corev1.Event, error) {
	if r.Terminating != nil && r.Terminating(r.Namespace) {
		return nil, rules.NamespaceTerminating(r.Via, r.Namespace, event.Name)
	}
	if event.Name == "" && event.GenerateName != "" {
		event.Name = s.unusedName(r.Namespace, event.GenerateName)
	}
	version := event.ResourceVersion
	s.wipe(&event.ObjectMeta)
	if err := rules.ValidateCreate(event, r.Via); err != nil {
		return nil, err
	}
	if version != "" {
		return nil, rules.ResourceVersionOnCreate()
	}
	if s.objects.get(r.Namespace, event.Name) != nil {
		return nil, rules.AlreadyExists(r.Via, event.Name)
	}
	if r.DryRun {
		event.UID = uid(s.version + 1)
		return event, nil
	}
	return s.write(nil, event), nil
}

// unusedName generates a name that begins with base. Like the server, it truncates base so that the
// name fits into a DNS label.
func (s *Store) unusedName(namespace, base string) string {
	const generated = 5
	base = base[:min(len(base), validation.DNS1123LabelMaxLength-generated)]
	for {
		if name := base + rand.String(generated); s.objects.get(namespace, name) == nil {
			return name
		}
	}
}

// wipe removes the metadata of a new object that only the server may set, and sets the creation
// time.
func (s *Store) wipe(meta *metav1.ObjectMeta) {
	meta.UID = ""
	meta.CreationTimestamp = metav1.NewTime(s.clock.Now().Truncate(time.Second))
	meta.DeletionTimestamp = nil
	meta.DeletionGracePeriodSeconds = nil
	meta.SelfLink = ""
}

// Update replaces the stored Event that has the same name as event. If there is no such Event,
// Update creates it, as the API server does for Events.
func (s *Store) Update(r Request, event *corev1.Event) (*corev1.Event, error) {
	event, err := onTheWire(event)
	if err != nil {
		return nil, err
	}
	if r.Namespace == "" {
		return nil, rules.NotServed()
	}
	defer s.open()()
	if err := scope(r.Namespace, event); err != nil {
		return nil, err
	}
	old := s.objects.get(r.Namespace, event.Name)
	switch {
	case old == nil && event.UID != "":
		return nil, rules.ConflictUID(r.Via, event.Name, string(event.UID), "")
	case old == nil:
		event.ResourceVersion = ""
		return s.create(r, event)
	case event.UID != "" && event.UID != old.UID:
		return nil, rules.ConflictUID(r.Via, event.Name, string(event.UID), string(old.UID))
	}
	return s.replace(r, old, event)
}

// replace stores event in place of old. The caller gives up ownership of event. If nothing changes,
// nothing is written: the resource version stays the same, and the TTL is not renewed.
func (s *Store) replace(r Request, old, event *corev1.Event) (*corev1.Event, error) {
	if err := atVersion(r.Via, old, event); err != nil {
		return nil, err
	}
	keepSystemMetadata(event, old)
	if err := rules.ValidateUpdate(event, old, r.Via); err != nil {
		return nil, err
	}
	switch {
	case apiequality.Semantic.DeepEqual(event, old):
		return old.DeepCopy(), nil
	case r.DryRun:
		return event, nil
	}
	return s.write(old, event), nil
}

// atVersion checks that the resource version of a write is that of the stored Event. A write
// without a resource version, or with 0, applies to any version; atVersion then sets the stored
// version.
func atVersion(via schema.GroupVersion, old, event *corev1.Event) error {
	switch event.ResourceVersion {
	case "", "0":
		event.ResourceVersion = old.ResourceVersion
	case old.ResourceVersion:
	default:
		if _, err := parseVersion(event.ResourceVersion); err != nil {
			return err
		}
		return rules.Conflict(via, event.Name)
	}
	return nil
}

// keepSystemMetadata restores the fields that a write cannot change. As on a real server, it is not
// an error if a write sets these fields.
func keepSystemMetadata(event, old *corev1.Event) {
	if event.UID == "" {
		event.UID = old.UID
	}
	event.CreationTimestamp = old.CreationTimestamp
	event.Generation = old.Generation
}

// write stores event under the next version in place of old, which is nil for a new Event, and
// returns a copy. The caller gives up ownership of event.
func (s *Store) write(old, event *corev1.Event) *corev1.Event {
	s.version++
	event.ResourceVersion = formatVersion(s.version)
	if event.UID == "" {
		event.UID = uid(s.version)
	}
	s.objects.put(event, s.clock.Now())
	s.notify(change{s.version, old, event})
	return event.DeepCopy()
}

// remove deletes a stored Event. The deletion gets a new resource version, as a write does.
func (s *Store) remove(old *corev1.Event) {
	s.version++
	s.objects.remove(old.Namespace, old.Name)
	s.notify(change{s.version, old, nil})
}

// open locks the store, removes the Events that have expired, and returns the function that unlocks
// it. Every method calls it first, so the expiry needs no goroutine and no timer.
func (s *Store) open() (unlock func()) {
	s.mu.Lock()
	now := s.clock.Now()
	for old := s.objects.expired(now); old != nil; old = s.objects.expired(now) {
		s.remove(old)
	}
	return s.mu.Unlock
}

// scope sets an empty namespace of event to the namespace of the request. If the two namespaces
// differ, it returns the server's refusal.
func scope(namespace string, event *corev1.Event) error {
	if event.Namespace == "" {
		event.Namespace = namespace
	}
	if event.Namespace != namespace {
		return rules.NamespaceMismatch()
	}
	return nil
}

func uid(n int64) types.UID { return types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012x", n)) }

func formatVersion(version int64) string { return strconv.FormatInt(version, 10) }

func parseVersion(text string) (int64, error) {
	version, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		// A real server answers with a 500, too.
		return 0, internal(fmt.Sprintf("invalid resource version %q", text))
	}
	return version, nil
}

// Events returns the stored Events, sorted by namespace and name.
func (s *Store) Events() []eventsv1.Event {
	defer s.open()()
	var all []eventsv1.Event
	for _, event := range s.objects.sorted(func(*corev1.Event) bool { return true }) {
		all = append(all, *eventconv.FromCore(event.DeepCopy()))
	}
	return all
}

// Len returns the number of stored Events.
func (s *Store) Len() int {
	defer s.open()()
	return len(s.objects.entries)
}

// Expire removes an Event as if its TTL had ended, and reports whether it was stored.
func (s *Store) Expire(namespace, name string) bool {
	defer s.open()()
	old := s.objects.get(namespace, name)
	if old != nil {
		s.remove(old)
	}
	return old != nil
}

// SetTTL makes every Event, including those already stored, expire when the time ttl has passed
// since the last write of the Event. 0 means that Events never expire.
func (s *Store) SetTTL(ttl time.Duration) {
	defer s.open()()
	s.objects.ttl = ttl
}

// SetClock sets the clock for creation timestamps and the TTL. The default is the real clock.
func (s *Store) SetClock(clock clock.PassiveClock) {
	defer s.open()()
	s.clock = clock
}

// Seed stores event without validation, because a cluster may contain Events that the current rules
// refuse.
func (s *Store) Seed(event *corev1.Event) error {
	event, err := onTheWire(event)
	if err != nil {
		return err
	}
	defer s.open()()
	s.write(s.objects.get(event.Namespace, event.Name), event)
	return nil
}

// Delete deletes an Event, even if it has finalizers.
func (s *Store) Delete(r Request) error {
	defer s.open()()
	old, err := s.find(r)
	if err == nil && !r.DryRun {
		s.remove(old)
	}
	return err
}

// DeleteAll deletes the Events that options select.
func (s *Store) DeleteAll(r Request, options metav1.ListOptions) error {
	where, err := selectionOf(r, options)
	if err != nil || r.DryRun {
		return err
	}
	defer s.open()()
	for _, old := range s.objects.sorted(where.matches) {
		s.remove(old)
	}
	return nil
}

// onTheWire returns a copy of event as it arrives at the server in JSON: its times are truncated to
// microseconds, each byte of invalid UTF-8 is replaced, and it has no TypeMeta. The replacement can
// make a text longer than a limit that the original text did not exceed. In protobuf, which
// client-go's typed clients prefer, the bytes would arrive unchanged.
func onTheWire(event *corev1.Event) (*corev1.Event, error) {
	body, err := json.Marshal(event)
	if err != nil {
		return nil, fmt.Errorf("eventstest: an event that cannot be encoded: %w", err)
	}
	arrived := &corev1.Event{}
	if err := json.Unmarshal(body, arrived); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	arrived.TypeMeta = metav1.TypeMeta{}
	return arrived, nil
}
