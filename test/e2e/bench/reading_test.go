// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/eventseries/eventseries/eventview"
)

// BenchmarkReading reads 150,000 Events, served in pages, and compares what stays in memory and what it takes: by
// eventview.Watch with a tracker, and by an informer, as it is and without managedFields. A cluster of 14,000 nodes has
// made 145,259 Events in five minutes (kubernetes#141022).
func BenchmarkReading(b *testing.B) {
	pages := 300
	if testing.Short() {
		pages = 10
	}
	server := httptest.NewServer(servePages(b, pages))
	b.Cleanup(server.Close)
	var base [2]float64 // of the tracker
	for _, reader := range []struct {
		name string
		read func(b *testing.B, client kubernetes.Interface, n int, done func())
	}{
		{"tracker", watchEvents},
		{"informer", informEvents(nil)},
		{"informer-stripped", informEvents(func(object any) (any, error) {
			object.(*corev1.Event).ManagedFields = nil
			return object, nil
		})},
	} {
		b.Run(reader.name, func(b *testing.B) {
			for b.Loop() {
				client := kubernetes.NewForConfigOrDie(&rest.Config{Host: server.URL, QPS: -1})
				before, began := heapOf(), cpuTime()
				n := pages * pageSize
				reader.read(b, client, n, func() {
					used := cpuTime() - began
					got := [2]float64{float64(heapOf()-before) / float64(n), float64(used.Nanoseconds()) / float64(n)}
					if reader.name == "tracker" {
						base = got
					}
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(got[0], "B/Event")
					b.ReportMetric(got[1], "cpu-ns/Event")
					if base[0] > 0 {
						b.ReportMetric(got[0]/base[0], "x-memory")
						b.ReportMetric(got[1]/base[1], "x-cpu")
					}
				})
			}
		})
	}
}

// watchEvents calls done when it has read n Events.
func watchEvents(b *testing.B, client kubernetes.Interface, n int, done func()) {
	tracker := eventview.NewTracker(time.Now(), 0)
	for _, err := range eventview.Watch(b.Context(), client.CoreV1().Events(""), metav1.ListOptions{}, tracker) {
		if err != nil {
			b.Fatal(err)
		}
		if n--; n == 0 {
			done()
			return
		}
	}
}

// informEvents is the same with an informer, and what it does to an Event before it keeps it.
func informEvents(transform cache.TransformFunc) func(*testing.B, kubernetes.Interface, int, func()) {
	return func(b *testing.B, client kubernetes.Interface, n int, done func()) {
		ctx, cancel := context.WithCancel(b.Context())
		factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(transform))
		informer := factory.Core().V1().Events().Informer()
		factory.Start(ctx.Done())
		factory.WaitForCacheSync(ctx.Done())
		if got := len(informer.GetStore().ListKeys()); got != n {
			b.Errorf("the informer has %d Events, want %d", got, n)
		}
		done()
		cancel()
		factory.Shutdown()
		runtime.KeepAlive(informer)
	}
}

const pageSize = 500

// servePages lists Events in pages, whose text differs by a number that takes no time to fill in, and watches none.
func servePages(b *testing.B, pages int) http.Handler {
	const number = "@@@@@"
	list := corev1.EventList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "EventList"}}
	now := metav1.Now()
	for i := range pageSize {
		name := fmt.Sprintf("web-%s-%03d", number, i)
		list.Items = append(list.Items, corev1.Event{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "default", Name: name + ".18eb5610eca1e599", UID: "6dcae521-5398-4f77-a952-538b5a9092da",
				ResourceVersion: "1234567", CreationTimestamp: now,
				ManagedFields: []metav1.ManagedFieldsEntry{{
					Manager: "kubelet", Operation: "Update", APIVersion: "v1", Time: &now, FieldsType: "FieldsV1",
					FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},` +
						`"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}`)},
				}},
			},
			InvolvedObject: corev1.ObjectReference{
				APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: name, UID: "9d5a3c1e-5c0e-4a77-9a3b-2f0b6d1c7e42",
				ResourceVersion: "1234567", FieldPath: "spec.containers{web}",
			},
			Reason: "Pulled", Message: `Container image "registry.k8s.io/pause:3.10" already present on machine`,
			Source: corev1.EventSource{Component: "kubelet", Host: "node-1"}, ReportingController: "kubelet", ReportingInstance: "node-1",
			FirstTimestamp: now, LastTimestamp: now, Count: 1, Type: corev1.EventTypeNormal,
		})
	}
	list.ResourceVersion, list.Continue = "1234567", number
	page, err := json.Marshal(list)
	if err != nil {
		b.Fatal(err)
	}
	last := []byte(fmt.Sprintf(`"continue":"%05d"`, pages))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		w.Header().Set("Content-Type", "application/json")
		switch {
		case query.Get("sendInitialEvents") == "true":
			http.Error(w, "lists only", http.StatusBadRequest) // an informer lists then, as the SDK does
		case query.Get("watch") != "":
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		default:
			n, _ := strconv.Atoi(query.Get("continue")) // 0 without one
			// Of the names this page's number, of the token the next one's.
			text := bytes.Replace(page, []byte(`"continue":"`+number), []byte(fmt.Sprintf(`"continue":"%05d`, n+1)), 1)
			text = bytes.Replace(text, last, []byte(`"continue":""`), 1)
			_, _ = w.Write(bytes.ReplaceAll(text, []byte(number), []byte(fmt.Sprintf("%05d", n))))
		}
	})
}

// heapOf is what is in use.
func heapOf() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
