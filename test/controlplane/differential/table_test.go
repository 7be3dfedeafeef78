// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/testkit/rules"
)

// The server's code refuses what the table of internal/testkit/rules says.
func TestTable(t *testing.T) {
	valid := rules.Valid("shop")
	valid.UID, valid.ResourceVersion, valid.CreationTimestamp = "u", "7", metav1.Unix(1, 0)
	for _, request := range rules.Requests {
		validate := func(event *corev1.Event) error {
			asked, err := stored(event.DeepCopy())
			if err != nil {
				t.Fatal(err)
			}
			if request.IsCreate() {
				asked.ResourceVersion = ""
				return create(asked, request.Via())
			}
			old, err := stored(valid.DeepCopy())
			if err != nil {
				t.Fatal(err)
			}
			return update(asked, old, request.Via())
		}
		if err := validate(valid); err != nil {
			t.Errorf("%v: a valid Event is refused: %v", request, err)
		}
		for _, rule := range rules.Table {
			err := validate(rule.Broken(valid, request))
			if got, want := rule.IsBroken(err), slices.Contains(rule.Through, request); got != want {
				t.Errorf("%v: %s, %s: refused %v, want %v: %v", request, rule.Name, rule.Says, got, want, err)
			}
		}
	}
}
