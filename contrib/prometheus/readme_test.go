// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventsprom_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// The program of the README, which is the directory example, exports its Event.
//
// Caught: a program that is not the README's; one whose collector is not registered.
func TestReadmeProgramExports(t *testing.T) {
	source, err := os.ReadFile("example/main.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
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

	body := getOnce(t, binary, kubeconfig(t, cluster.URL))
	want := `eventseries_occurrences_total{controller="example.com/hello",kind="Pod",reason="Greeted",type="Normal"} 1`
	if !strings.Contains(body, want+"\n") {
		t.Errorf("the metrics are\n%s\nwant the line\n%s", body, want)
	}
}

// getOnce runs the program and returns what it serves at the address that it prints.
func getOnce(t *testing.T, binary, kubeconfig string) string {
	t.Helper()
	run := exec.CommandContext(t.Context(), binary, "-listen", "127.0.0.1:0")
	run.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "HTTP_PROXY=", "http_proxy=")
	run.Stderr = os.Stderr
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = run.Process.Kill()
		_ = run.Wait()
	}()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get(strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// kubeconfig returns a file with the address of a server.
func kubeconfig(t *testing.T, address string) string {
	t.Helper()
	config, file := clientcmdapi.NewConfig(), filepath.Join(t.TempDir(), "kubeconfig")
	config.Clusters["local"] = &clientcmdapi.Cluster{Server: address}
	config.Contexts["local"] = &clientcmdapi.Context{Cluster: "local"}
	config.CurrentContext = "local"
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}
