// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package count

import (
	"maps"
	"regexp"
	"slices"
)

// Subject is what a component says about an object.
type Subject struct {
	Component string
	Object    string // kind and name, without what is different in every run
	Reason    string
}

// String returns it for a reader.
func (s Subject) String() string { return s.Component + ": " + s.Object + ": " + s.Reason }

// Distinct returns the subjects of all, each once, in order.
func Distinct[T any](all []T, subject func(T) Subject) []string {
	distinct := map[string]bool{}
	for _, one := range all {
		distinct[subject(one).String()] = true
	}
	return slices.Sorted(maps.Keys(distinct))
}

// random are the parts of names that controllers make up: a ReplicaSet's hash, a pod's suffix, a CronJob's time. Their
// alphabet has no vowels.
var random = regexp.MustCompile(`(-[0-9]{8,}|-[bcdfghj-np-tvwxz24-9]{6,10})?(-[bcdfghj-np-tvwxz24-9]{5})?$`)

func object(kind, name string) string { return kind + " " + random.ReplaceAllString(name, "") }
