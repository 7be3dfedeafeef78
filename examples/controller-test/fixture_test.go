// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package replicas_test

import (
	"testing"

	"go.uber.org/goleak"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eventseries/eventseries/events/eventstest"
	replicas "github.com/eventseries/eventseries/examples/controller-test"
)

// newController returns a controller, what it records, and the cluster it works on.
func newController(
	t *testing.T, objects ...runtime.Object,
) (*replicas.Controller, *eventstest.Recorder, *fake.Clientset) {
	client, recorder := fake.NewClientset(objects...), eventstest.NewRecorder(t, eventstest.Strict())
	return &replicas.Controller{Client: client, Recorder: recorder}, recorder, client
}

// deployment returns one of a single replica whose annotation asks for others.
func deployment(name, asks string) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: name, UID: "1", Annotations: map[string]string{replicas.Annotation: asks},
	}}
}

func autoscalerOf(deployment string) *autoscalingv2.HorizontalPodAutoscaler {
	autoscaler := &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: deployment + "-hpa"},
	}
	autoscaler.Spec.ScaleTargetRef.Kind, autoscaler.Spec.ScaleTargetRef.Name = "Deployment", deployment
	return autoscaler
}

// refuseUpdates makes a cluster that takes no changes.
func refuseUpdates(client interface {
	PrependReactor(verb, resource string, reaction clienttesting.ReactionFunc)
}) {
	client.PrependReactor("update", "deployments", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewServiceUnavailable("etcd is down")
	})
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
