// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"

	ledgerv1 "example.com/ledger-operator/api/v1"
)

func newBackup(status ledgerv1.BackupStatus) *ledgerv1.Backup {
	return &ledgerv1.Backup{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "nightly", UID: "5678"},
		Spec:       ledgerv1.BackupSpec{Database: "books", Bucket: "s3://books"},
		Status:     status,
	}
}

func ended(kind batchv1.JobConditionType, message string) *batchv1.Job {
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "nightly"},
		Status: batchv1.JobStatus{Conditions: []batchv1.JobCondition{
			{Type: kind, Status: corev1.ConditionTrue, Message: message},
		}},
	}
}

func TestBackup(t *testing.T) {
	tests := []struct {
		name    string
		status  ledgerv1.BackupStatus
		objects []client.Object
		want    []string
	}{{
		name: "no database",
		want: []string{`Warning BackupFailed There is no database "books"`},
	}, {
		name:    "first run",
		objects: []client.Object{newDatabase("books")},
		want: []string{
			"Normal BackupScheduled Job nightly copies database books",
			"Normal BackupScheduled Backup nightly has begun",
		},
	}, {
		name:    "failed",
		objects: []client.Object{newDatabase("books"), ended(batchv1.JobFailed, "100% of the quota is used")},
		want: []string{
			"Warning BackupFailed 100% of the quota is used",
			"Normal BackupPruned Deleted job nightly",
		},
	}, {
		name:    "given up",
		status:  ledgerv1.BackupStatus{Failures: 3, LastError: "no bucket"},
		objects: []client.Object{newDatabase("books")},
		want:    []string{"Warning BackupFailedTooOften Gave up after 3 failures, the last one was: no bucket"},
	}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			backup := newBackup(tt.status)
			recorder := record.NewFakeRecorder(len(tt.want) + 1)
			r := &BackupReconciler{Client: newFakeClient(t, append(tt.objects, backup)...), recorder: recorder}
			_, err := r.Reconcile(t.Context(), request(backup))
			require.NoError(t, err)
			require.Len(t, recorder.Events, len(tt.want))
			for _, want := range tt.want {
				assert.Equal(t, want, <-recorder.Events)
			}
			assert.Empty(t, recorder.Events)
		})
	}
}

func TestBackupCompleted(t *testing.T) {
	backup := newBackup(ledgerv1.BackupStatus{})
	backup.Spec.Keep = 1
	recorder := record.NewFakeRecorder(5)
	r := &BackupReconciler{
		Client:   newFakeClient(t, backup, newDatabase("books"), ended(batchv1.JobComplete, "")),
		recorder: recorder,
	}
	_, err := r.Reconcile(t.Context(), request(backup))
	require.NoError(t, err)
	got := <-recorder.Events
	assert.Contains(t, got, "Copied to s3://books in an unknown time")
	assert.Contains(t, got, "map[ledger.example.com/bucket:s3://books]") // the annotations
	assert.Equal(t, 0, len(recorder.Events))
}

// Without a recorder nothing is recorded, and nothing breaks.
func TestBackupWithoutRecorder(t *testing.T) {
	backup := newBackup(ledgerv1.BackupStatus{})
	r := &BackupReconciler{Client: newFakeClient(t, backup)}
	_, err := r.Reconcile(t.Context(), request(backup))
	assert.NoError(t, err)
}
