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
I1122 12:00:02.000000   1 event.go:377] Event(v1.ObjectReference{Kind:"Pod", Name:"a"}): type: 'Normal' reason: 'Created' m
I1122 12:00:03.000000   1 leaderelection.go:272] "Successfully acquired lease" lock="kube-system/kube-scheduler"
I1122 12:00:04.000000   1 other.go:1] "Something else" reason="Other"
`

// Caught: the reason taken from the message; lines of other messages counted.
func TestOccurrences(t *testing.T) {
	for _, test := range []struct {
		name      string
		scheduler bool
		want      map[string]int
	}{
		{"a component that logs all", false, map[string]int{"BackOff": 2, "Created": 1}},
		{"the scheduler", true, map[string]int{"BackOff": 2, "Created": 1, "LeaderElection": 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Occurrences(strings.NewReader(componentLog), test.scheduler)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
