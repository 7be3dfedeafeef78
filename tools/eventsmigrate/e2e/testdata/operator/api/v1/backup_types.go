// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// BackupSpec is what the user wants.
type BackupSpec struct {
	Database string `json:"database"`
	// Schedule is a number of minutes; 0 is once.
	// +optional
	Schedule int32 `json:"schedule,omitempty"`
	// +optional
	Bucket string `json:"bucket,omitempty"`
	// +optional
	Keep int32 `json:"keep,omitempty"`
}

// BackupStatus is what the operator has observed.
type BackupStatus struct {
	// +optional
	Job string `json:"job,omitempty"`
	// +optional
	Completed int32 `json:"completed,omitempty"`
	// +optional
	Failures int32 `json:"failures,omitempty"`
	// +optional
	LastError string `json:"lastError,omitempty"`
}

// Backup copies a Database to a bucket.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BackupSpec   `json:"spec,omitempty"`
	Status BackupStatus `json:"status,omitempty"`
}

// BackupList is a list of Backups.
// +kubebuilder:object:root=true
type BackupList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Backup `json:"items"`
}
