// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	b := result{occurrences: 12280, writes: 2717, stored: stored{objects: 556, counts: 11254}, pods: 139}
	a := result{
		occurrences: 12280, writes: 1398, stored: stored{objects: 585, counts: 12280, related: 584},
		pods: 139, ran: 59 * time.Minute, fallbacks: 1, returns: 1,
	}
	const rows = `
                                    before     after
occurrences                          12280     12280
API writes                            2717      1398
Event objects                          556       585
  with a related object                  0       584
sum of counts on the server          11254     12280
lost                                  1026         0
`
	for _, test := range []struct {
		o    options
		head string
	}{
		{options{duration: time.Hour, pleg: plegEvented}, `
A node: 59m0s of simulated time, a script of 139 pods, evented PLEG
(stream cut from 24m0s to 33m0s; fallbacks to relisting: 1, returns: 1)
`},
		{options{duration: time.Minute, pleg: plegGeneric, controlPlane: true}, `
A node: 59m0s of real time, a script of 139 pods, generic PLEG
`},
	} {
		var out strings.Builder
		if err := printTable(&out, test.o, b, a); err != nil {
			t.Fatal(err)
		}
		got, _, _ := strings.Cut(out.String(), "\nbefore ")
		if diff := cmp.Diff(test.head+rows, got); diff != "" {
			t.Errorf("table (-want +got):\n%s", diff)
		}
	}
}
