// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controllerruntime

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// route is a ConfigMap that names a Service.
func route() *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"},
		Data:       map[string]string{"service": "shop"},
	}
}

// The Service does not exist at first.
func TestReconcile(t *testing.T) {
	web := route()
	shop := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "shop", UID: "2"}}
	cluster, recorder := fake.NewFakeClient(web), eventstest.NewRecorder(t, eventstest.Strict())
	reconciler := &Reconciler{Client: cluster, Recorder: recorder}
	request := ctrl.Request{NamespacedName: client.ObjectKeyFromObject(web)}
	if _, err := reconciler.Reconcile(t.Context(), request); err == nil {
		t.Error("no error without the Service")
	}
	if err := cluster.Create(t.Context(), shop); err != nil {
		t.Fatal(err)
	}
	if _, err := reconciler.Reconcile(t.Context(), request); err != nil {
		t.Error(err)
	}
	want := eventstest.Only{
		{Type: "Warning", Reason: "NoService", Regarding: web},
		{Type: "Normal", Reason: "Routed", Regarding: web, Related: shop},
	}
	if err := recorder.Check(want); err != nil {
		t.Error(err)
	}
}

// Caught: RecorderFor's adapter as a runnable that ends before the controllers; a Stats of another adapter.
func TestManagerWritesWhatIsPending(t *testing.T) {
	defer goleak.VerifyNone(t)
	server, web := apiserver.New(), route()
	mgr := newManager(t, server.Config(), web)

	reconciler := &Reconciler{Client: mgr.GetClient(), Recorder: adapter.RecorderFor(mgr, "my-controller")}

	a, err := adapter.ForManager(mgr) // the adapter of RecorderFor
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	watch(t, mgr, web, func(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
		defer stop()
		for range 5 {
			if _, err := reconciler.Reconcile(ctx, req); !apierrors.IsNotFound(err) {
				t.Errorf("Reconcile: %v, want that the Service is not found", err)
			}
		}
		return ctrl.Result{}, nil
	})
	if err := mgr.Start(ctx); err != nil {
		t.Fatal(err)
	}
	want := eventstest.Only{{Type: "Warning", Reason: "NoService", Regarding: web, Count: 5}}
	if ok, err := want.Match(server.Events()); err != nil || !ok {
		t.Errorf("%v: %s", err, want.FailureMessage(server.Events()))
	}
	if stats := a.Stats(); stats.Recorded != 5 || stats.Pending != 0 {
		t.Errorf("Stats after the manager's end: %v", stats)
	}
}

// A manager that loses its lease returns without waiting for its runnables. Shutdown waits for the adapter.
//
// Caught: a Shutdown that does not wait for the drain that the manager has begun.
func TestManagerThatLosesItsLease(t *testing.T) {
	server, web := apiserver.New(), route()
	lease := 2 * time.Second
	deadline := time.Second
	retry := 100 * time.Millisecond
	mgr, err := ctrl.NewManager(server.Config(), ctrl.Options{
		Scheme:  scheme.Scheme,
		Logger:  klog.Background(),
		Metrics: metricsserver.Options{BindAddress: "0"},

		LeaderElection:          true,
		LeaderElectionNamespace: "default",
		LeaderElectionID:        "my-controller",
		LeaseDuration:           &lease,
		RenewDeadline:           &deadline,
		RetryPeriod:             &retry,
	})
	if err != nil {
		t.Fatal(err)
	}
	a, err := adapter.ForManager(mgr)
	if err != nil {
		t.Fatal(err)
	}
	watch(t, mgr, web, func(context.Context, ctrl.Request) (ctrl.Result, error) {
		for range 5 {
			a.Recorder("my-controller").Eventf(web, nil, "Warning", "NoService", "FindService", "cannot route")
		}
		server.Answer("PUT /apis/coordination.k8s.io/v1/namespaces/default/leases/my-controller",
			func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, "no answer", http.StatusInternalServerError)
			})
		return ctrl.Result{}, nil
	})
	if err := mgr.Start(t.Context()); err == nil {
		t.Error("the manager has not lost its lease")
	}
	a.Shutdown()
	want := eventstest.Want{Type: "Warning", Reason: "NoService", Regarding: web, Count: 5}
	if err := eventstest.Check(server.Events(), want); err != nil {
		t.Error(err)
	}
}

func newManager(t *testing.T, config *rest.Config, objects ...client.Object) ctrl.Manager {
	t.Helper()
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme.Scheme,
		Logger:  klog.Background(),
		Metrics: metricsserver.Options{BindAddress: "0"},
		NewClient: func(*rest.Config, client.Options) (client.Client, error) {
			return fake.NewClientBuilder().WithObjects(objects...).Build(), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return mgr
}

// watch makes a controller of mgr, with one object to reconcile.
func watch(t *testing.T, mgr ctrl.Manager, object client.Object, reconciler reconcile.Func) {
	t.Helper()
	objects := make(chan event.GenericEvent, 1)
	objects <- event.GenericEvent{Object: object}
	err := ctrl.NewControllerManagedBy(mgr).Named(strings.ToLower(t.Name())).
		WatchesRawSource(source.Channel(objects, &handler.EnqueueRequestForObject{})).
		Complete(reconciler)
	if err != nil {
		t.Fatal(err)
	}
}

// The role that controller-gen makes of the marker grants what is written.
func TestMarkerGrants(t *testing.T) {
	source, err := os.ReadFile("reconciler.go")
	if err != nil {
		t.Fatal(err)
	}
	marker := regexp.MustCompile(`(?m)^// \+kubebuilder:rbac:groups=(.+),resources=(.+),verbs=(.+)$`)
	found := marker.FindStringSubmatch(strings.ReplaceAll(string(source), ";", ","))
	if found == nil {
		t.Fatal("no marker")
	}
	role := "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: manager-role}\n" +
		fmt.Sprintf("rules: [{apiGroups: [%s], resources: [%s], verbs: [%s]}]\n", found[1], found[2], found[3])
	eventstest.VerifyRBAC(t, fstest.MapFS{"role.yaml": {Data: []byte(role)}})
}
