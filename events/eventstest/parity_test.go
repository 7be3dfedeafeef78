// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/testkit/parity"
)

// TestParity: the clientset answers the table of internal/testkit/parity as a kube-apiserver does, of whom test/e2e asks the
// same.
func TestParity(t *testing.T) {
	for mode, prepare := range map[string]func(*Clientset){
		"through client-go's Fake": func(*Clientset) {},
		"past it":                  (*Clientset).DiscardActions,
	} {
		for _, file := range parity.Load() {
			for _, scene := range file.Scenes {
				t.Run(mode+"/"+file.Name+"/"+strings.Join(scene.Title, " "), func(t *testing.T) {
					checkParity(t, parityCluster(prepare), file.Name, scene)
				})
			}
		}
	}
}

func checkParity(t *testing.T, cluster *parity.Cluster, file string, scene parity.Scene) {
	t.Helper()
	answers, err := cluster.Run(t.Context(), scene)
	if err != nil {
		t.Error(err)
	}
	for i, answer := range answers {
		row := scene.Rows[i]
		if diff := cmp.Diff(row.FromKit(), answer); diff != "" {
			t.Errorf("table/%s:%d: %s (-want +got):\n%s", file, row.Line, row.Request, diff)
		}
	}
}

// parityCluster has a clientset for each of the two users: one clientset does not tell who asks.
func parityCluster(prepare func(*Clientset)) *parity.Cluster {
	const here = "parity-here"
	admin, user := NewClientset(), NewClientset()
	prepare(admin)
	prepare(user)
	user.Authorize(func(r Request) bool {
		return r.Group == "events.k8s.io" && r.Resource == "events" && r.Namespace == here &&
			slices.Contains([]string{"create", "patch"}, r.Verb)
	})
	return &parity.Cluster{
		Client: admin, User: user, Namespace: here, Terminating: "parity-gone",
		Terminate: func(ctx context.Context, namespace string) error {
			_, err := admin.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{
				ObjectMeta: metav1.ObjectMeta{Name: namespace},
				Status:     corev1.NamespaceStatus{Phase: corev1.NamespaceTerminating},
			}, metav1.CreateOptions{})
			return err
		},
	}
}
