// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conditions_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/conditions"
)

// printer is a recorder that prints.
var printer = recorderFunc(func(eventtype, reason, note string) { fmt.Printf("%s %s: %s\n", eventtype, reason, note) })

// reconciler sets the condition Ready of a Service.
type reconciler struct {
	client   kubernetes.Interface
	recorder conditions.Recorder
}

func (r *reconciler) reconcile(ctx context.Context, namespace, name string) (err error) {
	service, err := r.client.CoreV1().Services(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	before := slices.Clone(service.Status.Conditions)
	defer func() {
		updateErr := r.updateStatus(ctx, service)
		if updateErr == nil {
			conditions.Record(r.recorder, service, before, service.Status.Conditions)
		}
		err = errors.Join(err, updateErr)
	}()

	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "PortsOpen", Message: "has its ports"}
	if len(service.Spec.Ports) == 0 {
		ready.Status, ready.Reason, ready.Message = metav1.ConditionFalse, "NoPorts", "the spec has no ports"
	}
	meta.SetStatusCondition(&service.Status.Conditions, ready)
	return nil
}

func (r *reconciler) updateStatus(ctx context.Context, service *corev1.Service) error {
	_, err := r.client.CoreV1().Services(service.Namespace).UpdateStatus(ctx, service, metav1.UpdateOptions{})
	return err
}

// A reconciler compares the conditions from before with the ones after in a deferred function, so
// that every return is covered. The second reconcile changes nothing and records nothing.
func Example() {
	ctx := context.Background()
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}
	r := reconciler{fake.NewClientset(service), printer}

	for range 2 {
		if err := r.reconcile(ctx, "default", "web"); err != nil {
			fmt.Println(err)
		}
	}
	service.Spec.Ports = []corev1.ServicePort{{Port: 80}}
	if _, err := r.client.CoreV1().Services("default").Update(ctx, service, metav1.UpdateOptions{}); err != nil {
		fmt.Println(err)
	}
	if err := r.reconcile(ctx, "default", "web"); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Warning NoPorts: the spec has no ports
	// Normal PortsOpen: has its ports
}

// Some conditions of a node are a fault when they are True.
func ExampleWithAbnormalTrue() {
	abnormal := conditions.WithAbnormalTrue("MemoryPressure", "DiskPressure")
	after := []metav1.Condition{
		{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Posted", Message: "is ready"},
		{Type: "MemoryPressure", Status: metav1.ConditionTrue, Reason: "LowMemory", Message: "100Mi are left"},
		{Type: "DiskPressure", Status: metav1.ConditionFalse, Reason: "EnoughSpace", Message: "20Gi are left"},
	}
	conditions.Record(printer, &corev1.Node{}, nil, after, abnormal)
	// Output:
	// Normal Posted: is ready
	// Warning LowMemory: 100Mi are left
	// Normal EnoughSpace: 20Gi are left
}

// Every recorder of the new API works, such as client-go's.
func ExampleRecorder() {
	recorder := clientevents.NewFakeRecorder(1)
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Started", Message: "at 100 %"}
	conditions.Record(recorder, &corev1.Node{}, nil, []metav1.Condition{ready})
	fmt.Println(<-recorder.Events)
	// Output: Normal Started at 100 %
}

// recorderFunc is a recorder that is a function.
type recorderFunc func(eventtype, reason, note string)

// Eventf calls f.
func (f recorderFunc) Eventf(_, _ runtime.Object, eventtype, reason, _, note string, args ...any) {
	f(eventtype, reason, fmt.Sprintf(note, args...))
}
