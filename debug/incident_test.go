// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clienttesting "k8s.io/client-go/testing"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// step is the time between two rounds of the component. No interval of the SDK is a multiple of it,
// because two things at the same instant may happen in either order.
const step = time.Second + 700*time.Microsecond

// began is the time at which the component starts.
var began = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

// user is the name under which the test kit refuses the component.
const user = "system:serviceaccount:default:default"

// playIncident returns the adapter of a component that records in six namespaces for half an hour:
//
//	shop        nothing fails
//	payments    RBAC allows no Events
//	warehouse   RBAC allows only Events of core/v1
//	batch       an admission webhook hangs
//	billing     an admission webhook answers 500
//	review      an admission webhook denies one reason
//
// The adapter is shut down at the end of the test.
func playIncident(t *testing.T) *adapter.Adapter {
	time.Sleep(time.Until(began))
	a := adapter.New(context.Background(), cluster(),
		events.WithLogger(klog.Logger{}), adapter.WithSelector("reason!=Heartbeat"),
		events.WithReportingInstance("shop-operator-7d9fb8c6d-k4x2m"), events.WithMaxSeriesPerObject(60))
	if err := a.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Shutdown)
	recorder := a.Recorder("example.com/shop-operator")
	for second := range 30*60 + 8 {
		recordSecond(recorder, second)
		time.Sleep(step)
	}
	return a
}

// cluster answers a request as the namespaces of playIncident do.
func cluster() *eventstest.Clientset {
	c := eventstest.NewClientset()
	c.PrependReactor("create", "selfsubjectreviews", func(clienttesting.Action) (bool, runtime.Object, error) {
		review := &authenticationv1.SelfSubjectReview{}
		review.Status.UserInfo.Username = user
		return true, review, nil
	})
	c.Authorize(func(r eventstest.Request) bool {
		return r.Namespace != "payments" && (r.Namespace != "warehouse" || r.Group == "")
	})
	c.Fail(func(ctx context.Context, r eventstest.Request) error {
		switch {
		case r.Resource != "events":
			return nil
		case r.Namespace == "batch":
			<-ctx.Done()
			return ctx.Err()
		case r.Namespace == "billing":
			return apierrors.NewInternalError(fmt.Errorf(
				`failed calling webhook "audit.billing.example.com": the server could not find the requested resource`))
		case r.Namespace == "review":
			return apierrors.NewBadRequest(`admission webhook "events.review.example.com" denied the request`)
		}
		return nil
	})
	return c
}

// happening is an Event that a busy operator records at an interval, from one second until another
// one.
type happening struct {
	every, offset, from, until int
	eventtype                  string
	about                      runtime.Object
	reason, action, note       string
}

var happenings = []happening{
	{1, 0, 0, 0, "Normal", objectOf("Deployment", "shop", "web"), "Heartbeat", "Reconciling", "reconciled"},
	{2, 0, 0, 0, "Warning", objectOf("Pod", "shop", "web-6f9c7d5b8-hv2zk"), "Unhealthy", "Probing",
		"Readiness probe failed: HTTP probe failed with statuscode: 503"},
	{5, 1, 0, 0, "Normal", objectOf("HorizontalPodAutoscaler", "shop", "web"), "SuccessfulRescale", "Scaling",
		"New size: 12; reason: cpu"},
	{60, 3, 0, 0, "Normal", objectOf("Deployment", "shop", "web"), "ScalingReplicaSet", "Scaling",
		"Scaled up replica set web-6f9c7d5b8 to 12"},
	{600, 7, 0, 0, "Normal", objectOf("Ingress", "shop", "storefront"), "Sync", "Syncing", "Scheduled for sync"},
	{300, 11, 0, 1200, "Normal", objectOf("CronJob", "shop", "reindex"), "SuccessfulCreate", "Creating",
		"Created job reindex-29387"},
	{30, 4, 0, 0, "Warning", objectOf("Certificate", "payments", "gateway-tls"), "IssuerNotReady", "Issuing",
		"The issuer letsencrypt is not ready"},
	{45, 9, 601, 0, "Warning", objectOf("Pod", "payments", "ledger-0"), "FailedMount", "Mounting",
		`MountVolume.SetUp failed for volume "keys": secret "ledger-keys" not found`},
	{20, 2, 0, 0, "Normal", objectOf("StatefulSet", "warehouse", "stock"), "SuccessfulUpdate", "Updating", "updated Pod stock-0"},
	{7, 5, 301, 0, "Warning", objectOf("Invoice", "billing", "2026-11"), "PaymentFailed", "Charging", "the card was declined"},
	{50, 20, 901, 0, "Normal", objectOf("Invoice", "billing", "2026-10"), "Closed", "Closing", "all payments are in"},
	{3, 2, 0, 0, "Normal", objectOf("Review", "review", "pr-4711"), "Approved", "Reviewing", "approved by 2 of 2 reviewers"},
}

// recordSecond records the Events of one second.
func recordSecond(recorder clientevents.EventRecorderLogger, second int) {
	record := func(h happening) {
		if second%h.every == h.offset && second >= h.from && (h.until == 0 || second < h.until) {
			recorder.Eventf(h.about, nil, h.eventtype, h.reason, h.action, h.note)
			// Writes that are due at once are finished before the next occurrence.
			synctest.Wait()
		}
	}
	for range 9 {
		record(happening{1, 0, 0, 0, "Warning", objectOf("Pod", "shop", "web-6f9c7d5b8-hv2zk"), "BackOff", "Restarting",
			"Back-off restarting failed container web in pod web-6f9c7d5b8-hv2zk"})
	}
	for _, h := range happenings {
		record(h)
	}
	job := objectOf("Job", "batch", fmt.Sprintf("export-%d", 29380+second/400))
	record(happening{4, 1, 0, 0, "Warning", job, "DeadlineExceeded", "Running", "Job was active longer than specified deadline"})
}

func objectOf(kind, namespace, name string) runtime.Object {
	groups := map[string]string{
		"Pod": "v1", "Deployment": "apps/v1", "StatefulSet": "apps/v1", "Job": "batch/v1", "CronJob": "batch/v1",
		"HorizontalPodAutoscaler": "autoscaling/v2", "Ingress": "networking.k8s.io/v1", "Certificate": "cert-manager.io/v1",
	}
	apiVersion := groups[kind]
	if apiVersion == "" {
		apiVersion = "shop.example.com/v1"
	}
	return &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: apiVersion, Kind: kind},
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID("uid-of-" + kind + "-" + name)},
	}
}
