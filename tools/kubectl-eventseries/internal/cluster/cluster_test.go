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
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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

// clientOf returns a client of a server.
func clientOf(t *testing.T, server http.HandlerFunc) *Client {
	s := httptest.NewServer(server)
	t.Cleanup(s.Close)
	t.Cleanup(s.Client().CloseIdleConnections)
	client, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: s.URL}, s.Client())
	if err != nil {
		t.Fatal(err)
	}
	return &Client{Interface: client, Stderr: io.Discard}
}

// Caught: one list of all Events; a page that was not counted.
func TestListReadsPages(t *testing.T) {
	const all = 1200
	var limits []string
	client := clientOf(t, func(w http.ResponseWriter, r *http.Request) {
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
	})
	events, err := client.List(t.Context(), &Query{Namespace: "shop"})
	if err != nil || len(events) != all || events[all-1].Name != "1199" || events[0].Count != 2 || events[0].Bytes < 50 {
		t.Errorf("%d Events, %v, want %d", len(events), err, all)
	}
	if want := []string{"500", "500", "500"}; !slices.Equal(limits, want) {
		t.Errorf("limits %v, want %v", limits, want)
	}
}

// A server that has forgotten the version of the first page says with which token the list goes on. Caught: an error in
// the middle of a long list.
func TestListGoesOnAtAnExpiredPage(t *testing.T) {
	for name, test := range map[string]struct {
		token string // in the answer
		want  []string
		fails bool
	}{
		"with a token": {token: "rest", want: []string{"a", "b", "c"}},
		"without":      {fails: true},
		"again":        {token: "second", fails: true}, // it does not go on for ever
	} {
		t.Run(name, func(t *testing.T) {
			client := clientOf(t, func(w http.ResponseWriter, r *http.Request) {
				page := map[string]corev1.EventList{
					"":     {ListMeta: metav1.ListMeta{ResourceVersion: "5", Continue: "second"}, Items: named("a", "b")},
					"rest": {ListMeta: metav1.ListMeta{ResourceVersion: "9"}, Items: named("c")},
				}
				w.Header().Set("Content-Type", "application/json")
				list, ok := page[r.URL.Query().Get("continue")]
				if ok {
					list.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "EventList"}
					_ = json.NewEncoder(w).Encode(list)
					return
				}
				w.WriteHeader(http.StatusGone)
				_ = json.NewEncoder(w).Encode(expired(test.token))
			})
			events, err := client.List(t.Context(), &Query{Namespace: "shop"})
			if (err != nil) != test.fails || test.fails && !apierrors.IsResourceExpired(err) {
				t.Errorf("error %v, want one: %v", err, test.fails)
			}
			var got []string
			for _, e := range events {
				got = append(got, e.Name)
			}
			if !test.fails && !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// named are Events of these names.
func named(names ...string) (events []corev1.Event) {
	for _, name := range names {
		events = append(events, corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}})
	}
	return events
}

// expired is the answer of a server that has forgotten a version.
func expired(token string) *metav1.Status {
	status := apierrors.NewResourceExpired("the provided version is too old").Status()
	status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	status.Continue = token
	return &status
}

// A watch for what has gone that the server ends with an error has not seen everything. Caught: it was taken for the end
// of a second in which nothing went, so a doctor found no fault.
func TestGoneOfAWatchThatFails(t *testing.T) {
	known := []Event{{Written: time.Now().Add(-time.Minute)}}
	known[0].ResourceVersion = "5"
	gone := named("a")[0]
	gone.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Event"}
	for name, test := range map[string]struct {
		lines []watched
		want  []string
		fails bool
	}{
		"it ends":  {lines: []watched{{"DELETED", gone}}, want: []string{"a"}},
		"it fails": {lines: []watched{{"DELETED", gone}, {"ERROR", expired("")}}, want: []string{"a"}, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			client := clientOf(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				for _, line := range test.lines {
					_ = json.NewEncoder(w).Encode(line)
				}
			})
			events, err := client.Gone(t.Context(), "shop", known)
			if (err != nil) != test.fails || test.fails && !apierrors.IsResourceExpired(err) {
				t.Errorf("error %v, want one: %v", err, test.fails)
			}
			var got []string
			for _, e := range events {
				got = append(got, e.Name)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// watched is a line of a watch.
type watched struct {
	Type   string `json:"type"`
	Object any    `json:"object"`
}
