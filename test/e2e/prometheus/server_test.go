// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package prometheus

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// server is a Prometheus that scrapes one component.
type server struct {
	t       *testing.T
	address string
	client  *http.Client
	alerts  []string // the names of those in its rules
}

// pace is how often the server scrapes, evaluates its rules, and is asked for the result.
const pace = 250 * time.Millisecond

const config = `
global: {scrape_interval: %[1]s, scrape_timeout: %[1]s, evaluation_interval: %[1]s}
rule_files: [%[2]s]
scrape_configs:
- job_name: component
  scrape_native_histograms: true
  always_scrape_classic_histograms: true
  static_configs: [{targets: [%[3]q]}]
`

// start starts a Prometheus that scrapes target, and waits until it answers. It ends with the test.
func start(t *testing.T, env *harness.Env, target string) *server {
	t.Helper()
	dir := t.TempDir()
	rules, alerts := writeRules(t, dir)
	file := filepath.Join(dir, "prometheus.yaml")
	if err := os.WriteFile(file, fmt.Appendf(nil, config, pace, rules, target), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, address: freeAddress(t), alerts: alerts,
		client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	command := exec.Command(program(t, "prometheus"), "--config.file="+file, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+s.address, "--log.level=warn")
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		_ = command.Wait()
	})
	env.Await("Prometheus to be ready", func() bool {
		res, err := s.client.Get("http://" + s.address + "/-/ready")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
	return s
}

// freeAddress returns one that nobody listens on: Prometheus does not say which port it chose.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// get decodes the data of an answer of Prometheus' API.
func (s *server) get(path string, parameters url.Values, data any) {
	s.t.Helper()
	res, err := s.client.Get("http://" + s.address + "/api/v1/" + path + "?" + parameters.Encode())
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	answer := struct {
		Status, Error string
		Data          any
	}{Data: data}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || answer.Status != "success" {
		s.t.Fatalf("%s %v: %v %s", path, parameters, err, answer.Error)
	}
}

// active returns the alerts that are pending or firing, and those of them that fire.
func (s *server) active() (all, firing []string) {
	s.t.Helper()
	var data struct {
		Alerts []struct {
			State  string
			Labels map[string]string
		}
	}
	s.get("alerts", nil, &data)
	for _, alert := range data.Alerts {
		name := alert.Labels["alertname"]
		all = append(all, name)
		if alert.State == "firing" {
			firing = append(firing, name)
		}
	}
	return all, firing
}

// awaitFiring asks until each of the alerts has fired, at one time or another.
func (s *server) awaitFiring(bound time.Duration, alerts ...string) {
	s.t.Helper()
	began, missing := time.Now(), slices.Clone(alerts)
	for ; len(missing) > 0; time.Sleep(pace) {
		_, firing := s.active()
		missing = slices.DeleteFunc(missing, func(name string) bool {
			if slices.Contains(firing, name) {
				s.t.Logf("%s fires after %v", name, time.Since(began).Round(time.Second))
				return true
			}
			return false
		})
		if time.Since(began) > bound {
			s.t.Fatalf("after %v %q do not fire", bound, missing)
		}
	}
}

// awaitQuiet asks until no alert is pending or firing.
func (s *server) awaitQuiet(bound time.Duration) {
	s.t.Helper()
	for began := time.Now(); ; time.Sleep(pace) {
		all, _ := s.active()
		if len(all) == 0 {
			s.t.Logf("all is quiet after %v", time.Since(began).Round(time.Second))
			return
		}
		if time.Since(began) > bound {
			s.t.Fatalf("after %v there still are %q", bound, all)
		}
	}
}

// staysQuiet checks that no alert is pending or firing for some time.
func (s *server) staysQuiet(bound time.Duration) {
	s.t.Helper()
	for began := time.Now(); time.Since(began) < bound; time.Sleep(pace) {
		if all, _ := s.active(); len(all) > 0 {
			s.t.Fatalf("all is well, and after %v there are %q", time.Since(began), all)
		}
	}
}

// sample is a time series of a query's result, at one moment.
type sample struct {
	Metric    map[string]string
	Value     [2]any // time and value
	Histogram [2]any
}

// query returns what an expression yields now, without what is not a number.
func (s *server) query(expr string) []sample {
	s.t.Helper()
	var data struct{ Result []sample }
	s.get("query", url.Values{"query": {expr}}, &data)
	return slices.DeleteFunc(data.Result, func(one sample) bool { return one.Value[1] == "NaN" })
}
