// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	ledgerv1 "example.com/ledger-operator/api/v1"
)

func newAccount(roles ...string) *ledgerv1.Account {
	return &ledgerv1.Account{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "ann"},
		Spec:       ledgerv1.AccountSpec{Database: "books", Roles: roles, RotateDays: 30},
	}
}

func TestAccountLife(t *testing.T) {
	g := NewWithT(t)
	account := newAccount("reader", "admin")
	clock := clocktesting.NewFakePassiveClock(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	recorder := record.NewFakeRecorder(10)
	r := NewAccountReconciler(newFakeClient(t, account), recorder, clock)

	_, err := r.Reconcile(t.Context(), request(account))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(drain(recorder)).To(ConsistOf(
		"Normal SecretCreated Created secret ann-password",
		"Normal RolesGranted Granted reader, admin",
		ContainSubstring("100% of the tables"),
	))

	clock.SetTime(clock.Now().Add(31 * 24 * time.Hour))
	_, err = r.Reconcile(t.Context(), request(account))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(recorder.Events).To(Receive(HavePrefix("Normal PasswordReplaced")))
	g.Expect(recorder.Events).To(Receive(ContainSubstring("31 days old")))
	g.Expect(recorder.Events).To(BeEmpty())
}

func TestAccountRolesAreRevoked(t *testing.T) {
	account := newAccount("reader")
	account.Status = ledgerv1.AccountStatus{Roles: []string{"reader", "writer"}}
	c := newFakeClient(t, account)
	recorder := record.NewFakeRecorder(10)
	recorder.IncludeObject = true
	if _, err := NewAccountReconciler(c, recorder, clocktesting.NewFakePassiveClock(time.Now())).
		Reconcile(t.Context(), request(account)); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(drain(recorder), "\n")
	if !strings.Contains(got, "Revoked writer") || strings.Contains(got, "Granted") {
		t.Errorf("unexpected events:\n%s", got)
	}
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(account), account); err != nil {
		t.Fatal(err)
	}
	if len(account.Status.Roles) != 1 {
		t.Errorf("roles %v in the status", account.Status.Roles)
	}
}
