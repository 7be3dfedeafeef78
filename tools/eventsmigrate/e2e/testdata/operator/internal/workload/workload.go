// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package workload has the objects that a Database consists of.
package workload

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	ledgerv1 "example.com/ledger-operator/api/v1"
)

const (
	labelDatabase = "ledger.example.com/database"
	backupImage   = "example.com/ledger-backup:v1"
)

func labels(db *ledgerv1.Database) map[string]string {
	return map[string]string{labelDatabase: db.Name}
}

// ConfigMap has the settings of db.
func ConfigMap(db *ledgerv1.Database) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: db.Namespace, Name: db.Name + "-config", Labels: labels(db)},
		Data:       db.Spec.Settings,
	}
}

// Deployment runs db.
func Deployment(db *ledgerv1.Database) *appsv1.Deployment {
	replicas := db.Spec.Replicas
	if db.Spec.Suspend {
		replicas = 0
	}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: db.Namespace, Name: db.Name, Labels: labels(db)},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels(db)},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels(db)},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name: "ledger", Image: db.Spec.Image,
				}}},
			},
		},
	}
}

// BackupJob copies the database of backup once.
func BackupJob(backup *ledgerv1.Backup) *batchv1.Job {
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Namespace: backup.Namespace, Name: backup.Name},
		Spec: batchv1.JobSpec{
			Template: corev1.PodTemplateSpec{
				Spec: corev1.PodSpec{
					RestartPolicy: corev1.RestartPolicyNever,
					Containers: []corev1.Container{{
						Name: "backup", Image: backupImage,
						Args: []string{"--database=" + backup.Spec.Database, "--bucket=" + backup.Spec.Bucket},
					}},
				},
			},
		},
	}
}

// Owned says whether db controls object.
func Owned(object metav1.Object, db *ledgerv1.Database) bool {
	return metav1.IsControlledBy(object, db)
}
