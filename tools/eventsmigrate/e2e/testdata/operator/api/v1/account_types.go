// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// AccountSpec is what the user wants.
type AccountSpec struct {
	Database string `json:"database"`
	// +optional
	Roles []string `json:"roles,omitempty"`
	// RotateDays is the age at which the password is replaced; 0 is never.
	// +optional
	RotateDays int32 `json:"rotateDays,omitempty"`
}

// AccountStatus is what the operator has observed.
type AccountStatus struct {
	// +optional
	Secret string `json:"secret,omitempty"`
	// +optional
	RotatedAt *metav1.Time `json:"rotatedAt,omitempty"`
	// +optional
	Roles []string `json:"roles,omitempty"`
}

// Account is somebody who may use a Database.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Account struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   AccountSpec   `json:"spec,omitempty"`
	Status AccountStatus `json:"status,omitempty"`
}

// AccountList is a list of Accounts.
// +kubebuilder:object:root=true
type AccountList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Account `json:"items"`
}
