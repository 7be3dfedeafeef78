// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// This package refuses what the table says, through the requests that the table says. The tests of test/controlplane and
// test/e2e do the same with the server's code and with servers.
func TestTable(t *testing.T) {
	valid := Valid("shop")
	valid.UID, valid.ResourceVersion = "u", "7"
	for _, request := range Requests {
		validate := func(event *corev1.Event) error {
			if request.IsCreate() {
				return ValidateCreate(event, request.Via())
			}
			return ValidateUpdate(event, valid, request.Via())
		}
		if err := validate(valid); err != nil {
			t.Errorf("%v: a valid Event is refused: %v", request, err)
		}
		for _, rule := range Table {
			err := validate(rule.Broken(valid, request))
			if got, want := rule.IsBroken(err), slices.Contains(rule.Through, request); got != want {
				t.Errorf("%v: %s, %s: refused %v, want %v: %v", request, rule.Name, rule.Says, got, want, err)
			}
		}
	}
}
