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

// Store is the storage of an API server, and what stands in front of it. The zero value is not usable, see [New].
type Store struct {
	mu       sync.Mutex // guards everything below
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

// Request is what requests have in common.
type Request struct {
	Via       schema.GroupVersion
	Namespace string // "" for all
	Name      string // of the Event, where the body does not say it
	// DryRun validates and answers a request, and stores nothing.
	DryRun bool
	// Terminating reports whether a namespace is terminating and takes no new Events. Nil: none is.
	Terminating func(namespace string) bool
}

// Create stores event and returns it as stored.
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

// unusedName returns a name that begins with base, as far as the server thinks a name should be long.
func (s *Store) unusedName(namespace, base string) string {
	const generated = 5
	base = base[:min(len(base), validation.DNS1123LabelMaxLength-generated)]
	for {
		if name := base + rand.String(generated); s.objects.get(namespace, name) == nil {
			return name
		}
	}
}

// wipe replaces the metadata that only the server may set on a new object.
func (s *Store) wipe(meta *metav1.ObjectMeta) {
	meta.UID = ""
	meta.CreationTimestamp = metav1.NewTime(s.clock.Now().Truncate(time.Second))
	meta.DeletionTimestamp = nil
	meta.DeletionGracePeriodSeconds = nil
	meta.SelfLink = ""
}

// Update replaces the Event of that name, and creates it if there is none: the server allows that for Events.
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

// replace stores event, which the caller hands over, in the place of old. What changes nothing writes nothing: the
// resource version stays and the TTL is not renewed.
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

// atVersion compares the version that a write names with the stored one, which is what none and 0 stand for.
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

// keepSystemMetadata puts back what a write cannot change, without saying so.
func keepSystemMetadata(event, old *corev1.Event) {
	if event.UID == "" {
		event.UID = old.UID
	}
	event.CreationTimestamp = old.CreationTimestamp
	event.Generation = old.Generation
}

// write stores event, which the caller hands over, under the next version in the place of old, and returns a copy.
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

// remove deletes a stored Event, which is a new version, too.
func (s *Store) remove(old *corev1.Event) {
	s.version++
	s.objects.remove(old.Namespace, old.Name)
	s.notify(change{s.version, old, nil})
}

// open locks the store and removes what has expired. Every method begins with it, so no goroutine and no timer is
// needed. The result unlocks.
func (s *Store) open() (unlock func()) {
	s.mu.Lock()
	now := s.clock.Now()
	for old := s.objects.expired(now); old != nil; old = s.objects.expired(now) {
		s.remove(old)
	}
	return s.mu.Unlock
}

// scope puts event into the request's namespace, or refuses when it names another one.
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
		return 0, internal(fmt.Sprintf("invalid resource version %q", text)) // really a 500
	}
	return version, nil
}

// Events returns what is stored, by namespace and name.
func (s *Store) Events() []eventsv1.Event {
	defer s.open()()
	var all []eventsv1.Event
	for _, event := range s.objects.sorted(func(*corev1.Event) bool { return true }) {
		all = append(all, *eventconv.FromCore(event.DeepCopy()))
	}
	return all
}

// Len returns how many Events there are.
func (s *Store) Len() int {
	defer s.open()()
	return len(s.objects.entries)
}

// Expire removes an Event as if its TTL had ended, and reports whether it was there.
func (s *Store) Expire(namespace, name string) bool {
	defer s.open()()
	old := s.objects.get(namespace, name)
	if old != nil {
		s.remove(old)
	}
	return old != nil
}

// SetTTL makes Events expire ttl after their last write; 0 means never. It holds for what is stored already, too.
func (s *Store) SetTTL(ttl time.Duration) {
	defer s.open()()
	s.objects.ttl = ttl
}

// SetClock sets what creation timestamps and the TTL are measured with, by default the real time.
func (s *Store) SetClock(clock clock.PassiveClock) {
	defer s.open()()
	s.clock = clock
}

// Seed stores event as it is, without validation, because a cluster may hold Events that today's rules refuse.
func (s *Store) Seed(event *corev1.Event) error {
	event, err := onTheWire(event)
	if err != nil {
		return err
	}
	defer s.open()()
	s.write(s.objects.get(event.Namespace, event.Name), event)
	return nil
}

// Delete removes an Event, also one with finalizers.
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

// onTheWire returns a copy of event as it arrives at the server in JSON: times cut to microseconds, invalid UTF-8
// replaced byte by byte (which can exceed a limit that the original kept; protobuf, which client-go's typed clients
// prefer, would keep it), no TypeMeta.
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
