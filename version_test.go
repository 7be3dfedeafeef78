// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventseries

import (
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Caught: the version of the module that a replacement stands for; an empty
// version of a working tree.
func TestVersionIn(t *testing.T) {
	const other = "example.com/component"
	tests := []struct {
		name string
		info debug.BuildInfo
		want string
	}{{
		name: "dependency",
		info: debug.BuildInfo{Main: debug.Module{Path: other}, Deps: []*debug.Module{
			{Path: modulePath + "/tools/eventsmigrate", Version: "v9.9.9"}, {Path: modulePath, Version: "v0.1.0"},
		}},
		want: "v0.1.0",
	}, {
		name: "replaced by a fork",
		info: debug.BuildInfo{Deps: []*debug.Module{{
			Path: modulePath, Version: "v0.1.0", Replace: &debug.Module{Path: other, Version: "v0.1.1-fork"},
		}}},
		want: "v0.1.1-fork",
	}, {
		name: "replaced by a directory",
		info: debug.BuildInfo{Deps: []*debug.Module{{
			Path: modulePath, Version: "v0.1.0", Replace: &debug.Module{Path: "../eventseries"},
		}}},
		want: "devel",
	}, {
		name: "its own program",
		info: debug.BuildInfo{Main: debug.Module{Path: modulePath, Version: "(devel)"}},
		want: "devel",
	}, {
		name: "not in the program",
		info: debug.BuildInfo{Main: debug.Module{Path: other}},
		want: "unknown",
	}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := versionIn(&tt.info); got != tt.want {
				t.Errorf("versionIn() = %q, want %q", got, tt.want)
			}
		})
	}
}

// Caught: rest.AddUserAgent, which forgets the component's own User-Agent; a
// second suffix; a change of the caller's configuration.
func TestWithUserAgent(t *testing.T) {
	suffix := " eventseries/" + Version()
	for before, want := range map[string]string{
		"":                             rest.DefaultKubernetesUserAgent() + suffix,
		"my-controller/v1":             "my-controller/v1" + suffix,
		"my-controller eventseries/v0": "my-controller eventseries/v0" + suffix,
	} {
		config := &rest.Config{UserAgent: before}
		got := WithUserAgent(WithUserAgent(config)).UserAgent
		if got != want {
			t.Errorf("User-Agent %q became %q, want %q", before, got, want)
		}
		if config.UserAgent != before {
			t.Errorf("the caller's configuration has %q now, had %q", config.UserAgent, before)
		}
	}
}

// The server hears of it.
func TestWithUserAgentOnTheWire(t *testing.T) {
	heard := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heard <- r.UserAgent()
		http.Error(w, "no", http.StatusTeapot)
	}))
	t.Cleanup(server.Close)
	client, err := kubernetes.NewForConfig(WithUserAgent(&rest.Config{Host: server.URL, UserAgent: "component/v1"}))
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.CoreV1().Events("default").Get(t.Context(), "e", metav1.GetOptions{})
	if err == nil {
		t.Error("the server refuses, the client does not say so")
	}
	if got, want := <-heard, "component/v1 eventseries/"+Version(); got != want {
		t.Errorf("User-Agent %q, want %q", got, want)
	}
}
