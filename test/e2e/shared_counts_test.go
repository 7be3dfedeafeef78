// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// A component that is killed in a loop has one Event with the sum. It may create and patch Events,
// and no more.
func TestSharedCounts(t *testing.T) {
	source, err := filepath.Abs("internal/crashloop/main.go")
	if err != nil {
		t.Fatal(err)
	}
	loop := crashLoop{program: build(t, source), written: 5}
	const kills = 20
	t.Run("With", func(t *testing.T) {
		env := harness.New(t, shared)
		env.Allow(env.Namespace, harness.EventsV1)
		config := env.UserKubeconfig()
		for i := range kills {
			loop.run(t, env.Namespace, config, fmt.Sprint("run-", i))
		}
		loop.check(t, env.Events(env.Namespace), kills, 1)
	})
	for atATime, most := range map[int]int{2: 2, 40: 3} {
		t.Run(fmt.Sprint(atATime, " replicas"), func(t *testing.T) {
			env := harness.New(t, shared)
			env.Allow(env.Namespace, harness.EventsV1)
			config := env.UserKubeconfig()
			runs, began := 0, time.Now()
			for runs < kills || time.Since(began) < *killFor {
				var replicas sync.WaitGroup
				for range atATime {
					instance := fmt.Sprint("run-", runs)
					replicas.Go(func() { loop.run(t, env.Namespace, config, instance) })
					runs++
				}
				replicas.Wait()
			}
			if *killFor > 0 {
				most = runs // no name is left after 8 Events of 32 processes
			}
			loop.check(t, env.Events(env.Namespace), runs, most)
		})
	}
}

var killFor = flag.Duration("kill-for", 0, "how long TestSharedCounts kills replicas, at least")

// crashLoop runs a component again and again.
type crashLoop struct {
	program string
	written int // occurrences that each run has written when it is killed
}

// mayWrite is how many occurrences a run records after that, until it is killed.
const mayWrite = 100

// run starts the component and kills it while it records.
func (l *crashLoop) run(t *testing.T, namespace, config, instance string) {
	cmd := exec.CommandContext(t.Context(), l.program, "-kubeconfig", config, "-namespace", namespace,
		"-instance", instance, "-written", fmt.Sprint(l.written))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Error(err)
		return
	}
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if line != "written\n" {
		t.Errorf("%s said %q: %s", instance, line, &stderr)
	}
}

// check checks that every occurrence that was written is counted once, in at most so many Events.
func (l *crashLoop) check(t *testing.T, all []eventsv1.Event, runs, most int) {
	t.Helper()
	if len(all) == 0 || len(all) > most {
		t.Errorf("%d Events, want 1 to %d", len(all), most)
	}
	by := map[string]int64{}
	for _, e := range all {
		text, ok := e.Annotations["eventseries.dev/counts"]
		if !ok { // its name is unique: it is one process's
			by[e.ReportingInstance] += harness.Count(&e)
			continue
		}
		var shares []struct {
			Instance string
			Count    int64
		}
		if err := json.Unmarshal([]byte(text), &shares); err != nil {
			t.Fatal(err)
		}
		var sum int64
		for _, share := range shares {
			by[share.Instance] += share.Count
			sum += share.Count
		}
		if sum != harness.Count(&e) {
			t.Errorf("count %d, with shares %+v", harness.Count(&e), shares)
		}
	}
	if len(by) != runs {
		t.Errorf("%d of %d runs are counted", len(by), runs)
	}
	for instance, n := range by {
		if n < int64(l.written) || n > int64(l.written+mayWrite) {
			t.Errorf("%s is counted %d times, has written %d and recorded at most %d more", instance, n, l.written, mayWrite)
		}
	}
	t.Logf("%d runs: %d Events, %v", runs, len(all), by)
}
