// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/eventseries/eventseries/internal/eventrules"
)

// FuzzPatch: whatever a patch says, through either group, the answer is the changed Event or a 4xx after which nothing
// has changed; through events.k8s.io/v1 nothing but metadata and series may. Caught: a merge into the stored Event
// itself; a change that is not looked at.
func FuzzPatch(f *testing.F) {
	for _, patch := range []string{
		secondOccurrence, ``, `[]`, `null`, `{`, `{"series":null}`, `{"series":{"count":1}}`, `{"note":"other"}`,
		`{"message":"other"}`, `{"metadata":null}`, `{"metadata":{"name":"other"}}`, `{"metadata":{"namespace":""}}`,
		`{"metadata":{"resourceVersion":"0","uid":""}}`, `{"metadata":{"resourceVersion":"9"}}`, `{"$patch":"delete"}`,
		`{"metadata":{"finalizers":["a"],"$deleteFromPrimitiveList/finalizers":["a.b/c"]}}`, `{"$retainKeys":["x"]}`,
		`{"metadata":{"ownerReferences":[{"$patch":"delete","uid":"1"}]}}`, `{"eventTime":"2026-11-20T11:25:24Z"}`,
	} {
		f.Add([]byte(patch), true)
		f.Add([]byte(patch), false)
	}
	f.Fuzz(func(t *testing.T, patch []byte, viaCore bool) {
		via := map[bool]schema.GroupVersion{true: coreGV, false: eventsGV}[viaCore]
		s := newServer()
		before, err := s.create(eventsGV, "default", eventrules.ToCore(patched()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.patch(via, "default", before.Name, patch)
		after, gone := s.get(via, "default", before.Name)
		if gone != nil || err == nil && cmp.Diff(after, got) != "" {
			t.Errorf("patch %s: stored is %v, %v, the answer is %v", patch, after, gone, got)
		}
		if err == nil {
			want := before.DeepCopy()
			want.ObjectMeta, want.Series = got.ObjectMeta, got.Series
			if diff := cmp.Diff(want, got); !viaCore && diff != "" {
				t.Errorf("patch %s changes (-before +after):\n%s", patch, diff)
			}
			return
		}
		var status apierrors.APIStatus
		if !errors.As(err, &status) || status.Status().Code/100*100 != http.StatusBadRequest {
			t.Errorf("patch %s: %v is no 4xx", patch, err)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("patch %s is refused, %v, and changes (-before +after):\n%s", patch, err, diff)
		}
	})
}
