// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package script

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// Caught: an object without a namespace; one that is no YAML any more.
func TestObjects(t *testing.T) {
	for _, name := range []string{"objects.yaml.tmpl", "pods.yaml.tmpl"} {
		t.Run(name, func(t *testing.T) { testObjects(t, name) })
	}
}

func testObjects(t *testing.T, name string) {
	text, err := manifest(name, 7)
	if err != nil {
		t.Fatal(err)
	}
	for i, document := range strings.Split(text, "\n---\n") {
		var object struct {
			Kind     string
			Metadata struct{ Name, Namespace string }
			Spec     struct{ Replicas *int }
		}
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			t.Fatalf("document %d: %v\n%s", i, err, document)
		}
		global := slices.Contains([]string{"Namespace", "PriorityClass"}, object.Kind)
		if object.Kind == "" || object.Metadata.Name == "" || global != (object.Metadata.Namespace == "") {
			t.Errorf("document %d: kind %q, name %q, namespace %q", i, object.Kind, object.Metadata.Name,
				object.Metadata.Namespace)
		}
		if object.Metadata.Name == "patient" && (object.Spec.Replicas == nil || *object.Spec.Replicas != 7) {
			t.Errorf("the patient pods are %v, want one for each of 7 nodes", object.Spec.Replicas)
		}
	}
}
