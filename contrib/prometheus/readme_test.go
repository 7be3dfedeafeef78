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
	"strings"
	"testing"

	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/readme"
)

// The program that the README names exports its Event.
//
// Caught: one whose collector is not registered.
func TestReadmeProgramExports(t *testing.T) {
	binary := readme.Build(t, "./example")
	cluster := httptest.NewServer(apiserver.New())
	t.Cleanup(cluster.Close)

	_, kubeconfig := readme.Kubeconfig(t, cluster.URL)
	body := getOnce(t, binary, kubeconfig)
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
