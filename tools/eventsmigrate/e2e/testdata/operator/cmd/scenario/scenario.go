// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	ledgerv1 "example.com/ledger-operator/api/v1"
)

const namespace = "default"

// scenario is all that happens.
type scenario struct {
	client.Client
	clock *clocktesting.FakePassiveClock

	databases, backups, accounts, nodes reconcile.Reconciler
}

// newClient returns objects in memory. What is named "refused" cannot be created.
func newClient(scheme *runtime.Scheme) client.Client {
	return fake.NewClientBuilder().WithScheme(scheme).
		WithStatusSubresource(&ledgerv1.Database{}, &ledgerv1.Backup{}, &ledgerv1.Account{}).
		WithInterceptorFuncs(interceptor.Funcs{
			Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
				if _, isDeployment := o.(*appsv1.Deployment); isDeployment && o.GetName() == "refused" {
					return errors.New("quota is used to 100%, %d pods too many")
				}
				return c.Create(ctx, o, opts...)
			},
		}).Build()
}

// play plays everything once.
func (s *scenario) play(ctx context.Context) error {
	for _, scene := range []func(context.Context) error{
		s.liveDatabase, s.brokenDatabases, s.doneBackup, s.failedBackups, s.account, s.node,
	} {
		if err := scene(ctx); err != nil {
			return err
		}
	}
	<-ctx.Done()
	return nil
}

// reconcile saves the object and has r see it. What r says of it is an Event.
func (s *scenario) reconcile(ctx context.Context, r reconcile.Reconciler, object client.Object) error {
	if object.GetResourceVersion() == "" {
		if err := s.Create(ctx, object); err != nil {
			return err
		}
	} else if err := s.Update(ctx, object); err != nil {
		return err
	}
	key := client.ObjectKeyFromObject(object)
	_, _ = r.Reconcile(ctx, ctrl.Request{NamespacedName: key})
	return client.IgnoreNotFound(s.Get(ctx, key, object))
}

func (s *scenario) liveDatabase(ctx context.Context) error {
	db := newDatabase("books")
	if err := s.reconcile(ctx, s.databases, db); err != nil {
		return err
	}
	db.Spec.Settings = map[string]string{"cache": "75%"}
	db.Spec.Replicas = 3
	if err := s.reconcile(ctx, s.databases, db); err != nil {
		return err
	}
	for _, usage := range []int32{85, 100} {
		db.Status.Usage = usage
		if err := s.Status().Update(ctx, db); err != nil {
			return err
		}
		if err := s.reconcile(ctx, s.databases, db); err != nil {
			return err
		}
	}
	if err := s.Delete(ctx, db); err != nil {
		return err
	}
	_, err := s.databases.Reconcile(ctx, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(db)})
	return err
}

func (s *scenario) brokenDatabases(ctx context.Context) error {
	large := newDatabase("large")
	large.Spec.Replicas = 100
	taken := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "taken"}}
	if err := s.Create(ctx, taken); err != nil {
		return err
	}
	asleep := newDatabase("asleep")
	asleep.Spec.Suspend = true
	for _, db := range []*ledgerv1.Database{large, newDatabase("taken"), newDatabase("refused"), asleep} {
		if err := s.reconcile(ctx, s.databases, db); err != nil {
			return err
		}
	}
	return nil
}

func (s *scenario) doneBackup(ctx context.Context) error {
	if err := s.Create(ctx, newDatabase("saved")); err != nil {
		return err
	}
	backup := newBackup("nightly", "saved")
	if err := s.reconcile(ctx, s.backups, backup); err != nil {
		return err
	}
	job := &batchv1.Job{}
	if err := s.Get(ctx, client.ObjectKeyFromObject(backup), job); err != nil {
		return err
	}
	begin := metav1.NewTime(s.clock.Now())
	end := metav1.NewTime(begin.Add(90 * time.Second))
	job.Status.StartTime, job.Status.CompletionTime = &begin, &end
	job.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}}
	if err := s.Status().Update(ctx, job); err != nil {
		return err
	}
	return s.reconcile(ctx, s.backups, backup)
}

func (s *scenario) failedBackups(ctx context.Context) error {
	hopeless := newBackup("hopeless", "saved")
	hopeless.Status = ledgerv1.BackupStatus{Failures: 3, LastError: "the bucket is 100% full"}
	for _, backup := range []*ledgerv1.Backup{newBackup("orphan", "nothing"), hopeless} {
		if err := s.reconcile(ctx, s.backups, backup); err != nil {
			return err
		}
	}
	return nil
}

func (s *scenario) account(ctx context.Context) error {
	account := &ledgerv1.Account{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "ann"},
		Spec:       ledgerv1.AccountSpec{Database: "saved", Roles: []string{"reader", "admin"}, RotateDays: 30},
	}
	if err := s.reconcile(ctx, s.accounts, account); err != nil {
		return err
	}
	s.clock.SetTime(s.clock.Now().Add(31 * 24 * time.Hour))
	account.Spec.Roles = []string{"reader"}
	return s.reconcile(ctx, s.accounts, account)
}

func (s *scenario) node(ctx context.Context) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name: "node-1", UID: "node-1-uid", Labels: map[string]string{"ledger.example.com/storage": "local"},
	}}
	if err := s.Create(ctx, node); err != nil {
		return err
	}
	for _, status := range []corev1.ConditionStatus{corev1.ConditionTrue, corev1.ConditionFalse} {
		node.Status.Conditions = []corev1.NodeCondition{{
			Type: corev1.NodeDiskPressure, Status: status, Message: "5% of the disk is free",
		}}
		if err := s.Status().Update(ctx, node); err != nil {
			return err
		}
		node.Spec.Unschedulable = status == corev1.ConditionFalse
		if err := s.reconcile(ctx, s.nodes, node); err != nil {
			return err
		}
	}
	return nil
}

func newDatabase(name string) *ledgerv1.Database {
	return &ledgerv1.Database{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID("uid-of-" + name)},
		Spec:       ledgerv1.DatabaseSpec{Replicas: 2, Image: "example.com/ledger:v1"},
	}
}

func newBackup(name, database string) *ledgerv1.Backup {
	return &ledgerv1.Backup{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       ledgerv1.BackupSpec{Database: database, Bucket: "s3://books/100%"},
	}
}
