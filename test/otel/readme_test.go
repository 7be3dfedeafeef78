// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otel_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// The program of the README, which is the directory example, exports its Event.
//
// Caught: a program that is not the README's; one that ends before its provider has exported.
func TestReadmeProgramExports(t *testing.T) {
	source, err := os.ReadFile("example/main.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../contrib/otel/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(source), "package main\n")
	if !strings.Contains(string(readme), "```go\npackage main\n"+program+"```\n") {
		t.Error("README.md does not have the program of example/main.go")
	}
	binary := filepath.Join(t.TempDir(), "example.exe")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", binary, "./example").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cluster := httptest.NewServer(apiserver.New())
	t.Cleanup(cluster.Close)
	c := startCollector(t)
	run := exec.CommandContext(t.Context(), binary)
	run.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig(t, cluster.URL), "HTTP_PROXY=", "http_proxy=",
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

func kubeconfig(t *testing.T, url string) string {
	t.Helper()
	config := clientcmdapi.NewConfig()
	config.Clusters["test"] = &clientcmdapi.Cluster{Server: url}
	config.Contexts["test"] = &clientcmdapi.Context{Cluster: "test"}
	config.CurrentContext = "test"
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}
