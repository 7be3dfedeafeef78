// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otel_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/readme"
)

// The program that the README of contrib/otel names exports its Event.
//
// Caught: one that ends before its provider has exported.
func TestReadmeProgramExports(t *testing.T) {
	binary := readme.Build(t, "./example")
	cluster := httptest.NewServer(apiserver.New())
	t.Cleanup(cluster.Close)
	c := startCollector(t)
	_, kubeconfig := readme.Kubeconfig(t, cluster.URL)
	run := exec.CommandContext(t.Context(), binary)
	run.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "HTTP_PROXY=", "http_proxy=",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://"+c.address)
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.end(syscall.SIGTERM)
	all := c.records()
	if len(all) != 1 || all[0].text("k8s.event.reason") != "Greeted" || all[0].Body.StringValue != "hello" {
		t.Errorf("records %+v, want the greeting", all)
	}
	got, _ := counts(all)
	if diff := cmp.Diff(map[string]counted{"web": {1, 1}}, got); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}
