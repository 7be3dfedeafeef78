// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// event is what must not change when a module migrates.
type event struct{ Kind, Namespace, Name, Type, Reason, Note, Annotations string }

// stored is an Event of either API.
type stored struct {
	Metadata struct {
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	InvolvedObject, Regarding *object
	Type, Reason              string
	Message, Note             string
}

type object struct{ Kind, Namespace, Name string }

// server is as much of an API server as recording needs.
type server struct {
	*httptest.Server
	want   int
	enough chan struct{}

	mu     sync.Mutex
	events []event
}

// newServer returns a server that closes enough when it has that many Events.
func newServer(t *testing.T, want int) *server {
	s := &server{want: want, enough: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/events"):
		s.create(w, r)
	case r.Method == http.MethodPatch:
		_, _ = io.Copy(w, r.Body)
	case r.URL.Path == "/apis/events.k8s.io/v1":
		_, _ = io.WriteString(w, `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"events.k8s.io/v1",`+
			`"resources":[{"name":"events","namespaced":true,"kind":"Event","verbs":["create","patch"]}]}`)
	default:
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`)
	}
}

func (s *server) create(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var e stored
	if err := json.Unmarshal(body, &e); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	about := cmp.Or(e.Regarding, e.InvolvedObject)
	annotations, _ := json.Marshal(e.Metadata.Annotations)
	s.mu.Lock()
	s.events = append(s.events, event{
		about.Kind, about.Namespace, about.Name, e.Type, e.Reason, cmp.Or(e.Note, e.Message), string(annotations),
	})
	if len(s.events) == s.want {
		close(s.enough)
	}
	s.mu.Unlock()
	w.WriteHeader(http.StatusCreated)
	_, _ = w.Write(body)
}

// play runs a scenario until its Events are there and it has ended, and returns them.
func play(t *testing.T, program string, want int) []event {
	t.Helper()
	s := newServer(t, want)
	cmd := exec.CommandContext(t.Context(), program, "-server", s.URL)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-s.enough:
	case <-time.After(time.Minute): // it has not recorded as many; what it has is compared
	}
	_ = stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the scenario ended with %v\n%s", err, output.String())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// What is recorded at the very end, client-go may lose.
	s.events = slices.DeleteFunc(s.events, func(e event) bool { return strings.HasSuffix(e.Note, "stopped leading") })
	slices.SortFunc(s.events, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Note, b.Note))
	})
	return s.events
}
