// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package password keeps the passwords of Accounts in Secrets.
package password

import (
	"context"
	"crypto/rand"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"

	ledgerv1 "example.com/ledger-operator/api/v1"
)

// Store makes and replaces Secrets.
type Store struct {
	client   client.Client
	recorder record.EventRecorder
}

// NewStore returns a Store.
func NewStore(c client.Client, recorder record.EventRecorder) *Store {
	return &Store{client: c, recorder: recorder}
}

// SecretName is where the password of account is.
func SecretName(account *ledgerv1.Account) string { return account.Name + "-password" }

// Ensure makes the Secret if there is none, and says whether it did.
func (s *Store) Ensure(ctx context.Context, account *ledgerv1.Account) (bool, error) {
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: account.Namespace, Name: SecretName(account)},
	}
	err := s.client.Get(ctx, client.ObjectKeyFromObject(secret), secret)
	if err == nil || !apierrors.IsNotFound(err) {
		return false, err
	}
	secret.Data = map[string][]byte{"password": []byte(rand.Text())}
	if err := s.client.Create(ctx, secret); err != nil {
		s.recorder.Eventf(account, corev1.EventTypeWarning, "SecretFailed", "Error creating secret %s: %s",
			secret.Name, err.Error())
		return false, fmt.Errorf("secret: %w", err)
	}
	s.recorder.Eventf(account, corev1.EventTypeNormal, "SecretCreated", "Created secret %s", secret.Name)
	return true, nil
}

// Rotate replaces the password.
func (s *Store) Rotate(ctx context.Context, account *ledgerv1.Account) error {
	secret := &corev1.Secret{}
	key := client.ObjectKey{Namespace: account.Namespace, Name: SecretName(account)}
	if err := s.client.Get(ctx, key, secret); err != nil {
		return err
	}
	secret.Data = map[string][]byte{"password": []byte(rand.Text())}
	if err := s.client.Update(ctx, secret); err != nil {
		return err
	}
	s.recorder.Event(secret, corev1.EventTypeNormal, "PasswordReplaced", "Clients have to read the secret again")
	return nil
}
