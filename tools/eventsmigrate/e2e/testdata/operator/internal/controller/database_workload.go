// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	ledgerv1 "example.com/ledger-operator/api/v1"
	"example.com/ledger-operator/internal/workload"
)

// reconcileConfig keeps the ConfigMap with the settings.
func (r *DatabaseReconciler) reconcileConfig(ctx context.Context, db *ledgerv1.Database) error {
	want := workload.ConfigMap(db)
	if err := ctrl.SetControllerReference(db, want, r.Scheme); err != nil {
		return err
	}
	have := &corev1.ConfigMap{}
	err := r.Get(ctx, client.ObjectKeyFromObject(want), have)
	switch {
	case apierrors.IsNotFound(err):
		if err := r.Create(ctx, want); err != nil {
			return err
		}
		r.Recorder.Eventf(db, corev1.EventTypeNormal, "ConfigCreated", "Created ConfigMap %s", want.Name)
		return nil
	case err != nil:
		return err
	case maps.Equal(have.Data, want.Data):
		return nil
	}
	have.Data = want.Data
	if err := r.Update(ctx, have); err != nil {
		r.warn(db, "ConfigUpdateFailed", "Could not update ConfigMap %s: %v", have.Name, err)
		return err
	}
	r.Recorder.AnnotatedEventf(db, map[string]string{"ledger.example.com/config": have.Name},
		corev1.EventTypeNormal, "ConfigUpdated", "Updated ConfigMap %s with %d settings", have.Name, len(have.Data))
	return nil
}

// reconcileDeployment keeps the Deployment.
func (r *DatabaseReconciler) reconcileDeployment(ctx context.Context, db *ledgerv1.Database) error {
	want := workload.Deployment(db)
	if err := ctrl.SetControllerReference(db, want, r.Scheme); err != nil {
		return err
	}
	have := &appsv1.Deployment{}
	err := r.Get(ctx, client.ObjectKeyFromObject(want), have)
	if apierrors.IsNotFound(err) {
		return r.createDeployment(ctx, db, want)
	}
	if err != nil {
		return err
	}
	if !workload.Owned(have, db) {
		// Somebody else made it: both should know.
		r.Recorder.Eventf(db, corev1.EventTypeWarning, "NameTaken", "Deployment %s/%s belongs to somebody else",
			have.Namespace, have.Name)
		r.Recorder.Eventf(have, corev1.EventTypeWarning, "NameTaken", "Database %s wants this name", db.Name)
		return nil
	}
	return r.scale(ctx, db, have, *want.Spec.Replicas)
}

func (r *DatabaseReconciler) createDeployment(
	ctx context.Context, db *ledgerv1.Database, want *appsv1.Deployment,
) error {
	if err := r.Create(ctx, want); err != nil {
		r.warn(db, "CreateFailed", "Could not create Deployment %s: %v", want.Name, err)
		return err
	}
	r.Recorder.Eventf(
		db,
		corev1.EventTypeNormal,
		ReasonCreated,
		"Created Deployment %s with %d replicas", // the image is in the Deployment
		want.Name,
		ptr.Deref(want.Spec.Replicas, 0),
	)
	return nil
}

func (r *DatabaseReconciler) scale(
	ctx context.Context, db *ledgerv1.Database, have *appsv1.Deployment, to int32,
) error {
	from := ptr.Deref(have.Spec.Replicas, 1)
	if from == to {
		return nil
	}
	have.Spec.Replicas = &to
	if err := r.Update(ctx, have); err != nil {
		if apierrors.IsConflict(err) {
			return nil // the watch brings the newer one
		}
		r.warn(db, "ScaleFailed", "Could not scale Deployment %s to %d: %v", have.Name, to, err)
		return err
	}
	db.Status.Replicas = to
	r.Recorder.Eventf(db, corev1.EventTypeNormal, ReasonScaled, "Scaled from %d to %d replicas", from, to)
	return nil
}

// warn records a Warning about db.
func (r *DatabaseReconciler) warn(db *ledgerv1.Database, reason, format string, args ...any) {
	r.Recorder.Eventf(db, corev1.EventTypeWarning, reason, format, args...)
}
