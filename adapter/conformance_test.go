// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// Whichever API a write goes through, and also if it has to be looked for, the adapter's sink keeps the contract.
//
// Caught: answering the refusal of one API where the other is to be used, or to be tried.
func TestRouterConforms(t *testing.T) {
	for name, cluster := range map[string]func(*eventstest.Clientset){
		"all is served": func(*eventstest.Clientset) {},
		"an old cluster": func(c *eventstest.Clientset) {
			c.ServeEventsV1(false)
		},
		"RBAC for the core group only": func(c *eventstest.Clientset) {
			c.Authorize(func(r eventstest.Request) bool { return r.Group != "events.k8s.io" })
		},
		"RBAC for the core group only, in kube-system": func(c *eventstest.Clientset) {
			c.Authorize(func(r eventstest.Request) bool {
				return r.Group != "events.k8s.io" || r.Namespace == "default"
			})
		},
		"RBAC for the core group only, which nobody can be asked about": func(c *eventstest.Clientset) {
			c.Authorize(func(r eventstest.Request) bool { return r.Group == "" })
			c.Fail(func(_ context.Context, r eventstest.Request) error {
				if r.Group == "authorization.k8s.io" {
					return apierrors.NewInternalError(errors.New("no reviews today"))
				}
				return nil
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			eventstest.TestSink(t, func(t *testing.T) events.Sink {
				client := eventstest.NewClientset()
				cluster(client)
				return New(klog.NewContext(t.Context(), klog.Logger{}), client).router
			})
		})
	}
}

// made is an adapter of one constructor over a server.
type made struct {
	router   events.Sink // nil if there is no adapter
	recorder events.EventRecorderLogger
	end      func(context.Context) error
}

// foreign is a foreign sink: what a component has wrapped around the one of client-go.
type foreign struct{ record.EventSink }

// constructors are all ways to an adapter, and to what has the name of one.
var constructors = map[string]func(*testing.T, *apiserver.Server, ...Option) made{
	"New": func(t *testing.T, s *apiserver.Server, opts ...Option) made {
		return started(t, New(t.Context(), s.Client(), opts...), nil)
	},
	"New, over fakes": func(t *testing.T, s *apiserver.Server, opts ...Option) made {
		return started(t, New(t.Context(), s.Clientset, opts...), nil)
	},
	"NewForConfig": func(t *testing.T, s *apiserver.Server, opts ...Option) made {
		a, err := NewForConfig(t.Context(), s.Config(), opts...)
		return started(t, a, err)
	},
	"ForManager": func(t *testing.T, s *apiserver.Server, opts ...Option) made {
		mgr := &fakeManager{config: *s.Config(), added: new([]runnable)}
		a, err := ForManager(mgr, append(opts, events.WithScheme(scheme.Scheme))...)
		return started(t, a, err)
	},
	"FromConfig": func(t *testing.T, s *apiserver.Server, opts ...Option) made {
		return late(t, &typedcorev1.EventSinkImpl{Interface: s.Client().CoreV1().Events("")}, opts...)
	},
	"FromConfig, over fakes": func(t *testing.T, s *apiserver.Server, opts ...Option) made {
		return late(t, &typedcorev1.EventSinkImpl{Interface: s.CoreV1().Events("")}, opts...)
	},
	"FromConfig, over a foreign sink": func(t *testing.T, s *apiserver.Server, opts ...Option) made {
		return late(t, foreign{&typedcorev1.EventSinkImpl{Interface: s.Client().CoreV1().Events("")}}, opts...)
	},
	"events.NewBroadcaster": func(t *testing.T, s *apiserver.Server, _ ...Option) made {
		b := events.NewBroadcaster(&clientevents.EventSinkImpl{Interface: s.Client().EventsV1()})
		if err := b.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		return made{nil, b.Recorder(scheme.Scheme, conforming), b.Drain}
	},
}

const conforming = "example.com/conforming"

func started(t *testing.T, a *Adapter, err error) made {
	t.Helper()
	if err == nil {
		err = a.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return made{a.router, a.Recorder(conforming), a.Drain}
}

func late(t *testing.T, sink record.EventSink, opts ...Option) made {
	t.Helper()
	a, recorders, attach := FromConfig(options.Apply(t.Context(), opts))
	recorder := recorders.Recorder(scheme.Scheme, conforming)
	err := attach(sink)
	if err == nil {
		err = a.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return made{a.router, recorder, a.Drain}
}

// quietly are the options of a constructor in a mode.
func quietly(mode Mode) []Option { return []Option{WithMode(mode), events.WithLogger(klog.Logger{})} }

// The sink of an adapter keeps the contract, however it is made.
//
// Caught: a client that is found behind a sink, and misses what another client has.
func TestConstructorsConform(t *testing.T) {
	for name, construct := range constructors {
		for _, mode := range []Mode{ModeAuto, ModeEventsV1, ModeCoreV1} {
			t.Run(name+"/"+string(mode), func(t *testing.T) {
				eventstest.TestSink(t, func(t *testing.T) events.Sink {
					m := construct(t, apiserver.New(), quietly(mode)...)
					t.Cleanup(func() { _ = m.end(context.Background()) })
					if m.router == nil {
						t.Skip("it has no sink of its own")
					}
					return m.router
				})
			})
		}
	}
}

// The same calls have the same text and fate, however the adapter is made and whatever the API.
//
// Caught: a field that one path does not write.
func TestConstructorsRecordTheSame(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-7", UID: "2"}}
	want := []string{
		`Normal Annotated Annotate "with 1 of 1" about web, node-7; map[example.com/team:blue] x1`,
		`Normal Annotated BadKey "50% done" about web, ; map[example.com/team:blue] x1`,
		`Normal Scaled Scale "to 3 replicas" about web, node-7; map[] x3`,
		`Warning DiskFull Evict "disk 91% full" about node-7, ; map[] x1`,
		`Warning Failed Mount "no volume" about web, ; map[] x1`,
	}
	for name, construct := range constructors {
		for _, mode := range []Mode{ModeAuto, ModeEventsV1, ModeCoreV1, ModeLegacy} {
			fixture.InBubble(t, name+"/"+string(mode), func(t *testing.T) {
				server := apiserver.New()
				m := construct(t, server, quietly(mode)...)
				for range 3 {
					m.recorder.Eventf(pod, node, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
				}
				m.recorder.Eventf(pod, nil, corev1.EventTypeWarning, "Failed", "Mount", "no volume")
				events.AnnotatedEventf(m.recorder, pod, node, map[string]string{"example.com/team": "blue"},
					corev1.EventTypeNormal, "Annotated", "Annotate", "with %d of %d", 1, 1)
				m.recorder.Eventf(node, nil, corev1.EventTypeWarning, "DiskFull", "Evict", "disk 91% full")
				events.AnnotatedEventf(m.recorder, pod, nil, map[string]string{"example.com/team": "blue", "not a key": "x"},
					corev1.EventTypeNormal, "Annotated", "BadKey", "50%% done")
				if err := m.end(t.Context()); err != nil {
					t.Error(err)
				}
				var got []string
				for _, e := range server.Events() {
					related, count := "", e.DeprecatedCount
					if e.Related != nil {
						related = e.Related.Name
					}
					if e.Series != nil {
						count = e.Series.Count
					}
					got = append(got, fmt.Sprintf("%s %s %s %q about %s, %s; %v x%d", e.Type, e.Reason, e.Action, e.Note,
						e.Regarding.Name, related, e.Annotations, max(count, 1)))
				}
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("stored (-want +got):\n%s", diff)
				}
			})
		}
	}
}
