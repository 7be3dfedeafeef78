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

	// Namespace and Name are the namespace and the name of the Event. Namespace, Name and Labels
	// matter only in the first occurrence of a series. The same applies to Note, unless
	// DistinctNotes or LatestNote is set.
	Namespace   string
	Name        Name
	Note        string // as it is sent to the server
	Labels      string // encoded by package eventlabels
	Annotations map[string]string
	At          time.Time

	DistinctNotes int  // for NotesDistinct: the number of notes that get a series of their own
	LatestNote    bool // for NotesLatest: the note is kept as an annotation
	Overflowed    bool // stands for an occurrence beyond the limit of its object; only the cache sets it
}

// Key holds the fields in which all occurrences of a series agree: regarding, action, reason,
// reporting controller, reporting instance and related (KEP-383). Like client-go's key it also
// contains the type. API versions and resourceVersions are not part of the key, so neither a new
// API version nor a change of the object begins another series.
type Key struct {
	Type, Action, Reason                   string
	ReportingController, ReportingInstance string
	Regarding, Related                     Reference
	HasRelated                             bool
}

// MetricLabels returns the labels under which the occurrence is counted.
func (k *Key) MetricLabels() stats.MetricLabels {
	return stats.MetricLabels{
		ReportingController: k.ReportingController,
		RegardingKind:       k.Regarding.Kind,
		Type:                k.Type,
		Reason:              k.Reason,
	}
}

// SelectedBy reports whether s matches the occurrence. A nil selector matches all occurrences. If
// the action is empty, which core/v1 allows, the selector sees the reason in its place.
func (k *Key) SelectedBy(s *selector.Selector) bool {
	return s.Selects(&selector.Event{
		k.Type, k.Reason, cmp.Or(k.Action, k.Reason), k.ReportingController,
		k.Regarding.Kind, k.Regarding.Namespace, k.Related.Kind,
	})
}

// Reference identifies an object in an Event.
type Reference struct {
	Group, Kind, Namespace, Name string
	UID                          types.UID
	FieldPath                    string
	// Version is the apiVersion without the group. Version and ResourceVersion are not part of a
	// key.
	Version, ResourceVersion string
}

// NewReference converts an ObjectReference of the API to a Reference.
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

// splitVersion splits an apiVersion so that [schema.GroupVersion] joins the parts to the same
// string again, even if it is not a valid apiVersion.
func splitVersion(apiVersion string) (group, version string) {
	if i := strings.IndexByte(apiVersion, '/'); i > 0 {
		return apiVersion[:i], apiVersion[i+1:]
	}
	return "", apiVersion
}

// Len returns the total length of the texts in the reference.
func (r *Reference) Len() int {
	return len(r.Group) + len(r.Kind) + len(r.Namespace) + len(r.Name) + len(r.UID) + len(r.FieldPath) +
		len(r.Version) + len(r.ResourceVersion)
}

// APIVersion returns the apiVersion, made of the group and the version.
func (r *Reference) APIVersion() string {
	return schema.GroupVersion{Group: r.Group, Version: r.Version}.String()
}

// ObjectReference converts r to an ObjectReference of the API.
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
