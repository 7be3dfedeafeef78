// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/conformance"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/rules"
	"github.com/eventseries/eventseries/sinks"
)

var (
	errTooBad   = apierrors.NewBadRequest("too bad")
	errConflict = rules.Conflict(v1, "x")
	errNoName   = &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: 404, Reason: metav1.StatusReasonNotFound, Message: "not found",
	}}
)

func isEnded(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

var v1 = eventsv1.SchemeGroupVersion

// broken are sinks with one mistake each, and the rules that must find the mistake. If the mistake
// is in the answers, from which rules read the stored Event, other rules fail, too.
var broken = map[string]struct {
	newSink func() events.Sink
	want    string
}{
	"refuses long notes": {
		refusing(func(e *eventsv1.Event) bool { return len(e.Note) > 1000 }, errTooBad), "ValidEvents",
	},
	"refuses large counts": {
		refusing(func(e *eventsv1.Event) bool { return e.Series != nil && e.Series.Count > 1<<20 }, errTooBad),
		"ValidEvents",
	},
	"says that a new name is taken": {
		refusing(func(e *eventsv1.Event) bool { return e.Type == "Warning" }, rules.AlreadyExists(v1, "x")),
		"ValidEvents",
	},
	"has a word of its own for what it does not want": {
		refusing(func(e *eventsv1.Event) bool { return e.Type == "Warning" }, errors.New("filtered")), "ValidEvents",
	},

	"answers without a name": {
		answering(answeringWith(func(e *eventsv1.Event) { e.Name = "" }), honest), "Answer",
	},
	"answers what it had before": {
		answering(honest, answeringWith(func(e *eventsv1.Event) { e.Series = nil })), "Answer EmptyPatch",
	},

	"forgets the count of a new event": {sending(func(e *eventsv1.Event, patch []byte) []byte {
		if patch == nil {
			e.Series = nil
		}
		return patch
	}), "Answer EmptyPatch"},

	"conflicts with itself": {answering(instead(apierrors.IsAlreadyExists, errConflict), honest), "RepeatedCreate"},
	"refuses a name that is taken": {
		answering(instead(apierrors.IsAlreadyExists, errTooBad), honest), "RepeatedCreate",
	},

	"knows names only": {func() events.Sink {
		// names has the namespace of each name.
		var names sync.Map
		return refusing(func(e *eventsv1.Event) bool {
			other, known := names.LoadOrStore(e.Name, e.Namespace)
			return known && other != e.Namespace
		}, rules.AlreadyExists(v1, "x"))()
	}, "Namespaces"},

	"forgets annotations": {replacing("annotations", "of nobody"), "Patch"},
	"wants to know a field": {patchSink(func(b *patchedSink) {
		b.patch = func(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
			if bytes.Contains(patch, []byte("ofALaterVersion")) {
				return nil, errTooBad
			}
			return b.Sink.Patch(ctx, event, patch)
		}
	}), "Patch"},

	"stores what comes with a patch of {}": {replacing("{}", `{"series":null}`), "EmptyPatch"},
	"counts a patch of {} as a change": {func() events.Sink {
		var looks atomic.Int64
		return sending(func(_ *eventsv1.Event, patch []byte) []byte {
			if string(patch) == "{}" {
				return fmt.Appendf(nil, `{"metadata":{"labels":{"looks":"%d"}}}`, looks.Add(1))
			}
			return patch
		})()
	}, "EmptyPatch"},
	"refuses a patch of {}": {patchSink(func(b *patchedSink) {
		b.patch = func(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
			if string(patch) == "{}" {
				return nil, errTooBad
			}
			return b.Sink.Patch(ctx, event, patch)
		}
	}), "EmptyPatch MissingEvent"},

	"does not say what is missing": {
		answering(honest, instead(apierrors.IsNotFound, errNoName)), "MissingEvent",
	},
	"refuses to patch what is missing": {
		answering(honest, instead(apierrors.IsNotFound, errTooBad)), "MissingEvent",
	},
	"conflicts with what is missing": {
		answering(honest, instead(apierrors.IsNotFound, errConflict)), "MissingEvent",
	},

	"takes every version":  {replacing("resourceVersion", "of nobody"), "StaleVersion"},
	"refuses old versions": {answering(honest, instead(apierrors.IsConflict, errTooBad)), "StaleVersion"},

	"wants a version": {patchSink(func(b *patchedSink) {
		b.patch = func(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
			if !bytes.Contains(patch, []byte("resourceVersion")) && string(patch) != "{}" {
				return nil, errConflict
			}
			return b.Sink.Patch(ctx, event, patch)
		}
	}), "Patch"},

	"names the kind in the event": {
		first(func(_ context.Context, e *eventsv1.Event, _ []byte) { e.Kind = "Event" }), "ArgumentsUnchanged",
	},
	"overwrites the patch": {patchSink(func(b *patchedSink) {
		b.patch = func(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
			defer clear(patch)
			return b.Sink.Patch(ctx, event, patch)
		}
	}), "ArgumentsUnchanged"},

	"writes the event later": {patchSink(func(b *patchedSink) {
		var kept atomic.Pointer[eventsv1.Event]
		b.create = func(_ context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
			kept.Store(event)
			return nil, nil
		}
		b.patch = func(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
			if event := kept.Swap(nil); event != nil {
				_, _ = b.Sink.Create(ctx, event)
			}
			return b.Sink.Patch(ctx, event, patch)
		}
	}), "ArgumentsNotRetained"},
	"applies the patch later": {patchSink(func(b *patchedSink) {
		var kept atomic.Pointer[[]byte]
		b.patch = func(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
			if string(patch) != "{}" {
				kept.Store(&patch)
				return nil, nil
			}
			if patch := kept.Swap(nil); patch != nil {
				_, _ = b.Sink.Patch(ctx, event, *patch)
			}
			return b.Sink.Patch(ctx, event, patch)
		}
	}), "ArgumentsNotRetained"},

	"shares what it keeps": {func() events.Sink {
		// kept has the latest answer about each name.
		var kept sync.Map
		share := func(stored *eventsv1.Event, err error) (*eventsv1.Event, error) {
			if err == nil {
				kept.Store(stored.Namespace+stored.Name, stored)
			}
			return stored, err
		}
		return patchSink(func(b *patchedSink) {
			b.create = func(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
				return share(b.Sink.Create(ctx, event))
			}
			b.patch = func(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
				if stored, ok := kept.Load(event.Namespace + event.Name); ok && string(patch) == "{}" {
					return stored.(*eventsv1.Event), nil
				}
				return share(b.Sink.Patch(ctx, event, patch))
			}
		})()
	}, "AnswerNotRetained"},

	"refuses what comes too late": {
		answering(instead(isEnded, errTooBad), instead(isEnded, errTooBad)), "EndedContext",
	},
	"goes on with its first context": {func() events.Sink {
		var once sync.Once
		var kept context.Context
		return patchSink(func(b *patchedSink) {
			b.create = func(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
				once.Do(func() { kept = ctx })
				return b.Sink.Create(kept, event)
			}
		})()
	}, "Broadcaster EndedContext RepeatedCreate"},

	"does one thing at a time": {func() events.Sink {
		var busy atomic.Bool
		return patchSink(func(b *patchedSink) {
			b.create = func(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
				if !busy.CompareAndSwap(false, true) {
					return nil, errTooBad
				}
				defer busy.Store(false)
				time.Sleep(time.Millisecond)
				return b.Sink.Create(ctx, event)
			}
		})()
	}, "Broadcaster ConcurrentUse"},

	"knows the object already": {func() events.Sink {
		var seen sync.Map
		return refusing(func(e *eventsv1.Event) bool {
			name, known := seen.LoadOrStore(e.Regarding.Namespace+e.Regarding.Name+e.Reason, e.Name)
			return known && name != e.Name
		}, rules.AlreadyExists(v1, "x"))()
	}, "ConcurrentUse MissingEvent"},
}

// The rules about a mistake find it, and every rule finds a mistake.
func TestBrokenSinks(t *testing.T) {
	found := map[string]bool{}
	for name, row := range broken {
		fixture.InBubble(t, name, func(t *testing.T) {
			all := try(t, row.newSink)
			for _, rule := range strings.Fields(row.want) {
				if !failed(all[rule]) {
					t.Errorf("%s does not fail, but only %s", rule, all.names(failed))
				}
			}
			for rule, r := range all {
				found[rule] = found[rule] || failed(r)
				for _, failure := range r.failures {
					t.Logf("%s: %s", rule, failure)
				}
			}
		})
	}
	for _, rule := range conformance.Rules() {
		if !found[rule.Name] {
			t.Errorf("no broken sink fails rule %s", rule.Name)
		}
	}
}

// A failure says what the rule has seen, and the rule.
func TestFailures(t *testing.T) {
	always := func(err error) func() events.Sink {
		return refusing(func(*eventsv1.Event) bool { return true }, err)
	}
	var typedNil *apierrors.StatusError
	for name, row := range map[string]struct {
		newSink func() events.Sink
		want    []string
	}{
		"an error": {always(errTooBad), []string{
			"everything: Create of default/conformance.", `-1 returned *errors.StatusError "too bad"` +
				"\nrule: Create accepts every Event",
		}},
		"a nil that is none": {always(typedNil), []string{`returned *errors.StatusError "<nil>"`}},
		"no answer": {first(func(ctx context.Context, _ *eventsv1.Event, _ []byte) { <-ctx.Done() }), []string{
			`"context deadline exceeded"`,
		}},
		"no sink": {func() events.Sink { return nil }, []string{"newSink returned nil"}},
	} {
		fixture.InBubble(t, name, func(t *testing.T) {
			r := try(t, row.newSink)["ValidEvents"]
			for _, want := range row.want {
				if !failed(r) || !strings.Contains(r.failures[0], want) {
					t.Errorf("%q, want in the first %q", r.failures, want)
				}
			}
		})
	}
}

// These sinks keep every rule, except the rules that do not apply to them.
func TestSinksThatConform(t *testing.T) {
	for name, row := range map[string]struct {
		newSink func() events.Sink
		skipped string
	}{
		"the kit's": {func() events.Sink { return eventstest.NewSink() }, ""},
		"one without version": {
			answering(answeringWith(withoutVersion), answeringWith(withoutVersion)), "StaleVersion",
		},
		"one that tells nothing": {
			func() events.Sink { return sinks.JSONLines(io.Discard) }, "AnswerNotRetained StaleVersion",
		},
		"one that hands the event back": {
			func() events.Sink { return mirror{} }, "AnswerNotRetained StaleVersion",
		},
		"one that wants nothing": {
			refusing(func(*eventsv1.Event) bool { return true }, fmt.Errorf("policy: %w", events.ErrFiltered)),
			"Answer AnswerNotRetained ArgumentsNotRetained ArgumentsUnchanged EmptyPatch MissingEvent Namespaces " +
				"Patch RepeatedCreate StaleVersion",
		},
	} {
		fixture.InBubble(t, name, func(t *testing.T) {
			all := try(t, row.newSink)
			for rule, r := range all {
				if failed(r) {
					t.Errorf("%s: %s", rule, r.failures)
				}
			}
			if diff := cmp.Diff(row.skipped, all.names(skipped)); diff != "" {
				t.Errorf("skipped rules (-want +got):\n%s", diff)
			}
		})
	}
}

// mirror is a sink that stores nothing and returns the Event that it was passed.
type mirror struct{}

func (mirror) Create(_ context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return event, nil
}

func (mirror) Patch(_ context.Context, event *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return event, nil
}
