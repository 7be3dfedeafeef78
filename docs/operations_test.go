// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2/textlogger"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// buffer is a log that several goroutines write to.
type buffer struct {
	mu    sync.Mutex
	bytes bytes.Buffer
}

// Write implements io.Writer.
func (b *buffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bytes.Write(line)
}

// forbidden returns the log of an adapter, as klog writes it, whose Events RBAC refuses in the namespace
// shop, and the manifest that grants them.
func forbidden(t *testing.T) (log, remedy string) {
	t.Helper()
	var lines buffer
	synctest.Test(t, func(t *testing.T) {
		client := eventstest.NewClientset()
		client.Authorize(func(r eventstest.Request) bool { return r.Namespace != "shop" })
		logger := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&lines)))
		a := adapter.New(t.Context(), client, events.WithLogger(logger))
		if err := a.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		object := &corev1.ObjectReference{
			APIVersion: "v1",
			Kind:       "Pod",
			Namespace:  "shop",
			Name:       "web",
			UID:        "1",
		}
		a.Recorder("example.com/my-controller").Eventf(object, nil, "Normal", "Scaled", "Scale", "up")
		time.Sleep(12 * time.Minute)
		remedy = a.Snapshot(0).Namespaces["shop"].Remedy()
		a.Shutdown()
	})
	return lines.bytes.String(), remedy
}

// The command of operations.md prints the manifest of each log line that has one, and nothing else.
//
// Caught: a manifest with the rest of its line; one that only a log in text has.
func TestOperationsPrintsTheRemedy(t *testing.T) {
	sed, err := exec.LookPath("sed")
	if err != nil {
		t.Skip("no sed:", err)
	}
	_, command, found := strings.Cut(read(t, "operations.md"), "\n  sed -n '")
	command, _, _ = strings.Cut(command, "'")
	if !found {
		t.Fatal("operations.md has no sed command")
	}
	inText, remedy := forbidden(t)
	const or = "add apiGroups, resources and verbs of that rule to the ClusterRole"
	var inJSON bytes.Buffer
	slog.New(slog.NewJSONHandler(&inJSON, nil)).Error("RBAC forbids Events in this namespace", "err", "forbidden",
		"advice", "rbac-namespace", "namespace", "shop", "remedy", json.RawMessage(remedy), "or", or)
	for format, log := range map[string]string{
		"text":    inText,
		"JSON":    inJSON.String(),
		"console": `ERROR	RBAC forbids Events	{"namespace": "shop", "remedy": ` + remedy + `, "or": "` + or + `"}` + "\n",
	} {
		print := exec.CommandContext(t.Context(), sed, "-n", command)
		print.Stdin = strings.NewReader("I1128 another line\n" + log)
		out, err := print.CombinedOutput()
		lines := slices.Compact(strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"))
		if err != nil || len(lines) != 1 || lines[0] != remedy || remedy == "" {
			t.Errorf("%s: the command prints %q, %v, want %q; the log is\n%s", format, out, err, remedy, log)
		}
	}
}
