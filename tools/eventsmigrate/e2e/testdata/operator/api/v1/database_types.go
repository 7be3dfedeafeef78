// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// DatabasePhase is where a Database is in its life.
type DatabasePhase string

const (
	PhasePending   DatabasePhase = "Pending"
	PhaseRunning   DatabasePhase = "Running"
	PhaseSuspended DatabasePhase = "Suspended"
	PhaseFailed    DatabasePhase = "Failed"
)

// DatabaseSpec is what the user wants.
type DatabaseSpec struct {
	// +kubebuilder:validation:Minimum=0
	Replicas int32 `json:"replicas"`
	// +optional
	Image string `json:"image,omitempty"`
	// Suspend scales the database to zero and keeps its volumes.
	// +optional
	Suspend bool `json:"suspend,omitempty"`
	// UsagePercent is the fill level at which the operator warns.
	// +optional
	UsagePercent int32 `json:"usagePercent,omitempty"`
	// Settings go into the configuration file as they are.
	// +optional
	Settings map[string]string `json:"settings,omitempty"`
}

// DatabaseStatus is what the operator has observed.
type DatabaseStatus struct {
	// +optional
	Phase DatabasePhase `json:"phase,omitempty"`
	// +optional
	Replicas int32 `json:"replicas,omitempty"`
	// +optional
	Usage int32 `json:"usage,omitempty"`
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Database is a replicated ledger.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DatabaseSpec   `json:"spec,omitempty"`
	Status DatabaseStatus `json:"status,omitempty"`
}

// DatabaseList is a list of Databases.
// +kubebuilder:object:root=true
type DatabaseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Database `json:"items"`
}
