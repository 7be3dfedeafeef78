// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	ledgerv1 "example.com/ledger-operator/api/v1"
	"example.com/ledger-operator/internal/workload"
)

const (
	databaseFinalizer = "ledger.example.com/database"
	maxReplicas       = 9
)

// DatabaseReconciler runs Databases as Deployments.
type DatabaseReconciler struct {
	client.Client
	Scheme   *runtime.Scheme
	Recorder record.EventRecorder
}

// +kubebuilder:rbac:groups=ledger.example.com,resources=databases,verbs=get;list;watch;update;patch
// +kubebuilder:rbac:groups=ledger.example.com,resources=databases/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch;create;update;patch
// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch

// Reconcile brings one Database to what its spec says.
func (r *DatabaseReconciler) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
	log := logf.FromContext(ctx)

	db := &ledgerv1.Database{}
	if err := r.Get(ctx, req.NamespacedName, db); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	// Whatever goes wrong below is told once, here.
	defer func() {
		if err != nil {
			r.Recorder.Event(db, corev1.EventTypeWarning, ReasonReconcileError, err.Error())
		}
	}()

	if !db.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.finalize(ctx, db)
	}
	if controllerutil.AddFinalizer(db, databaseFinalizer) {
		if err := r.Update(ctx, db); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := validate(db); err != nil {
		log.Info("invalid spec", "problem", err.Error())
		r.Recorder.Eventf(db, corev1.EventTypeWarning, ReasonInvalidSpec, "The spec cannot be used: %v", err)
		return ctrl.Result{}, r.setPhase(ctx, db, ledgerv1.PhaseFailed)
	}
	if err := r.reconcileConfig(ctx, db); err != nil {
		return ctrl.Result{}, fmt.Errorf("configuration: %w", err)
	}
	if err := r.reconcileDeployment(ctx, db); err != nil {
		return ctrl.Result{}, fmt.Errorf("deployment: %w", err)
	}
	r.checkUsage(db)
	return ctrl.Result{}, r.updateStatus(ctx, db)
}

func (r *DatabaseReconciler) finalize(ctx context.Context, db *ledgerv1.Database) error {
	if !controllerutil.ContainsFinalizer(db, databaseFinalizer) {
		return nil
	}
	r.Recorder.Event(db, corev1.EventTypeNormal, "Deleting", "Deleting everything that belongs to the database")
	deployment := workload.Deployment(db)
	if err := r.Delete(ctx, deployment); err != nil && !apierrors.IsNotFound(err) {
		r.Recorder.Eventf(db, corev1.EventTypeWarning, "DeleteFailed",
			"Failed to delete deployment %q: %s", deployment.Name, err) // retried by the caller
		return err
	}
	controllerutil.RemoveFinalizer(db, databaseFinalizer)
	return r.Update(ctx, db)
}

func validate(db *ledgerv1.Database) error {
	var problems []error
	if db.Spec.Replicas > maxReplicas {
		problems = append(problems, fmt.Errorf("%d replicas are more than %d", db.Spec.Replicas, maxReplicas))
	}
	if db.Spec.Image == "" {
		problems = append(problems, errors.New("no image"))
	}
	return errors.Join(problems...)
}

// checkUsage warns once for every level.
func (r *DatabaseReconciler) checkUsage(db *ledgerv1.Database) {
	limit := db.Spec.UsagePercent
	if limit == 0 {
		limit = 80
	}
	switch usage := db.Status.Usage; {
	case usage >= 100:
		r.Recorder.Event(db, corev1.EventTypeWarning, ReasonVolumeFull, "100% of the volume is used, writes are refused")
	case usage >= limit:
		r.Recorder.Event(db, "Warning", "VolumeFilling", fmt.Sprintf("%d%% of the volume is used", usage))
	}
}

func (r *DatabaseReconciler) setPhase(ctx context.Context, db *ledgerv1.Database, phase ledgerv1.DatabasePhase) error {
	if db.Status.Phase == phase {
		return nil
	}
	db.Status.Phase = phase
	return r.Status().Update(ctx, db)
}

func (r *DatabaseReconciler) updateStatus(ctx context.Context, db *ledgerv1.Database) error {
	phase := ledgerv1.PhaseRunning
	if db.Spec.Suspend {
		phase = ledgerv1.PhaseSuspended
	}
	if db.Status.Phase == phase && db.Status.ObservedGeneration == db.Generation {
		return nil
	}
	eventtype, reason, message := corev1.EventTypeNormal, ReasonResumed, "The database accepts connections"
	if phase == ledgerv1.PhaseSuspended {
		reason = ReasonSuspended
		message = "The database is suspended, its volumes are kept"
	}
	if db.Status.Phase != phase {
		r.Recorder.Event(db, eventtype, reason, message)
	}
	db.Status.Phase = phase
	db.Status.ObservedGeneration = db.Generation
	return r.Status().Update(ctx, db)
}

// SetupWithManager registers the controller.
func (r *DatabaseReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&ledgerv1.Database{}).
		Owns(&appsv1.Deployment{}).
		Named("database").
		Complete(r)
}
