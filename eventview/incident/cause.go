// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package incident

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/eventview"
)

// canonical lists the reasons of Events whose notes do not say why something failed. All reasons
// with the same value report the same failure, and their notes are not compared.
var canonical = map[string]string{
	"BackOff":              "BackOff",
	"Killing":              "BackOff",
	"BackoffLimitExceeded": "JobFailed",
	"DeadlineExceeded":     "JobFailed",
	"NotTriggerScaleUp":    "NotTriggerScaleUp",
	"Unhealthy":            unhealthy,
	"ProbeWarning":         unhealthy,

	"NodeNotReady":         nodeNotReady,
	"TaintManagerEviction": nodeNotReady,

	"Evicted":                   nodePressure,
	"EvictionThresholdMet":      nodePressure,
	"ExceededGracePeriod":       nodePressure,
	"FreeDiskSpaceFailed":       nodePressure,
	"ImageGCFailed":             nodePressure,
	"NodeHasDiskPressure":       nodePressure,
	"NodeHasInsufficientMemory": nodePressure,
	"NodeHasInsufficientPID":    nodePressure,
}

const (
	nodeNotReady = "NodeNotReady"
	nodePressure = "NodePressure"
)

// unhealthy is the reason of a failed probe. A single failed probe means nothing, because the
// kubelet itself waits for several of them.
const unhealthy = "Unhealthy"

// cause identifies what failed.
type cause struct {
	// reason is the canonical reason.
	reason string
	// byReason is true if the cause is the canonical reason alone.
	byReason bool
	// vague is true if the Event does not say why something failed, so that it belongs to any
	// failure of its family. It is false for the failures of nodes, which are causes themselves.
	vague bool
	// key is equal for Events of the same cause.
	key uint64
	// shape is empty if the cause is a reason alone.
	shape
}

func causeOf(e *eventview.Event) cause {
	c := cause{reason: e.Reason}
	reason, ok := canonical[e.Reason]
	switch {
	case ok:
		c.reason = reason
		c.byReason = true
		c.vague = reason != nodeNotReady && reason != nodePressure
	case e.Reason == "Failed" && isOneWord(strings.TrimPrefix(e.Note, "Error: ")),
		e.Reason == "FailedMount" && strings.HasPrefix(e.Note, "Unable to attach or mount volumes"):
		// After the Event that says why an image cannot be pulled, the kubelet writes one with the
		// note "Error: ErrImagePull", and later one with "Error: ImagePullBackOff". It waits for
		// volumes without knowing why they are missing.
		c.byReason = true
		c.vague = true
	}
	if c.byReason {
		c.key = hash("reason", c.reason)
		return c
	}
	t := templateOf(e)
	c.shape = t.shape()
	// The same quota refuses the pods of several controllers, but many controllers report a short
	// note, such as "context deadline exceeded", each for its own reasons.
	controller := ""
	if len(c.Words) < minWords {
		controller = e.Controller
	}
	c.key = hash("note", controller, c.reason, strings.Join(t.words, " "))
	return c
}

func isOneWord(text string) bool { return text != "" && !strings.ContainsAny(text, " :") }

// isTrouble reports whether an Event says that something failed. Some components report failures
// with the type Normal.
func isTrouble(e *eventview.Event) bool {
	if e.Type != corev1.EventTypeNormal && e.Type != "" {
		return true
	}
	switch e.Reason {
	case "Killing":
		// The kubelet also uses this reason when it stops a container that nobody needs any more.
		return strings.Contains(e.Note, "failed")
	case "TaintManagerEviction":
		return !strings.HasPrefix(e.Note, "Cancelling")
	}
	if _, ok := canonical[e.Reason]; ok {
		return true
	}
	for _, word := range []string{"Fail", "Error", "NotReady", "Degraded", "Unhealthy"} {
		if strings.Contains(e.Reason, word) {
			return true
		}
	}
	return false
}

// isAttempt reports whether a Normal Event says only that something is tried, which is no sign that
// an object has recovered.
func isAttempt(e *eventview.Event) bool {
	return e.Reason == "Pulling" || e.Reason == "Killing" || e.Reason == "SandboxChanged"
}

