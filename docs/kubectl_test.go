// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/internal/eventconv"
)

// lookedAt is the time between the last occurrence and the run of kubectl.
const lookedAt = 12*time.Minute + 30*time.Second

// kubectl is what `kubectl events` prints when it gets these Events, which a bubble has stored, by a kubectl that is
// installed.
func kubectl(t *testing.T, stored []eventsv1.Event) string {
	t.Helper()
	program := "../bin/controlplane/kubectl"
	if _, err := exec.LookPath(program); err != nil {
		if program, err = exec.LookPath("kubectl"); err != nil {
			t.Skip("kubectl is not installed; `make controlplane` builds one")
		}
	}
	list := asOfNow(stored)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(list)
	}))
	defer server.Close()

	empty := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program,
		"--kubeconfig", empty, "--server", server.URL, "events", "-n", "default")
	var output, trouble bytes.Buffer
	command.Stdout, command.Stderr = &output, &trouble
	if err := command.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, trouble.String())
	}
	var b strings.Builder
	for line := range strings.Lines(output.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}

// asOfNow moves all times, so that the last occurrence is lookedAt before now.
func asOfNow(stored []eventsv1.Event) corev1.EventList {
	var last time.Time
	for i := range stored {
		if at := eventview.Of(&stored[i]).Last; at.After(last) {
			last = at
		}
	}
	later := time.Since(last) - lookedAt
	list := corev1.EventList{TypeMeta: metav1.TypeMeta{Kind: "EventList", APIVersion: "v1"}}
	for i := range stored {
		e := eventconv.ToCore(&stored[i])
		e.EventTime.Time = e.EventTime.Add(later)
		e.CreationTimestamp.Time = e.CreationTimestamp.Add(later)
		if e.Series != nil {
			e.Series.LastObservedTime.Time = e.Series.LastObservedTime.Add(later)
		}
		list.Items = append(list.Items, *e)
	}
	return list
}

// prints checks that a page shows the output of kubectl, and that a golden file has it.
func prints(t *testing.T, page, golden string, stored []eventsv1.Event) {
	t.Helper()
	output := kubectl(t, stored)
	holds(t, golden, output)
	shows(t, page, "kubectl", "```text\n"+output+"```\n")
}
