// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

// Reasons of Events. Alerts match them, so they do not change.
const (
	ReasonCreated        = "Created"
	ReasonScaled         = "Scaled"
	ReasonSuspended      = "Suspended"
	ReasonResumed        = "Resumed"
	ReasonInvalidSpec    = "InvalidSpec"
	ReasonReconcileError = "ReconcileError"
	ReasonVolumeFull     = "VolumeFull"
)

// backupReason is a reason of an Event about a Backup.
type backupReason string

const (
	backupScheduled backupReason = "BackupScheduled"
	backupFailed    backupReason = "BackupFailed"
	backupDone      backupReason = "BackupCompleted"
	backupPruned    backupReason = "BackupPruned"
)

// String makes it a fmt.Stringer.
func (r backupReason) String() string { return string(r) }
