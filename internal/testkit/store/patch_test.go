// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// patched returns an Event that has every kind of field that a patch may change.
func patched() *corev1.Event {
	event := newEvent("web")
	event.Message, event.EventTime.Time = "stopping", event.EventTime.Truncate(time.Microsecond)
	event.Labels, event.Finalizers = map[string]string{"l": "1"}, []string{"a.b/c"}
	event.Series = &corev1.EventSeries{Count: 2, LastObservedTime: event.EventTime}
	event.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "o", UID: "1"}}
	return event
}

var bodies = []string{
	secondOccurrence, ``, `{}`, `[]`, `null`, `{`, `{"series":null}`, `{"series":{"count":1}}`, `{"series":{"count":4}}`,
	`{"note":"other"}`, `{"message":"other"}`, `{"metadata":null}`, `{"metadata":{"name":"other"}}`,
	`{"metadata":{"namespace":""}}`, `{"metadata":{"resourceVersion":"0","uid":""}}`,
	`{"metadata":{"resourceVersion":"9"}}`, `{"$patch":"delete"}`, `{"$retainKeys":["x"]}`,
	`{"metadata":{"finalizers":["a"],"$deleteFromPrimitiveList/finalizers":["a.b/c"]}}`,
	`{"series":{"\u0024patch":"replace","count":7}}`, `{"eventTime":"2026-11-20T11:25:24Z"}`,
	`{"metadata":{"ownerReferences":[{"$patch":"delete","uid":"1"}]}}`,
	`{"metadata":{"annotations":{"b":"3","c":""},"labels":{},"resourceVersion":"9"}}`,
	`{"note":"other","Note":"case","unknown":{"x":1},"related":{"name":"r"},"regarding":{"name":"r"}}`,
	`{"eventTime":"2026-11-20T11:25:24.080374Z","deprecatedCount":7,"deprecatedSource":{"host":"h"}}`,
}

// FuzzPatch applies any patch of either type through either API group. The answer must be the
// changed Event, or a refusal after which nothing has changed. Through events.k8s.io/v1 only
// metadata and series may change.
func FuzzPatch(f *testing.F) {
	for _, body := range bodies {
		for i := range 4 {
			f.Add([]byte(body), i&1 == 0, i&2 == 0)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, viaCore, merges bool) {
		p := Patch{types.StrategicMergePatchType, body}
		if merges {
			p.Type = types.MergePatchType
		}
		s, r := New(), r
		before, err := s.Create(r, patched())
		if err != nil {
			t.Fatal(err)
		}
		if viaCore {
			r.Via = corev1.SchemeGroupVersion
		}
		got, err := s.Patch(r, p)
		after, gone := s.Get(r)
		if gone != nil || err == nil && cmp.Diff(after, got) != "" {
			t.Errorf("patch %s: stored is %v, %v, the answer is %v", body, after, gone, got)
		}
		if err != nil {
			checkRefusal(t, err)
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("patch %s is refused, %v, and changes (-before +after):\n%s", body, err, diff)
			}
			return
		}
		want := before.DeepCopy()
		want.ObjectMeta, want.Series = got.ObjectMeta, got.Series
		if diff := cmp.Diff(want, got); !viaCore && diff != "" {
			t.Errorf("patch %s changes (-before +after):\n%s", body, diff)
		}
	})
}

// checkRefusal fails t unless err is a 4xx, or the 500 with which a server answers directives and
// versions that it cannot read.
func checkRefusal(t *testing.T, err error) {
	t.Helper()
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		t.Fatalf("%v is no Status", err)
	}
	if code := status.Status().Code; code/100 != 4 && code != http.StatusInternalServerError {
		t.Errorf("%v is neither a 4xx nor a 500", err)
	}
}