// homes are the keys of the places at which an Event belongs to others: the family of its object,
// which is the objects with the same owner, and the container, because two containers of a pod fail
// for different reasons.
type homes struct {
	// look are the keys at which an incident of the Event may be found.
	look []uint64
	// node is the key of the node of the Event's process, or 0. An incident of the node may be
	// found there.
	node uint64
	// register are the keys at which others may find the incident of the Event.
	register []uint64
}

// anyContainer is in the keys of homes for Events that belong to no container.
const anyContainer = "*"

func homesOf(e *eventview.Event) (h homes) {
	family := familyOf(&e.Regarding)
	name := container(&e.Regarding)
	h.register = []uint64{hash("home", family, name), hash("home", family, anyContainer)}
	if name == "" {
		h.look = h.register[1:]
	} else {
		h.look = []uint64{h.register[0], hash("home", family, "")}
	}
	if e.Regarding.Kind == "PersistentVolumeClaim" {
		// A StatefulSet calls the claim of its pod db-0 data-db-0, where data is the name of the
		// volume.
		_, set, _ := strings.Cut(owner(&e.Regarding), "-")
		key := hash("home", e.Regarding.Namespace+"/"+set, anyContainer)
		h.look = append(h.look, key)
		h.register = append(h.register, key)
	}
	if e.Controller == kubelet && e.Regarding.Kind != nodeKind {
		h.node = hash("home", nodeKind+"/"+e.Instance, anyContainer)
	}
	return h
}

const (
	kubelet  = "kubelet"
	nodeKind = "Node"
)

// familyOf returns the namespace and the owner of an object.
func familyOf(r *corev1.ObjectReference) string {
	if r.Kind == nodeKind {
		return nodeKind + "/" + r.Name
	}
	return r.Namespace + "/" + owner(r)
}

// owner returns the name of the object without the parts that its controllers have added. So the
// pods of a Deployment, their ReplicaSets and the Deployment have the same owner. It needs no
// request to the API server, and finds the owner of an object that was deleted, too.
func owner(r *corev1.ObjectReference) string {
	if r.Kind == nodeKind {
		return r.Name
	}
	parts := strings.Split(r.Name, "-")
	n := len(parts)
	if n > 2 && len(parts[n-1]) == randomLength && isAdded(parts[n-2]) {
		// After a hash, even a random end that looks like a word is no part of the name.
		n--
	}
	for n > 1 && isAdded(parts[n-1]) {
		n--
	}
	return strings.Join(parts[:n], "-")
}

const (
	// randomLength is the length of the random end of a generated name.
	randomLength = 5
	digits       = "0123456789"
	letters      = "abcdefghijklmnopqrstuvwxyz"
	// random are the letters and digits that the API server uses, so that it generates no words.
	random = "bcdfghjklmnpqrstvwxz2456789"
)

// isAdded reports whether a controller has added this part of a name: an ordinal, a hash or the
// random end of a generated name.
func isAdded(part string) bool {
	switch {
	case part == "":
		return false
	case strings.Trim(part, digits) == "":
		return true
	case len(part) == randomLength, len(part) >= 8 && len(part) <= 10:
		return strings.Trim(part, digits+letters) == "" && strings.ContainsAny(part, digits) || isRandom(part)
	}
	return false
}

// isRandom reports whether the text has only letters and digits of generated names.
func isRandom(text string) bool { return strings.Trim(text, random) == "" }

// container returns the name of the container that an Event is about, or "".
func container(r *corev1.ObjectReference) string {
	_, name, ok := strings.Cut(r.FieldPath, "{")
	if !ok {
		return ""
	}
	return strings.TrimSuffix(name, "}")
}

// objectOf returns the object for people, such as "shop/Pod/web-1".
func objectOf(e *eventview.Event) eventview.Object {
	object := eventview.ByObject(e)
	object.Name = cmp.Or(object.Name, "?")
	return object
}
