// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"errors"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"

	ledgerv1 "example.com/ledger-operator/api/v1"
)

func TestDatabaseIsCreated(t *testing.T) {
	g := NewWithT(t)
	db := newDatabase("books")
	r, recorder := newTestDatabaseReconciler(t, db)

	_, err := r.Reconcile(t.Context(), request(db))
	g.Expect(err).NotTo(HaveOccurred())

	g.Expect(r.Get(t.Context(), client.ObjectKeyFromObject(db), &appsv1.Deployment{})).To(Succeed())
	g.Expect(recorder.Events).To(HaveLen(3))
	g.Expect(recorder.Events).To(Receive(ContainSubstring("ConfigCreated")))
	g.Expect(recorder.Events).To(Receive(Equal("Normal Created Created Deployment books with 2 replicas")))
	g.Expect(recorder.Events).To(Receive(ContainSubstring("accepts connections")))

	_, err = r.Reconcile(t.Context(), request(db))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(recorder.Events).To(BeEmpty())
	g.Expect(recorder.Events).NotTo(Receive())
}

func TestDatabaseIsScaled(t *testing.T) {
	db := newDatabase("books", func(db *ledgerv1.Database) { db.Spec.Replicas = 5 })
	r, recorder := newTestDatabaseReconciler(t, db, deployment("books", 2, db))
	if _, err := r.Reconcile(t.Context(), request(db)); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, event := range drain(recorder) {
		if strings.Contains(event, "Scaled from 2 to 5 replicas") {
			found = true
		}
	}
	if !found {
		t.Error("expected an event about scaling")
	}
}

func TestDatabaseSuspends(t *testing.T) {
	g := NewWithT(t)
	db := newDatabase("books", func(db *ledgerv1.Database) { db.Spec.Suspend = true })
	r, recorder := newTestDatabaseReconciler(t, db, deployment("books", 2, db))

	_, err := r.Reconcile(t.Context(), request(db))
	g.Expect(err).NotTo(HaveOccurred())
	g.Eventually(recorder.Events).Should(Receive(HavePrefix("Normal ConfigCreated")))
	g.Expect(<-recorder.Events).To(Equal("Normal Scaled Scaled from 2 to 0 replicas"))
	g.Expect(<-recorder.Events).To(And(HavePrefix("Normal Suspended"), HaveSuffix("its volumes are kept")))
	g.Consistently(recorder.Events, "10ms").ShouldNot(Receive())
}

func TestDatabaseInvalid(t *testing.T) {
	tests := map[string]struct {
		change func(*ledgerv1.Database)
		want   string
	}{
		"too many replicas": {
			change: func(db *ledgerv1.Database) { db.Spec.Replicas = 12 },
			want:   "Warning InvalidSpec The spec cannot be used: 12 replicas are more than 9",
		},
		"no image": {
			change: func(db *ledgerv1.Database) { db.Spec.Image = "" },
			want:   "Warning InvalidSpec The spec cannot be used: no image",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			db := newDatabase("books", tt.change)
			r, recorder := newTestDatabaseReconciler(t, db)
			if _, err := r.Reconcile(t.Context(), request(db)); err != nil {
				t.Fatal(err)
			}
			select {
			case got := <-recorder.Events:
				if got != tt.want {
					t.Errorf("event %q, want %q", got, tt.want)
				}
			default:
				t.Error("no event")
			}
		})
	}
}

func TestDatabaseNameTaken(t *testing.T) {
	db := newDatabase("books")
	fakeRecorder := record.NewFakeRecorder(10)
	r := DatabaseReconciler{
		Client:   newFakeClient(t, db, deployment("books", 1, nil)),
		Scheme:   newScheme(t),
		Recorder: fakeRecorder,
	}
	if _, err := r.Reconcile(t.Context(), request(db)); err != nil {
		t.Fatal(err)
	}
	close(fakeRecorder.Events)
	var warnings []string
	for e := range fakeRecorder.Events {
		if strings.HasPrefix(e, corev1.EventTypeWarning) {
			warnings = append(warnings, e)
		}
	}
	if len(warnings) != 2 {
		t.Fatalf("got %d warnings, want 2: %v", len(warnings), warnings)
	}
	if want := "Warning NameTaken Database books wants this name"; warnings[1] != want {
		t.Errorf("got %q, want %q", warnings[1], want)
	}
}

func TestCheckUsage(t *testing.T) {
	for _, tt := range []struct {
		usage int32
		want  []string
	}{
		{usage: 10},
		{usage: 85, want: []string{"Warning VolumeFilling 85% of the volume is used"}},
		{usage: 100, want: []string{"Warning VolumeFull 100% of the volume is used, writes are refused"}},
	} {
		recorder := record.NewFakeRecorder(1)
		r := &DatabaseReconciler{Recorder: recorder}
		r.checkUsage(newDatabase("books", func(db *ledgerv1.Database) { db.Status.Usage = tt.usage }))
		if got := drain(recorder); strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("usage %d: got %q, want %q", tt.usage, got, tt.want)
		}
	}
}

func TestWarnFormats(t *testing.T) {
	g := NewWithT(t)
	recorder := &record.FakeRecorder{Events: make(chan string, 3)}
	r := &DatabaseReconciler{Recorder: recorder}
	r.warn(newDatabase("books"), "Odd", "%d%% of %s: %v", 7, "it", errors.New("50% left"))
	g.Expect(recorder.Events).To(Receive(Equal("Warning Odd 7% of it: 50% left")))
}
