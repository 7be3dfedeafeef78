// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/eventseries/eventseries/events/eventstest"
)

// The program in the README, as it stands there, builds, writes its Event to a server with an API server's rules, and
// ends with 0. test/e2e runs it against a kube-apiserver.
//
// Caught: a program without Shutdown, which ends before it has written; one that does not read $KUBECONFIG; an empty note.
func TestReadmeProgramRecords(t *testing.T) {
	atRoot(t)
	t.Parallel()
	program := build(t, readmeProgram(t))
	client := eventstest.NewClientset()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serve(w, r, client) }))
	defer server.Close()

	home, empty := homeWith(t, server.URL), t.TempDir()
	for _, env := range [][]string{
		{"HOME=" + home, "USERPROFILE=" + home, "KUBECONFIG="},
		{"HOME=" + empty, "USERPROFILE=" + empty, "KUBECONFIG=" + filepath.Join(home, ".kube", "config")},
	} {
		run := exec.CommandContext(t.Context(), program)
		run.Env = append(append(os.Environ(), "HTTP_PROXY=", "http_proxy="), env...)
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("the README's program with %v: %v\n%s", env, err, out)
		}
	}
	want := []eventstest.Series{{
		Type: "Normal", Reason: "Greeted", Action: "Greet", Note: "hello for the 1st time",
		Regarding: eventstest.Object{Kind: "Pod", Namespace: "default", Name: "web"},
		Count:     1,
	}}
	want = append(want, want[0]) // one of each run
	if diff := cmp.Diff(want, eventstest.SeriesOf(client.Events()...)); diff != "" {
		t.Errorf("Events (-want +got):\n%s", diff)
	}
}

func readmeProgram(t *testing.T) string {
	t.Helper()
	for _, b := range parsePage("README.md", text(t, "README.md")).blocks {
		if b.language == "go" && strings.HasPrefix(b.text, "package main\n") {
			return b.text
		}
	}
	t.Fatal("README.md has no program")
	return ""
}

// build returns the program that source is, as one of the SDK's own module.
func build(t *testing.T, source string) string {
	t.Helper()
	file, program := filepath.Join(t.TempDir(), "main.go"), filepath.Join(t.TempDir(), "program.exe")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("the program does not build: %v\n%s", err, out)
	}
	return program
}

// homeWith returns a home directory with a kubeconfig for a server.
func homeWith(t *testing.T, address string) string {
	t.Helper()
	home := t.TempDir()
	config := clientcmdapi.NewConfig()
	config.Clusters["local"] = &clientcmdapi.Cluster{Server: address}
	config.Contexts["local"] = &clientcmdapi.Context{Cluster: "local"}
	config.CurrentContext = "local"
	if err := clientcmd.WriteToFile(*config, filepath.Join(home, ".kube", "config")); err != nil {
		t.Fatal(err)
	}
	return home
}

// serve answers the requests of a program that records Events for the first time: which versions there are, and the
// creation of an Event. It reads what clients send, protobuf or JSON, and answers JSON.
func serve(w http.ResponseWriter, r *http.Request, client *eventstest.Clientset) {
	answer, err := answerTo(r, client)
	code := http.StatusOK
	if r.Method == http.MethodPost {
		code = http.StatusCreated
	}
	if err != nil {
		status := apierrors.NewInternalError(err).Status()
		if known := apierrors.APIStatus(nil); errors.As(err, &known) {
			status = known.Status()
		}
		answer, code = status, int(status.Code)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer)
}

func answerTo(r *http.Request, client *eventstest.Clientset) (any, error) {
	const group = "/apis/events.k8s.io/v1"
	switch {
	case r.Method == http.MethodGet && r.URL.Path == group:
		return client.Discovery().ServerResourcesForGroupVersion("events.k8s.io/v1")
	case r.Method != http.MethodPost || r.URL.Path != group+"/namespaces/default/events":
		return nil, fmt.Errorf("nobody expected %s %s", r.Method, r.URL)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	event := &eventsv1.Event{}
	if _, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, event); err != nil {
		return nil, err
	}
	event, err = client.EventsV1().Events("default").Create(r.Context(), event, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	event.APIVersion, event.Kind = "events.k8s.io/v1", "Event"
	return event, nil
}
