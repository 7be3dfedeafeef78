// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/test/e2e/internal/controlplane"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// A reader that is killed ten times and begins again from what it has stored, on a server that is killed, too, and
// whose Events expire after ten seconds, while the writers are replaced: what it has added up is what was recorded.
func TestReadingAddsUp(t *testing.T) {
	plane, err := controlplane.Start("--event-ttl=10s")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	}()
	env := harness.New(t, plane)

	const series, rounds, kills = 500, 100, 10 // of each of two writers
	var total int64
	written := make(chan struct{})
	go func() {
		defer close(written)
		for half := range 2 {
			var writers []*adapter.Adapter
			for w := range 2 {
				a := adapter.New(t.Context(), env.Admin, adapter.WithMode([]adapter.Mode{adapter.ModeEventsV1, adapter.ModeCoreV1}[w]))
				if err := a.Start(t.Context()); err != nil {
					t.Error(err)
				}
				writers = append(writers, a)
			}
			for round := range rounds / 2 {
				if half == 1 && round == rounds/4 {
					if err := plane.KillServer(); err != nil {
						t.Error(err)
					}
					if err := plane.StartServer(); err != nil {
						t.Error(err)
					}
				}
				for w, a := range writers {
					recorder := a.Recorder(fmt.Sprint("example.com/writer-", w))
					for i := range series {
						pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: env.Namespace, Name: fmt.Sprint("p-", i), UID: types.UID(fmt.Sprint(i))}}
						recorder.Eventf(pod, nil, corev1.EventTypeWarning, "BackOff", "Restart", "it crashed")
					}
				}
				time.Sleep(100 * time.Millisecond) // real time: the server's Events expire in it
			}
			for _, a := range writers {
				if err := a.Drain(t.Context()); err != nil {
					t.Error(err)
				}
				total += a.Stats().Recorded
			}
		}
	}()

	// The reader stores a checkpoint and its results so far, always together. The first checkpoint
	// is two minutes old. So Events in the first list are new, even if the writers are faster than
	// the reader.
	checkpoint, err := eventview.NewTracker(time.Now().Add(-2*time.Minute), 0).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var added eventview.Delta
	var changes, expired int
	client := env.Admin.EventsV1().Events(env.Namespace)
	life := func(long time.Duration) {
		ctx, kill := context.WithTimeout(t.Context(), long)
		defer kill()
		tracker := eventview.NewTracker(time.Now(), 0)
		if err := tracker.UnmarshalBinary(checkpoint); err != nil {
			t.Fatal(err)
		}
		for change, err := range eventview.Watch(ctx, client, metav1.ListOptions{}, tracker) {
			if err != nil {
				t.Logf("the reader: %v", err)
				continue
			}
			changes++
			if change.Deleted {
				expired++
			}
			if changes%7 == 0 && ctx.Err() != nil {
				return // killed before it has stored anything of this change
			}
			added.New += change.Delta.New
			added.Earlier += change.Delta.Earlier
			if checkpoint, err = tracker.MarshalBinary(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range kills {
		life(1500 * time.Millisecond)
		time.Sleep(250 * time.Millisecond) // it is down meanwhile
	}
	<-written
	for end := time.Now().Add(soon); time.Now().Before(end) && (added.New < total || expired == 0); {
		life(3 * time.Second)
	}
	t.Logf("%d occurrences in %d changes; %d Events expired", total, changes, expired)
	if want := (eventview.Delta{New: total}); total != 2*series*rounds || added != want {
		t.Errorf("the reader has %+v of %d recorded, want %+v of %d", added, total, want, 2*series*rounds)
	}
	if expired == 0 {
		t.Error("no Event expired, which is a part of the test")
	}
}

// storeEvents stores n Events, with one occurrence each.
func storeEvents(t *testing.T, client typedeventsv1.EventInterface, namespace string, n int) {
	t.Helper()
	for i := range n {
		e := &eventsv1.Event{
			ObjectMeta:          metav1.ObjectMeta{Namespace: namespace, Name: fmt.Sprintf("e-%03d", i)},
			EventTime:           metav1.NowMicro(),
			ReportingController: "example.com/writer",
			ReportingInstance:   "writer-1",
			Action:              "Restart",
			Reason:              "BackOff",
			Type:                corev1.EventTypeWarning,
			Regarding:           corev1.ObjectReference{Kind: "Pod", Namespace: namespace, Name: fmt.Sprint("p-", i)},
		}
		if _, err := client.Create(t.Context(), e, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// elsewhere is another server, at a revision that the one of the tests does not reach. A watch of it ends the reader.
type elsewhere struct{ end context.CancelFunc }

func (elsewhere) List(context.Context, metav1.ListOptions) (*eventsv1.EventList, error) {
	return &eventsv1.EventList{ListMeta: metav1.ListMeta{ResourceVersion: "999999999"}}, nil
}

func (e elsewhere) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	e.end()
	return watch.NewFake(), nil
}

// A reader has a checkpoint of a server that was restored to an older state, or of another one: a watch from its
// version would be silent. The reader is told of what the server has, and then of what comes.
func TestReadingFromTheFuture(t *testing.T) {
	env := harness.New(t, shared)
	client := env.Admin.EventsV1().Events(env.Namespace)
	before := eventview.NewTracker(time.Now().Add(-2*time.Minute), 0)
	ctx, end := context.WithCancel(t.Context())
	for _, err := range eventview.Watch(ctx, elsewhere{end}, metav1.ListOptions{}, before) {
		t.Error(err)
	}
	checkpoint, err := before.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	tracker := eventview.NewTracker(time.Now(), 0)
	if err := tracker.UnmarshalBinary(checkpoint); err != nil {
		t.Fatal(err)
	}

	storeEvents(t, client, env.Namespace, 3)
	ctx, end = context.WithTimeout(t.Context(), soon)
	defer end()
	var told []string
	for change, err := range eventview.Watch(ctx, client, metav1.ListOptions{}, tracker) {
		if err != nil {
			t.Error(err)
			continue
		}
		told = append(told, fmt.Sprintf("%s +%d", change.Name, change.Delta.New))
		if len(told) == 4 {
			break
		}
		if len(told) < 3 {
			continue
		}
		e := change.Object.(*eventsv1.Event).DeepCopy()
		e.Series = &eventsv1.EventSeries{Count: 6, LastObservedTime: metav1.NowMicro()}
		if _, err := client.Update(ctx, e, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"e-000 +1", "e-001 +1", "e-002 +1", "e-002 +5"}, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

// forgetful counts how often a list goes on where the server has forgotten its version.
type forgetful struct {
	typedeventsv1.EventInterface
	expired int
}

func (f *forgetful) List(ctx context.Context, opts metav1.ListOptions) (*eventsv1.EventList, error) {
	list, err := f.EventInterface.List(ctx, opts)
	var status apierrors.APIStatus
	if apierrors.IsResourceExpired(err) && errors.As(err, &status) && status.Status().Continue != "" {
		f.expired++
	}
	return list, err
}

// A loop needs longer for a list of many pages than the server keeps its versions, and the Events go on meanwhile. The
// list goes on with the tokens of the server's answers, and each state of an Event is told once.
func TestReadingSlowly(t *testing.T) {
	plane, err := controlplane.Start("--etcd-compaction-interval=3s")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	}()
	env := harness.New(t, plane)
	client := &forgetful{EventInterface: env.Admin.EventsV1().Events(env.Namespace)}
	const all, page = 200, 20
	storeEvents(t, client, env.Namespace, all)

	tracker := eventview.NewTracker(time.Now().Add(-5*time.Minute), 0)
	ctx, end := context.WithTimeout(t.Context(), 3*time.Minute)
	defer end()
	told := map[string]int{}
	var occurred, added int64 = all, 0
	options := metav1.ListOptions{Limit: page}
	for change, err := range eventview.Watch(ctx, client, options, tracker) {
		if err != nil {
			t.Error(err)
			continue
		}
		told[fmt.Sprintf("%s x%d", change.Name, change.Count)]++
		added += change.Delta.New
		if change.Count == 1 && len(told)%10 == 0 {
			e := change.Object.(*eventsv1.Event).DeepCopy()
			e.Series = &eventsv1.EventSeries{Count: 2, LastObservedTime: metav1.NowMicro()}
			if _, err := client.Update(ctx, e, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
			occurred++
			time.Sleep(time.Second) // real time: the server's etcd is compacted in it
		}
		if added == occurred && len(told) >= all {
			break
		}
	}
	t.Logf("%d states, the list has expired %d times", len(told), client.expired)
	if added != occurred {
		t.Errorf("the reader has %d of %d occurrences", added, occurred)
	}
	if client.expired == 0 {
		t.Error("no page has expired, which is a part of the test")
	}
	for state, times := range told {
		if times > 1 {
			t.Errorf("%s was told %d times", state, times)
		}
	}
}

// Servers that do not know the parameter of DropManagedFields ignore it. A reader gets the same Events with it, over a list
// and over a watch, in each format that clients ask for.
func TestReadingWithoutManagedFields(t *testing.T) {
	env := harness.New(t, shared)
	storeEvents(t, env.Admin.EventsV1().Events(env.Namespace), env.Namespace, 2)
	config := rest.CopyConfig(env.AdminConfig)
	config.Wrap(eventview.DropManagedFields)
	asJSON := rest.CopyConfig(config)
	asJSON.ContentType = runtime.ContentTypeJSON
	asProtobuf := rest.CopyConfig(config)
	asProtobuf.ContentType = runtime.ContentTypeProtobuf
	for name, config := range map[string]*rest.Config{"default": config, "JSON": asJSON, "protobuf": asProtobuf} {
		t.Run(name, func(t *testing.T) {
			client := kubernetes.NewForConfigOrDie(config).EventsV1().Events(env.Namespace)
			readBoth(t, env, client)
		})
	}
	t.Run("dynamic", func(t *testing.T) {
		readBoth(t, env, dynamic.NewForConfigOrDie(config).Resource(eventsv1.SchemeGroupVersion.WithResource("events")).Namespace(env.Namespace))
	})
}

// readBoth reads two Events from a list, and then a change of the second one from a watch.
func readBoth[List runtime.Object](t *testing.T, env *harness.Env, client eventview.Client[List]) {
	t.Helper()
	ctx, end := context.WithTimeout(t.Context(), soon)
	defer end()
	var told []string
	for change, err := range eventview.Watch(ctx, client, metav1.ListOptions{}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, change.Name)
		if len(told) == 3 {
			break
		}
		if len(told) == 2 {
			patch := fmt.Sprintf(`{"metadata":{"labels":{"at":"%d"}}}`, time.Now().UnixNano())
			_, err := env.Admin.EventsV1().Events(env.Namespace).Patch(ctx, change.Name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if diff := cmp.Diff([]string{"e-000", "e-001", "e-001"}, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}
