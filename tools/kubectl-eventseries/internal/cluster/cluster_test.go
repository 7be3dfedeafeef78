// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/eventview"
)

func TestObjectIs(t *testing.T) {
	web := Object{GroupKind: schema.GroupKind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
	for name, test := range map[string]struct {
		object Object
		ref    corev1.ObjectReference
		want   bool
	}{
		"itself":            {web, corev1.ObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}, true},
		"without a group":   {web, corev1.ObjectReference{Kind: "Deployment", Namespace: "shop", Name: "web"}, true},
		"another group":     {web, corev1.ObjectReference{APIVersion: "example.com/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}, false},
		"another namespace": {web, corev1.ObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "x", Name: "web"}, false},
		"invalid":           {web, corev1.ObjectReference{APIVersion: "a/b/c", Kind: "Deployment", Namespace: "shop", Name: "web"}, false},
		"another name":      {web, corev1.ObjectReference{Kind: "Deployment", Namespace: "shop", Name: "y"}, false},
		"a cluster-scoped object in a namespace": {
			Object{GroupKind: schema.GroupKind{Kind: "Node"}, Name: "n"},
			corev1.ObjectReference{Kind: "Node", Name: "n", Namespace: "kube-system"},
			true,
		},
	} {
		if got := test.object.Is(&test.ref); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// sorted orders the terms of a selector, which are those of a map.
func sorted(selector string) string {
	terms := strings.Split(selector, ",")
	slices.Sort(terms)
	return strings.Join(terms, ",")
}

func TestQuery(t *testing.T) {
	now := time.Now()
	event := eventview.Event{Type: "Warning", Reason: "BackOff", Last: now}
	for name, test := range map[string]struct {
		query  Query
		want   bool
		fields string
	}{
		"all":             {Query{}, true, ""},
		"newer":           {Query{Since: now.Add(time.Second)}, false, ""},
		"type":            {Query{Types: []string{"Warning"}}, true, "type=Warning"},
		"types":           {Query{Types: []string{"Normal", "Other"}}, false, ""},
		"reason":          {Query{Reasons: []string{"Pulled"}}, false, "reason=Pulled"},
		"a node":          {Query{Object: &Object{GroupKind: schema.GroupKind{Kind: "Node"}, Name: "n"}}, true, "involvedObject.kind=Node,involvedObject.name=n"},
		"about":           {Query{About: func(*eventview.Event) bool { return false }}, false, ""},
		"a scoped object": {Query{Object: &Object{GroupKind: schema.GroupKind{Kind: "Pod"}, Name: "a", Namespace: "b"}}, true, "involvedObject.kind=Pod,involvedObject.name=a,involvedObject.namespace=b"},
	} {
		if got, fields := test.query.Matches(&event), sorted(test.query.options().FieldSelector); got != test.want || fields != test.fields {
			t.Errorf("%s: %v, %q, want %v, %q", name, got, fields, test.want, test.fields)
		}
	}
}

// Caught: one list of all Events; a page that was not counted.
func TestListReadsPages(t *testing.T) {
	const all = 1200
	var limits []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		limits = append(limits, query.Get("limit"))
		first, _ := strconv.Atoi(query.Get("continue"))
		list := corev1.EventList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "EventList"}}
		for n := first; n < min(first+500, all); n++ {
			list.Items = append(list.Items, corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint(n)}, Count: 2})
		}
		if first+500 < all {
			list.Continue = strconv.Itoa(first + 500)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(list)
	}))
	defer server.Close()
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	client, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: server.URL}, server.Client())
	if err != nil {
		t.Fatal(err)
	}
	events, err := (&Client{Interface: client, Stderr: io.Discard}).List(t.Context(), &Query{Namespace: "shop"})
	if err != nil || len(events) != all || events[all-1].Name != "1199" || events[0].Count != 2 || events[0].Bytes < 50 {
		t.Errorf("%d Events, %v, want %d", len(events), err, all)
	}
	if want := []string{"500", "500", "500"}; !slices.Equal(limits, want) {
		t.Errorf("limits %v, want %v", limits, want)
	}
}
