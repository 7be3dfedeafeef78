// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	ledgerv1 "example.com/ledger-operator/api/v1"
	"example.com/ledger-operator/internal/workload"
)

const maxFailures = 3

// BackupReconciler runs Backups as Jobs.
type BackupReconciler struct {
	client.Client

	recorder record.EventRecorder
	now      func() time.Time
}

// +kubebuilder:rbac:groups=ledger.example.com,resources=backups,verbs=get;list;watch
// +kubebuilder:rbac:groups=ledger.example.com,resources=backups/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get;list;watch;create;delete
//+kubebuilder:rbac:groups=core,resources=events,verbs=create;patch;update

// Reconcile runs the next copy of one Backup.
func (r *BackupReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	backup := &ledgerv1.Backup{}
	if err := r.Get(ctx, req.NamespacedName, backup); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	db := &ledgerv1.Database{}
	key := client.ObjectKey{Namespace: backup.Namespace, Name: backup.Spec.Database}
	if err := r.Get(ctx, key, db); err != nil {
		if !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err
		}
		r.event(backup, corev1.EventTypeWarning, backupFailed, fmt.Sprintf("There is no database %q", key.Name))
		return ctrl.Result{RequeueAfter: time.Minute}, nil
	}
	if backup.Status.Failures >= maxFailures {
		r.recorder.Eventf(backup, corev1.EventTypeWarning, string(backupFailed)+"TooOften",
			"Gave up after %d failures, the last one was: %s", backup.Status.Failures, backup.Status.LastError)
		return ctrl.Result{}, nil
	}
	return r.run(ctx, backup, db)
}

func (r *BackupReconciler) run(
	ctx context.Context, backup *ledgerv1.Backup, db *ledgerv1.Database,
) (ctrl.Result, error) {
	job := &batchv1.Job{}
	err := r.Get(ctx, client.ObjectKeyFromObject(backup), job)
	if apierrors.IsNotFound(err) {
		job = workload.BackupJob(backup)
		if err := r.Create(ctx, job); err != nil {
			r.recorder.Event(backup, corev1.EventTypeWarning, backupFailed.String(), err.Error())
			return ctrl.Result{}, err
		}
		r.recorder.Eventf(backup, corev1.EventTypeNormal, string(backupScheduled),
			"Job %s copies database %s", job.Name, db.Name)
		// The database shows its backups, too.
		r.recorder.Eventf(db, corev1.EventTypeNormal, string(backupScheduled), "Backup %s has begun", backup.Name)
		return ctrl.Result{}, r.setJob(ctx, backup, job.Name)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	return r.observe(ctx, backup, job)
}

// observe looks at a Job that runs or has ended.
func (r *BackupReconciler) observe(
	ctx context.Context, backup *ledgerv1.Backup, job *batchv1.Job,
) (ctrl.Result, error) {
	reason := backupDone
	for _, condition := range job.Status.Conditions {
		if condition.Status != corev1.ConditionTrue {
			continue
		}
		switch condition.Type {
		case batchv1.JobFailed:
			reason = backupFailed
			backup.Status.Failures++
			backup.Status.LastError = condition.Message
			r.recorder.Event(backup, corev1.EventTypeWarning, string(reason), condition.Message)
		case batchv1.JobComplete:
			backup.Status.Completed++
			took := "an unknown time"
			if job.Status.CompletionTime != nil && job.Status.StartTime != nil {
				took = job.Status.CompletionTime.Sub(job.Status.StartTime.Time).String()
			}
			r.recorder.AnnotatedEventf(backup, backupAnnotations(backup), corev1.EventTypeNormal, string(reason),
				"Copied to %s in %s", backup.Spec.Bucket, took)
		default:
			continue
		}
		if err := r.prune(ctx, backup, job); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{RequeueAfter: r.pause(backup)}, r.Status().Update(ctx, backup)
	}
	return ctrl.Result{}, nil
}

// prune deletes the Job unless it is to be kept.
func (r *BackupReconciler) prune(ctx context.Context, backup *ledgerv1.Backup, job *batchv1.Job) error {
	if backup.Spec.Keep > 0 {
		return nil
	}
	if err := r.Delete(ctx, job); err != nil {
		return client.IgnoreNotFound(err)
	}
	r.event(backup, corev1.EventTypeNormal, backupPruned, "Deleted job "+job.Name)
	return nil
}

func (r *BackupReconciler) pause(backup *ledgerv1.Backup) time.Duration {
	return time.Duration(backup.Spec.Schedule) * time.Minute
}

func (r *BackupReconciler) setJob(ctx context.Context, backup *ledgerv1.Backup, name string) error {
	backup.Status.Job = name
	return r.Status().Update(ctx, backup)
}

// event records a plain message.
func (r *BackupReconciler) event(object client.Object, eventtype string, reason backupReason, message string) {
	if r.recorder == nil {
		return
	}
	r.recorder.Event(object, eventtype, string(reason), message)
}

func backupAnnotations(backup *ledgerv1.Backup) map[string]string {
	return map[string]string{"ledger.example.com/bucket": backup.Spec.Bucket}
}

// SetupWithManager registers the controller.
func (r *BackupReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.recorder = mgr.GetEventRecorderFor("backup-controller") //nolint:staticcheck
	if r.now == nil {
		r.now = time.Now
	}
	return ctrl.NewControllerManagedBy(mgr).For(&ledgerv1.Backup{}).Owns(&batchv1.Job{}).Complete(r)
}
