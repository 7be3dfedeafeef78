// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// FuzzPatch: whatever a patch says, of either kind and through either group, the answer is the changed Event or a
// refusal after which nothing has changed; through events.k8s.io/v1 nothing but metadata and series may. Caught: a merge
// into the stored Event itself; a change that is not looked at.
func FuzzPatch(f *testing.F) {
	for _, body := range []string{
		secondOccurrence, ``, `[]`, `null`, `{`, `{"series":null}`, `{"series":{"count":1}}`, `{"note":"other"}`,
		`{"message":"other"}`, `{"metadata":null}`, `{"metadata":{"name":"other"}}`, `{"metadata":{"namespace":""}}`,
		`{"metadata":{"resourceVersion":"0","uid":""}}`, `{"metadata":{"resourceVersion":"9"}}`, `{"$patch":"delete"}`,
		`{"metadata":{"finalizers":["a"],"$deleteFromPrimitiveList/finalizers":["a.b/c"]}}`, `{"$retainKeys":["x"]}`,
		`{"metadata":{"ownerReferences":[{"$patch":"delete","uid":"1"}]}}`, `{"eventTime":"2026-11-20T11:25:24Z"}`,
	} {
		for i := range 4 {
			f.Add([]byte(body), i&1 == 0, i&2 == 0)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, viaCore, merges bool) {
		s, r := New(), about(eventsGV, patched())
		before, err := s.Create(r, eventconv.ToCore(patched()))
		if err != nil {
			t.Fatal(err)
		}
		if viaCore {
			r.Via = coreGV
		}
		p := strategic(string(body))
		if merges {
			p = merging(string(body))
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

// checkRefusal wants a 4xx, or the 500 that a server answers to directives and versions that it cannot read.
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
