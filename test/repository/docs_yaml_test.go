// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/eventseries/eventseries/events/eventstest"
)

// checkYAML checks that a block is valid YAML, and that RBAC for events.k8s.io allows a component to record. A block has
// whole objects, a part that begins with "rules:", or a list of rules.
//
// Caught: a rule of the README without patch; "apiGroup:" in a rule.
func checkYAML(_ *testing.T, b block) error {
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(b.text), 4096)
	for {
		if err := decoder.Decode(new(any)); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("is no YAML: %w", err)
		}
	}
	manifest := b.text
	switch {
	case !strings.Contains(manifest, "verbs:"):
		return nil
	case strings.HasPrefix(manifest, "- "):
		manifest = role + "rules:\n" + manifest
	case strings.HasPrefix(manifest, "rules:"):
		manifest = role + manifest
	}
	rules, err := eventstest.ReadRBAC(fstest.MapFS{"rbac.yaml": {Data: []byte(manifest)}})
	if err != nil {
		return fmt.Errorf("is no RBAC: %w", err)
	}
	if !strings.Contains(manifest, "events.k8s.io") {
		return nil
	}
	for _, verb := range []string{"create", "patch"} {
		request := eventstest.Request{Verb: verb, Group: "events.k8s.io", Resource: "events"}
		allows := func(namespace string) bool {
			request.Namespace = namespace
			return rules.Allow(request)
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(rules)), allows) {
			return fmt.Errorf("does not let a component %s events of events.k8s.io", verb)
		}
	}
	return nil
}

const role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: component}\n"
