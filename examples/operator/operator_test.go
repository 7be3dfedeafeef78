// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/eventseries/eventseries/events/eventstest"
)

// startControlPlane returns the configuration of an administrator. The control plane stops at the end of the test.
func startControlPlane(t *testing.T) *rest.Config {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a control plane; run make e2e")
	}
	plane := &envtest.Environment{}
	config, err := plane.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	})
	return config
}

// The operator runs on a real API server with no more rights than config/rbac.yaml grants. Its metrics and its debug page
// show the failures, and after the shutdown the server has all of them.
//
// Caught: RBAC without patch; a debug page that is served with the metrics; a recorder of an adapter that the manager
// does not shut down.
func TestOperator(t *testing.T) {
	config := startControlPlane(t)
	admin := kubernetes.NewForConfigOrDie(config)
	apply(t, config, "config/rbac.yaml")
	restricted := rest.CopyConfig(config)
	restricted.Impersonate.UserName = "system:serviceaccount:my-system:my-controller"

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	metricsAddress, debugAddress := freeAddress(t), freeAddress(t)
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, restricted, metricsAddress, debugAddress) }()
	route := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"},
		Data:       map[string]string{"service": "shop"},
	}
	if _, err := admin.CoreV1().ConfigMaps("default").Create(t.Context(), route, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	const failures = 5
	await(t, "five failures", func() (bool, error) { return occurrences(t, metricsAddress, "NoService") >= failures, nil })
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "shop"},
		Spec:       corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}},
	}
	if _, err := admin.CoreV1().Services("default").Create(t.Context(), service, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	await(t, "a success", func() (bool, error) { return occurrences(t, metricsAddress, "Routed") == 1, nil })
	observed := occurrences(t, metricsAddress, "NoService")
	get(t, http.DefaultClient, http.StatusOK, "http://"+debugAddress+"/debug/events", "")
	get(t, http.DefaultClient, http.StatusNotFound, "http://"+metricsAddress+"/debug/events", "")
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	http.DefaultClient.CloseIdleConnections()

	list, err := admin.EventsV1().Events("default").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	byOthers := func(e eventsv1.Event) bool { return e.ReportingController != "my-controller" }
	own := slices.DeleteFunc(list.Items, byOthers)
	want := eventstest.Only{
		{Type: "Warning", Reason: "NoService", Regarding: route, Count: int(observed)},
		{Type: "Normal", Reason: "Routed", Regarding: route, Related: service, Count: 1},
	}
	if err := eventstest.Check(own, want); err != nil {
		t.Error(err)
	}
}

// apply creates the objects of a manifest.
func apply(t *testing.T, config *rest.Config, file string) {
	t.Helper()
	manifest, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	admin, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range strings.Split(string(manifest), "\n---\n") {
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode([]byte(document), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := admin.Create(t.Context(), object.(client.Object)); err != nil {
			t.Fatal(err)
		}
	}
}

// occurrences returns the number of calls of Eventf with a reason, according to the metrics. It is 0 before they are served.
func occurrences(t *testing.T, address, reason string) (sum int64) {
	t.Helper()
	response, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	metric := regexp.MustCompile(`(?m)^eventseries_occurrences_total{[^}]*reason="` + reason + `"[^}]*} (\S+)$`)
	for _, match := range metric.FindAllStringSubmatch(string(text), -1) {
		value, err := strconv.ParseFloat(match[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += int64(value)
	}
	return sum
}

// get sends a request, with a token unless it is empty, and checks the status of the answer.
func get(t *testing.T, client *http.Client, status int, url, token string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != status {
		t.Errorf("GET %s: %s, want %d", url, response.Status, status)
	}
}

// await waits for an effect of which nothing notifies the test, because it is in another process.
func await(t *testing.T, effect string, done wait.ConditionFunc) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, done.WithContext())
	if err != nil {
		t.Fatalf("waiting for %s: %v", effect, err)
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
