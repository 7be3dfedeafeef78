// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package parity

// bases are the Events that requests start from: new and old are valid in the style of the two API groups, and empty
// has nothing. A request of old through events.k8s.io/v1 is refused, as it has no eventTime.
var bases = map[string]string{
	"events new": `{
		"metadata": {"name": "$name"},
		"eventTime": "2026-11-20T11:25:19.080374Z",
		"reportingController": "example.com/controller",
		"reportingInstance": "controller-1",
		"action": "Kill",
		"reason": "Killing",
		"type": "Normal",
		"note": "stopping",
		"regarding": {"apiVersion": "v1", "kind": "Pod", "namespace": "$ns", "name": "web", "uid": "u1"}
	}`,
	"core new": `{
		"metadata": {"name": "$name"},
		"eventTime": "2026-11-20T11:25:19.080374Z",
		"reportingComponent": "example.com/controller",
		"reportingInstance": "controller-1",
		"action": "Kill",
		"reason": "Killing",
		"type": "Normal",
		"message": "stopping",
		"involvedObject": {"apiVersion": "v1", "kind": "Pod", "namespace": "$ns", "name": "web", "uid": "u1"}
	}`,
	"events old": `{
		"metadata": {"name": "$name"},
		"reason": "Killing",
		"type": "Normal",
		"note": "stopping",
		"regarding": {"apiVersion": "v1", "kind": "Pod", "namespace": "$ns", "name": "web", "uid": "u1"},
		"deprecatedSource": {"component": "kubelet", "host": "n1"},
		"deprecatedFirstTimestamp": "2026-11-20T11:25:19Z",
		"deprecatedLastTimestamp": "2026-11-20T11:25:20Z",
		"deprecatedCount": 1
	}`,
	"core old": `{
		"metadata": {"name": "$name"},
		"reason": "Killing",
		"type": "Normal",
		"message": "stopping",
		"involvedObject": {"apiVersion": "v1", "kind": "Pod", "namespace": "$ns", "name": "web", "uid": "u1"},
		"source": {"component": "kubelet", "host": "n1"},
		"firstTimestamp": "2026-11-20T11:25:19Z",
		"lastTimestamp": "2026-11-20T11:25:20Z",
		"count": 1
	}`,
	"events empty": `{}`,
	"core empty":   `{}`,
}
