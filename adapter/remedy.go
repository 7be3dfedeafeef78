// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"cmp"

	"github.com/eventseries/eventseries/discovery"
)

// line is JSON as a value of the log. Loggers that write JSON nest it, and klog
// writes it as it is; a string would have all its quotes escaped.
type line string

// MarshalJSON implements [json.Marshaler].
func (l line) MarshalJSON() ([]byte, error) { return []byte(cmp.Or(l, "null")), nil }

// longestLine bounds what a line of the log shows, as it is bounded for strings.
const longestLine = 16 << 10

// remedy is the remedy of access as a value of the log.
func remedy(access discovery.Access) any {
	text := access.Remedy()
	if len(text) > longestLine {
		return text // which is cut
	}
	return line(text)
}

// inAll says in words what remedies all namespaces at once.
func inAll(access discovery.Access) string {
	return "add apiGroups, resources and verbs of that rule to the ClusterRole bound to " +
		cmp.Or(access.User, "this component")
}
