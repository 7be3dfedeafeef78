// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/eventview"
)

// sent is a transport that keeps the header Accept of the last request.
type sent struct{ accept []string }

func (s *sent) RoundTrip(request *http.Request) (*http.Response, error) {
	s.accept = request.Header.Values("Accept")
	return nil, http.ErrServerClosed
}

func TestDropManagedFields(t *testing.T) {
	const drop = ";drop=metadata.managedFields"
	for name, test := range map[string]struct {
		method string
		accept []string
		want   []string
	}{
		"JSON": {
			method: http.MethodGet,
			accept: []string{"application/json"},
			want:   []string{"application/json" + drop + ",application/json"},
		},
		"protobuf or JSON, as the typed clients": {
			method: http.MethodGet,
			accept: []string{"application/vnd.kubernetes.protobuf, application/json"},
			want: []string{"application/vnd.kubernetes.protobuf" + drop + ",application/json" + drop +
				",application/vnd.kubernetes.protobuf, application/json"},
		},
		"a table": {
			method: http.MethodGet,
			accept: []string{"application/json;as=Table;v=v1;g=meta.k8s.io"},
			want: []string{"application/json;as=Table;v=v1;g=meta.k8s.io" + drop +
				",application/json;as=Table;v=v1;g=meta.k8s.io"},
		},
		"any format": {
			method: http.MethodGet,
		},
		"a write": {
			method: http.MethodPatch,
			accept: []string{"application/json"},
			want:   []string{"application/json"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), test.method, "https://example.com", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			request.Header["Accept"] = test.accept
			var server sent
			_, err = eventview.DropManagedFields(&server).RoundTrip(request)
			if err != http.ErrServerClosed {
				t.Errorf("error %v, want that of the wrapped transport", err)
			}
			if diff := cmp.Diff(test.want, server.accept); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.accept, request.Header.Values("Accept")); diff != "" {
				t.Errorf("the caller's request was changed (-want +got):\n%s", diff)
			}
		})
	}
}
