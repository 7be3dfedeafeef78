// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package count

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const componentLog = `I1122 12:00:00.000000   1 event.go:389] "Event occurred" object="work/crash-0" kind="Pod" reason="BackOff" message="a reason=\"X\""
I1122 12:00:01.000000   1 event.go:389] "Event occurred" object="work/crash-0" kind="Pod" reason="BackOff" message="m"
I1122 12:00:02.000000   1 event.go:377] Event(v1.ObjectReference{Kind:"Pod", Namespace:"work", Name:"a-7d9f8b6c5-xk2zp", FieldPath:""}): type: 'Normal' reason: 'Created' m
I1122 12:00:02.100000   1 hollow-kubelet.go:40] "The kubelet ends"
I1122 12:00:02.200000   1 watch.go:43] "Event occurred" logger="job-controller" object="node-01" kind="Node" apiVersion="v1" type="Normal" reason="NodeReady"
I1122 12:00:03.000000   1 leaderelection.go:272] "Successfully acquired lease" lock="kube-system/kube-scheduler"
I1122 12:00:04.000000   1 other.go:1] "Something else" reason="Other"
`

// Caught: the reason taken from the message; lines of other messages counted; a late occurrence that is early.
func TestOccurrences(t *testing.T) {
	for _, test := range []struct {
		component string
		more      []Occurrence
	}{
		{Kubelet, nil},
		{Scheduler, []Occurrence{{Subject{Scheduler, "Lease kube-scheduler", "LeaderElection"}, true}}},
	} {
		t.Run(test.component, func(t *testing.T) {
			got, err := Occurrences(strings.NewReader(componentLog), test.component)
			if err != nil {
				t.Fatal(err)
			}
			want := append([]Occurrence{
				{Subject{test.component, "Pod crash-0", "BackOff"}, false},
				{Subject{test.component, "Pod crash-0", "BackOff"}, false},
				{Subject{test.component, "Pod a", "Created"}, false},
				{Subject{test.component, "Node node-01", "NodeReady"}, true},
			}, test.more...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
