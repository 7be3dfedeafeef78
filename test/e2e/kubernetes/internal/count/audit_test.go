// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package count

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const auditLog = `
{"user":{"username":"system:node:node-01"},"verb":"create","objectRef":{"namespace":"work"},"responseStatus":{"code":201},"responseObject":{"reason":"Pulled","metadata":{"name":"a.1"}}}
{"user":{"username":"system:node:node-01"},"verb":"patch","objectRef":{"namespace":"work","name":"a.1"},"responseStatus":{"code":200},"responseObject":{"reason":"Pulled","metadata":{"name":"a.1"}}}
{"user":{"username":"system:node:node-01"},"verb":"patch","objectRef":{"namespace":"work","name":"a.1"},"responseStatus":{"code":409},"responseObject":{"reason":"Conflict"}}
{"user":{"username":"system:serviceaccount:kube-system:job-controller"},"verb":"create","objectRef":{"namespace":"work"},"responseStatus":{"code":403},"requestObject":{"reason":"Completed"},"responseObject":{"reason":"Forbidden"}}
{"user":{"username":"system:apiserver"},"verb":"create","objectRef":{"namespace":"default"},"responseStatus":{"code":201},"responseObject":{"reason":"ClusterIPNotAllocated","metadata":{"name":"c.1"}}}
{"user":{"username":"system:kube-scheduler"},"verb":"create","objectRef":{"namespace":"work"},"responseStatus":{"code":201},"responseObject":{"reason":"Scheduled","metadata":{"name":"b.1"}}}
`

// Caught: the reason of a Status taken for that of the Event; what kube-apiserver writes.
func TestWrites(t *testing.T) {
	got, err := Writes(strings.NewReader(auditLog))
	if err != nil {
		t.Fatal(err)
	}
	want := []Write{
		{Kubelet, "Pulled", 201},
		{Kubelet, "Pulled", 200},
		{Kubelet, "Pulled", 409},
		{Manager, "Completed", 403},
		{Scheduler, "Scheduled", 201},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
