// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/readme"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// "Before and after" of the README has the lines that kubectl describe prints. The hour is simulated, and what it has left
// is stored here, with times that end now.
//
// Caught: an age, a column or a space that kubectl prints in another way.
func TestReadmeShowsWhatKubectlDescribes(t *testing.T) {
	env := harness.New(t, shared)
	newClient := func() kubernetes.Interface { return eventstest.NewClientset() }
	var got []string
	for _, record := range []readme.Record{readme.RecordWithToolsRecord, readme.RecordWithSDK} {
		pod := env.NewPod(env.NewNamespace(), "web")
		stored, now := readme.Hour(t, newClient, record, pod)
		ago := time.Since(now)
		for i := range stored {
			store(t, env, &stored[i], ago)
		}
		shown := env.Kubectl("describe", "pod", "--namespace", pod.Namespace, pod.Name)
		_, shown, _ = strings.Cut(shown, "\nEvents:\n")
		got = append(got, "Events:\n"+shown)
	}
	if diff := cmp.Diff(readme.Described(page(t)), got); diff != "" {
		t.Errorf("README.md shows what kubectl does not print (-README +kubectl):\n%s", diff)
	}
}

// store stores an Event of the past, later by ago.
func store(t *testing.T, env *harness.Env, event *corev1.Event, ago time.Duration) {
	t.Helper()
	for _, at := range []*metav1.Time{&event.FirstTimestamp, &event.LastTimestamp} {
		if !at.IsZero() {
			*at = metav1.NewTime(at.Add(ago))
		}
	}
	if !event.EventTime.IsZero() {
		event.EventTime = metav1.NewMicroTime(event.EventTime.Add(ago))
	}
	if event.Series != nil {
		event.Series.LastObservedTime = metav1.NewMicroTime(event.Series.LastObservedTime.Add(ago))
	}
	event.UID = ""
	event.ResourceVersion = ""
	if _, err := env.Admin.CoreV1().Events(event.Namespace).Create(t.Context(), event, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// The program of the README makes the line that the README shows.
//
// Caught: another note; an object that kubectl events does not find; a program that writes a count of one.
func TestReadmeProgram(t *testing.T) {
	env := harness.New(t, shared)
	defer env.Kubectl("delete", "events", "--namespace=default", "--field-selector=reason=Greeted")
	_, source, _ := strings.Cut(page(t), "```go\npackage main\n")
	source, _, _ = strings.Cut(source, "```\n")
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte("package main\n"+source), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), build(t, file))
	run.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig(t))
	if out, err := run.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("the program: %v\n%s", err, out)
	}
	_, want, _ := strings.Cut(page(t), "```console\nLAST SEEN ")
	want, _, _ = strings.Cut("LAST SEEN "+want, "```\n")
	got := env.Kubectl("events", "--namespace=default", "--for=service/kubernetes")
	if diff := cmp.Diff(ageless(want), ageless(got)); diff != "" {
		t.Errorf("README.md shows what kubectl does not print (-README +kubectl):\n%s", diff)
	}
}

// ageless returns what kubectl prints with each age of seconds replaced, and with one space between columns.
func ageless(text string) []string {
	var lines []string
	for line := range strings.Lines(regexp.MustCompile(`\b\d+s\b`).ReplaceAllString(text, "5s")) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

// page returns the README.
func page(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
