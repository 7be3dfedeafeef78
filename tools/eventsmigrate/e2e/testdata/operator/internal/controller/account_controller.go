// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	ledgerv1 "example.com/ledger-operator/api/v1"
	"example.com/ledger-operator/internal/password"
)

// accountReconciler keeps the Secrets of Accounts.
type accountReconciler struct {
	client   client.Client
	recorder record.EventRecorder
	clock    clock.PassiveClock
	store    *password.Store
}

// NewAccountReconciler returns a reconciler that records through recorder.
func NewAccountReconciler(c client.Client, recorder record.EventRecorder, clk clock.PassiveClock) *accountReconciler {
	return &accountReconciler{
		client:   c,
		recorder: recorder,
		clock:    clk,
		store:    password.NewStore(c, recorder),
	}
}

// +kubebuilder:rbac:groups=ledger.example.com,resources=accounts,verbs=get;list;watch
// +kubebuilder:rbac:groups=ledger.example.com,resources=accounts/status,verbs=get;update;patch
// +kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch;create;update
// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch,namespace=ledger-system

// Reconcile keeps the Secret of one Account.
func (r *accountReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	account := &ledgerv1.Account{}
	if err := r.client.Get(ctx, req.NamespacedName, account); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	created, err := r.store.Ensure(ctx, account)
	if err != nil {
		return ctrl.Result{}, err
	}
	if created {
		account.Status.RotatedAt = &metav1.Time{Time: r.clock.Now()}
	}
	r.tellRoles(account)
	rotated, err := r.rotate(ctx, account)
	if err != nil {
		return ctrl.Result{}, err
	}
	if created || rotated || !slices.Equal(account.Status.Roles, account.Spec.Roles) {
		account.Status.Roles = account.Spec.Roles
		account.Status.Secret = password.SecretName(account)
		if err := r.client.Status().Update(ctx, account); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// tellRoles says which roles were granted and revoked.
func (r *accountReconciler) tellRoles(account *ledgerv1.Account) {
	granted := missing(account.Spec.Roles, account.Status.Roles)
	revoked := missing(account.Status.Roles, account.Spec.Roles)
	for kind, roles := range map[string][]string{"Granted": granted, "Revoked": revoked} {
		if len(roles) > 0 {
			r.recorder.Eventf(account, corev1.EventTypeNormal, "Roles"+kind, "%s %s", kind, strings.Join(roles, ", "))
		}
	}
	if slices.Contains(granted, "admin") {
		r.recorder.Event(account, corev1.EventTypeWarning, "AdminGranted",
			"This account may do everything; 100% of the tables are open to it")
	}
}

// rotate replaces a password that is too old.
func (r *accountReconciler) rotate(ctx context.Context, account *ledgerv1.Account) (bool, error) {
	days := account.Spec.RotateDays
	if days == 0 || account.Status.RotatedAt == nil {
		return false, nil
	}
	age := r.clock.Since(account.Status.RotatedAt.Time)
	if age < time.Duration(days)*24*time.Hour {
		return false, nil
	}
	err := r.store.Rotate(ctx, account)
	emit := r.recorder.Eventf
	if err != nil {
		emit(account, corev1.EventTypeWarning, "RotationFailed", "Could not rotate the password: %v", err)
		return false, err
	}
	emit(account, corev1.EventTypeNormal, "Rotated", "Rotated a password that was %d days old", int(age.Hours()/24))
	account.Status.RotatedAt = &metav1.Time{Time: r.clock.Now()}
	return true, nil
}

// missing returns what is in all and not in some.
func missing(all, some []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(some, s) })
}

// SetupWithManager registers the controller.
func (r *accountReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&ledgerv1.Account{}).Owns(&corev1.Secret{}).Complete(r)
}
