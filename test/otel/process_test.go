// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otel_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// collector is a child process. Its address and its file outlive it.
type collector struct {
	t                       *testing.T
	address, config, output string
	process                 *exec.Cmd
	log                     bytes.Buffer
}

const configuration = `
receivers: {otlp: {protocols: {grpc: {endpoint: %q}}}}
exporters: {file: {path: %q, append: true}}
service:
  pipelines: {logs: {receivers: [otlp], exporters: [file]}}
  telemetry: {metrics: {level: none}}
`

// startCollector starts a collector, which ends with the test.
func startCollector(t *testing.T) *collector {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &collector{
		t: t, address: listener.Addr().String(),
		config: filepath.Join(t.TempDir(), "collector.yaml"), output: filepath.Join(t.TempDir(), "logs.jsonl"),
	}
	_ = listener.Close()
	if err := os.WriteFile(c.config, fmt.Appendf(nil, configuration, c.address, c.output), 0o600); err != nil {
		t.Fatal(err)
	}
	c.start()
	t.Cleanup(func() {
		if c.process != nil {
			c.end(syscall.SIGKILL)
		}
	})
	return c
}

// start starts the process, and returns when it listens.
func (c *collector) start() {
	c.t.Helper()
	self, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	c.process = exec.Command(self, "--config=file:"+c.config)
	c.process.Env = append(os.Environ(), asCollector+"=1")
	c.process.Stdout, c.process.Stderr = &c.log, &c.log
	if err := c.process.Start(); err != nil {
		c.t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", c.address)
		if err == nil {
			_ = conn.Close()
			return
		}
		if time.Now().After(deadline) {
			c.end(syscall.SIGKILL)
			c.t.Fatalf("the collector does not listen: %v\n%s", err, c.log.String())
		}
	}
}

// end sends a signal and waits for the end.
func (c *collector) end(signal syscall.Signal) {
	c.t.Helper()
	_ = c.process.Process.Signal(signal)
	_ = c.process.Wait()
	c.process = nil
}
