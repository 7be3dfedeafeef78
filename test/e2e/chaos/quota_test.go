// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"net/http"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

// The API server does not count Events (kubernetes pkg/quota/v1/install, ignoredResources), by none of their two names:
// a quota of none refuses ConfigMaps and no Event. So no quota ends, either; [TestWebhookDenies] has the 403 that one
// would answer.
func TestQuotaOfEvents(t *testing.T) {
	s := open(t, plot{title: "a quota of no Events", tenants: 3})
	old := s.beside(plot{
		title: "a quota of no Events, mode legacy", calm: true,
		adapter: []adapter.Option{adapter.WithMode(adapter.Legacy)},
	})
	old.Walk(125*time.Millisecond, "Patrol", old.visitor())
	s.Run(3 * time.Second)
	for _, namespace := range s.sick() {
		s.quota(namespace, "count/events", "count/events.events.k8s.io", "count/configmaps")
	}
	s.Run(20 * time.Second)
	for _, c := range []*scene{s, old} {
		c.settle()
	}
	refused := s.Wire.Seen(func(e wire.Exchange) bool { return e.Status == http.StatusForbidden })
	if len(refused) > 0 {
		t.Errorf("%d requests were refused, as of %v", len(refused), refused[0])
	}
}

// quota allows none of the resources in namespace, and returns when the API server refuses ConfigMaps. There is no
// controller that would fill in the status.
func (s *scene) quota(namespace string, resources ...corev1.ResourceName) {
	s.t.Helper()
	none := corev1.ResourceList{}
	for _, name := range resources {
		none[name] = resource.MustParse("0")
	}
	quotas := s.Admin.CoreV1().ResourceQuotas(namespace)
	quota, err := quotas.Create(s.t.Context(), &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Name: "none"}, Spec: corev1.ResourceQuotaSpec{Hard: none},
	}, metav1.CreateOptions{})
	s.must(err)
	quota.Status = corev1.ResourceQuotaStatus{Hard: none, Used: none}
	_, err = quotas.UpdateStatus(s.t.Context(), quota, metav1.UpdateOptions{})
	s.must(err)
	s.Await("the quota to be known", func() bool {
		_, err := s.Admin.CoreV1().ConfigMaps(namespace).Create(s.t.Context(),
			&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "tried-"}}, metav1.CreateOptions{})
		return apierrors.IsForbidden(err)
	})
}
