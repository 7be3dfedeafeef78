// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"cmp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

// Occurrence is one call of a recorder.
type Occurrence struct {
	Key

	// Namespace and Name are the Event's. They matter for the first occurrence of a
	// series only, as do Labels, and a Note without DistinctNotes or LatestNote.
	Namespace   string
	Name        Name
	Note        string // as it goes on the wire
	Labels      string // as package eventlabels has them
	Annotations map[string]string
	At          time.Time

	DistinctNotes int  // under NotesDistinct: how many notes get a series of their own
	LatestNote    bool // under NotesLatest: the note is kept as an annotation
	Overflowed    bool // it stands for one beyond the limit of its object; set by the cache alone
}

// Key is what the occurrences of a series have in common: regarding, action,
// reason, reporting controller and instance, and related (KEP-383). Like
// client-go's it has the type, too. Versions do not count: neither a bump of the
// API version nor a write to the object begins another series.
type Key struct {
	Type, Action, Reason                   string
	ReportingController, ReportingInstance string
	Regarding, Related                     Reference
	HasRelated                             bool
}

// MetricLabels returns what the occurrence is counted by.
func (k *Key) MetricLabels() stats.MetricLabels {
	return stats.MetricLabels{
		ReportingController: k.ReportingController,
		RegardingKind:       k.Regarding.Kind,
		Type:                k.Type,
		Reason:              k.Reason,
	}
}

// SelectedBy reports whether a selector lets the occurrence through. A nil selector does.
// Without an action, as core/v1 allows it, the reason stands for it.
func (k *Key) SelectedBy(s *selector.Selector) bool {
	return s.Selects(&selector.Event{
		k.Type, k.Reason, cmp.Or(k.Action, k.Reason), k.ReportingController,
		k.Regarding.Kind, k.Regarding.Namespace, k.Related.Kind,
	})
}

// Reference is an object as an Event refers to it.
type Reference struct {
	Group, Kind, Namespace, Name string
	UID                          types.UID
	FieldPath                    string
	// Version is what the apiVersion has beyond the group. It and ResourceVersion
	// are no part of a key.
	Version, ResourceVersion string
}

// NewReference converts a reference of the API.
func NewReference(ref *corev1.ObjectReference) Reference {
	group, version := splitVersion(ref.APIVersion)
	return Reference{
		Group:           group,
		Version:         version,
		Kind:            ref.Kind,
		Namespace:       ref.Namespace,
		Name:            ref.Name,
		UID:             ref.UID,
		FieldPath:       ref.FieldPath,
		ResourceVersion: ref.ResourceVersion,
	}
}

// splitVersion splits an apiVersion so that [schema.GroupVersion] joins the
// parts to the same string, also where it is none that the API machinery makes.
func splitVersion(apiVersion string) (group, version string) {
	if i := strings.IndexByte(apiVersion, '/'); i > 0 {
		return apiVersion[:i], apiVersion[i+1:]
	}
	return "", apiVersion
}

// Len is the length of all texts of the reference.
func (r *Reference) Len() int {
	return len(r.Group) + len(r.Kind) + len(r.Namespace) + len(r.Name) + len(r.UID) + len(r.FieldPath) +
		len(r.Version) + len(r.ResourceVersion)
}

// APIVersion is the group and the version.
func (r *Reference) APIVersion() string {
	return schema.GroupVersion{Group: r.Group, Version: r.Version}.String()
}

// ObjectReference converts the reference to the API's.
func (r *Reference) ObjectReference() corev1.ObjectReference {
	return corev1.ObjectReference{
		APIVersion:      r.APIVersion(),
		Kind:            r.Kind,
		Namespace:       r.Namespace,
		Name:            r.Name,
		UID:             r.UID,
		FieldPath:       r.FieldPath,
		ResourceVersion: r.ResourceVersion,
	}
}
