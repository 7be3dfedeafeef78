// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// run records until ctx ends, and then writes the pending Events.
func run(ctx context.Context, a *adapter.Adapter, object runtime.Object) error {
	if err := a.Start(ctx); err != nil {
		return err
	}
	defer a.Shutdown()
	greet(ctx, a.Recorder("my-controller"), object)
	return nil
}

// greet records an Event about object every second until ctx ends.
func greet(ctx context.Context, recorder events.EventRecorder, object runtime.Object) {
	for n := 1; ctx.Err() == nil; n++ {
		recorder.Eventf(object, nil, corev1.EventTypeNormal, "Greeted", "Greet", "hello number %d", n)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// defaultNamespace is the object that the program on the page reads from the API server.
var defaultNamespace = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default", UID: "1"}}

// The count and the note are those that kubectl shows on the page.
//
// Caught: no Shutdown.
func TestRunWritesPendingEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second-time.Millisecond)
		defer stop()
		client := eventstest.NewClientset()
		if err := run(ctx, adapter.New(ctx, client), defaultNamespace); err != nil {
			t.Fatal(err)
		}
		want := eventstest.Only{{Reason: "Greeted", Regarding: defaultNamespace, Note: "hello number 1", Count: 10}}
		if err := eventstest.Check(client, want); err != nil {
			t.Error(err)
		}
	})
}

// The program on the page has the functions of this file. The tests of the repository build the program.
func TestStartShowsTestedFunctions(t *testing.T) {
	page, source := read(t, "start.md"), read(t, "start_test.go")
	for _, name := range []string{"run", "greet"} {
		function := regexp.MustCompile(`(?ms)^func ` + name + `\(.*?^}$`).FindString(source)
		if function == "" || !strings.Contains(page, function) {
			t.Errorf("start.md has another %s than is tested:\n%s", name, function)
		}
	}
}

const operator = "../examples/operator/"

// The page shows the files of the example without their first comments. Its reconciler is also the one that is tested with
// each supported version of controller-runtime.
//
// Caught: another reason in a file of the example; a marker that the page lacks.
func TestStartShowsTheOperator(t *testing.T) {
	page := read(t, "start.md")
	for file, begin := range map[string]string{
		operator + "main.go":                             "package main\n",
		operator + "controller.go":                       "package main\n",
		operator + "controller_test.go":                  "package main\n",
		operator + "config/rbac.yaml":                    "apiVersion: ",
		operator + "config/page-reader.yaml":             "apiVersion: ",
		"../test/compat/controllerruntime/reconciler.go": "// +kubebuilder",
	} {
		_, content, found := strings.Cut(read(t, file), "\n"+begin)
		if !found || !strings.Contains(page, "\n"+begin+content) {
			t.Errorf("start.md does not show %s from %q on", file, begin)
		}
	}
}

// Caught: RBAC without patch.
func TestStartGrantsAllWrites(t *testing.T) {
	client := eventstest.NewClientset()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if err := run(ctx, adapter.New(ctx, client), defaultNamespace); err != nil {
			t.Error(err)
		}
	})
	eventstest.VerifyRBAC(t, os.DirFS(operator+"config"),
		eventstest.BoundTo("my-system", "my-controller"), eventstest.Needs(client.Written()...),
		eventstest.Needs(eventstest.Access{Group: "", Namespace: "default"}))
}
