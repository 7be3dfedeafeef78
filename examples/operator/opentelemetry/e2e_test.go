// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	collectorlogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	commonv1 "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/grpc"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events/eventstest"
)

// collector is an OTLP endpoint that adds up the deltas by reason.
type collector struct {
	collectorlogs.UnimplementedLogsServiceServer

	mu     sync.Mutex
	deltas map[string]int64
}

// Export takes a batch of records.
func (c *collector) Export(
	_ context.Context, logs *collectorlogs.ExportLogsServiceRequest,
) (*collectorlogs.ExportLogsServiceResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range logs.ResourceLogs {
		for _, scope := range resource.ScopeLogs {
			for _, record := range scope.LogRecords {
				values := map[string]*commonv1.AnyValue{}
				for _, a := range record.Attributes {
					values[a.Key] = a.Value
				}
				c.deltas[values["k8s.event.reason"].GetStringValue()] += values["eventseries.delta"].GetIntValue()
			}
		}
	}
	return &collectorlogs.ExportLogsServiceResponse{}, nil
}

// startCollector returns a collector that listens until the end of the test, and its address.
func startCollector(t *testing.T) (*collector, string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c, server := &collector{deltas: map[string]int64{}}, grpc.NewServer()
	collectorlogs.RegisterLogsServiceServer(server, c)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return c, listener.Addr().String()
}

// The operator on a real API server: what it recorded is the same on the server, in the metrics, on the page and in the
// pipeline, and what the environment does not select is in none but the counts.
func TestOperator(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a control plane; run make e2e")
	}
	plane := &envtest.Environment{}
	config, err := plane.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	}()
	client := kubernetes.NewForConfigOrDie(config)
	pipeline, otlp := startCollector(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+otlp)
	t.Setenv(adapter.EnvironmentSelector, "reason!=NameMissing")

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	address := freeAddress(t)
	pageAddress := freeAddress(t)
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, config, address, pageAddress) }()
	create(t, client, "one", map[string]string{"name": "world"})
	create(t, client, "two", map[string]string{})
	const occurrences = 5
	for i := range occurrences - 1 {
		await(t, "the Event of revision "+fmt.Sprint(i), func() (bool, error) { return recorded(t, address) == int64(i+1), nil })
		change(t, client, "one", fmt.Sprint(i))
	}
	await(t, "all", func() (bool, error) {
		return recorded(t, address) == occurrences && unselected(t, address) > 0, nil
	})
	page := get(t, http.StatusOK, "http://"+pageAddress+"/debug/events?format=json")
	get(t, http.StatusNotFound, "http://"+address+"/debug/events") // where everybody can read the metrics
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	http.DefaultClient.CloseIdleConnections()

	var shown struct {
		Selector string
		Stats    struct{ Recorded int64 }
	}
	if err := json.Unmarshal([]byte(page), &shown); err != nil {
		t.Fatalf("%v in %s", err, page)
	}
	if shown.Selector != "reason!=NameMissing" {
		t.Errorf("the page shows the selector %q", shown.Selector)
	}
	list, err := client.EventsV1().Events("").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string]int64{}
	own := slices.DeleteFunc(list.Items, func(e eventsv1.Event) bool { return e.ReportingController != "example.com/greeter" })
	for _, series := range eventstest.SeriesOf(own...) {
		stored[series.Reason] += int64(series.Count)
	}
	if diff := cmp.Diff(map[string]int64{"Greeted": occurrences}, stored); diff != "" {
		t.Errorf("on the server (-want +got):\n%s", diff)
	}
	pipeline.mu.Lock()
	defer pipeline.mu.Unlock()
	if diff := cmp.Diff(stored, pipeline.deltas); diff != "" {
		t.Errorf("in the pipeline (-on the server +got):\n%s", diff)
	}
}

func create(t *testing.T, client kubernetes.Interface, name string, data map[string]string) {
	t.Helper()
	greeting := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{greeted: "true"}}, Data: data,
	}
	if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), greeting, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// change makes the controller look at a ConfigMap again.
func change(t *testing.T, client kubernetes.Interface, name, revision string) {
	t.Helper()
	greeting, err := client.CoreV1().ConfigMaps("default").Get(t.Context(), name, metav1.GetOptions{})
	if err == nil {
		greeting.Data["revision"] = revision
		_, err = client.CoreV1().ConfigMaps("default").Update(t.Context(), greeting, metav1.UpdateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// recorded is how many greetings the metrics say were observed, unselected how many occurrences the selector left out.
func recorded(t *testing.T, address string) int64 {
	return metric(t, address, `eventseries_occurrences_total{[^}]*reason="Greeted"[^}]*}`)
}

func unselected(t *testing.T, address string) int64 {
	return metric(t, address, `eventseries_dropped_total{[^}]*cause="Unselected"[^}]*}`)
}

// metric returns the sum of a metric at the operator's endpoint, 0 while there is none.
func metric(t *testing.T, address, pattern string) (sum int64) {
	t.Helper()
	response, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		return 0 // not started yet
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range regexp.MustCompile(`(?m)^`+pattern+` (\S+)$`).FindAllStringSubmatch(string(text), -1) {
		value, err := strconv.ParseFloat(match[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += int64(value)
	}
	return sum
}

// get returns the body of an answer that must have a code.
func get(t *testing.T, code int, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != code {
		t.Fatalf("%s: %s, %v, want %d", url, response.Status, err, code)
	}
	return strings.TrimSpace(string(body))
}

// await waits for what happens in the API server and the operator, of which nothing tells the test.
func await(t *testing.T, what string, done wait.ConditionFunc) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, done.WithContext())
	if err != nil {
		t.Fatalf("waiting for %s: %v", what, err)
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
