// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/eventview"
)

// state is stored in one file, so that the totals always belong to the checkpoint.
type state struct {
	Totals     map[string]int64 `json:"totals"` // occurrences of each reason
	Checkpoint []byte           `json:"checkpoint"`
}

// count adds up the Warnings of the cluster until ctx ends, and prints each new total.
func count(ctx context.Context, client kubernetes.Interface, file string, out io.Writer) error {
	tracker := eventview.NewTracker(time.Now(), 0)
	totals, err := restore(file, tracker)
	if err != nil {
		return err
	}
	saved := time.Now()
	options := metav1.ListOptions{FieldSelector: "type=Warning"}
	for change, err := range eventview.Watch(ctx, client.EventsV1().Events(""), options, tracker) {
		if err != nil {
			log.Print(err) // Watch tries again after a pause
			continue
		}
		if change.Delta.New > 0 {
			totals[change.Reason] += change.Delta.New
			fmt.Fprintf(out, "%s: %d new, %d in all\n", change.Reason, change.Delta.New, totals[change.Reason])
		}
		if time.Since(saved) > 10*time.Second {
			if err := save(file, totals, tracker); err != nil {
				return err
			}
			saved = time.Now()
		}
	}
	return save(file, totals, tracker)
}

// restore returns the stored totals, and sets the tracker to the checkpoint that belongs to them.
func restore(file string, tracker *eventview.Tracker) (map[string]int64, error) {
	content, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]int64{}, nil
	}
	if err != nil {
		return nil, err
	}
	var s state
	if err := json.Unmarshal(content, &s); err != nil {
		return nil, err
	}
	return s.Totals, tracker.UnmarshalBinary(s.Checkpoint)
}

// save replaces the file. A process that is killed meanwhile leaves the old file.
func save(file string, totals map[string]int64, tracker *eventview.Tracker) error {
	checkpoint, err := tracker.MarshalBinary()
	if err != nil {
		return err
	}
	content, err := json.Marshal(state{Totals: totals, Checkpoint: checkpoint})
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", content, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// summarise returns what the Events of the cluster say, in at most 280 bytes.
func summarise(ctx context.Context, client kubernetes.Interface) (string, error) {
	list, err := client.EventsV1().Events("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return "", err
	}
	var views []eventview.Event
	for i := range list.Items {
		views = append(views, eventview.FromEventsV1(&list.Items[i]))
	}
	return eventview.Digest(views, 280, time.Now()), nil
}

// The function of reading.md that summarises Events has a line for the crashes.
//
// Caught: views of the old fields only.
func TestSummaryOfEvents(t *testing.T) {
	client := eventstest.NewClientset()
	a := adapter.New(t.Context(), client, events.WithLogger(klog.Logger{}))
	for range 3 {
		a.Recorder("example.com/crashes").Eventf(pod, nil, corev1.EventTypeWarning, "BackOff", "Restart", "it crashed")
	}
	if err := a.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := summarise(t.Context(), client)
	if err != nil || !strings.HasPrefix(got, "Warning BackOff x3 ") || !strings.HasSuffix(got, ": it crashed\n") {
		t.Errorf("the summary is %q, %v", got, err)
	}
}

// The program of reading.md is stopped and started again. It counts every occurrence once, also the occurrences of the
// time in which it did not run.
//
// Caught: a checkpoint that is not restored.
func TestReadingShowsItsOutput(t *testing.T) {
	var out strings.Builder
	synctest.Test(t, func(t *testing.T) {
		client := eventstest.NewClientset()
		a := adapter.New(t.Context(), client, events.WithLogger(klog.Logger{}))
		file := filepath.Join(t.TempDir(), "warnings.json")
		crash := func(n int) {
			for range n {
				a.Recorder("example.com/crashes").Eventf(pod, nil, corev1.EventTypeWarning, "BackOff", "Restart",
					"the container crashed")
			}
			if err := a.Flush(t.Context()); err != nil {
				t.Error(err)
			}
		}
		crash(5)
		time.Sleep(2 * time.Minute) // they are from before the reader
		for _, whileStopped := range []int{2, 0} {
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() { ended <- count(ctx, client, file, &out) }()
			synctest.Wait()
			crash(3)
			time.Sleep(time.Minute)
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			crash(whileStopped)
		}
	})
	holdShown(t, "reading.txt", out.String())
}

// The program on the page has the functions of this file. The tests of the repository build the whole program.
func TestReadingShowsWhatIsTested(t *testing.T) {
	page, source := read(t, "reading.md"), read(t, "reading_test.go")
	for _, name := range []string{"count", "restore", "save", "summarise"} {
		function := regexp.MustCompile(`(?ms)^func ` + name + `\(.*?^}$`).FindString(source)
		if function == "" || !strings.Contains(page, function) {
			t.Errorf("reading.md has another %s than is tested:\n%s", name, function)
		}
	}
}
