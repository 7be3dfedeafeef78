// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"
)

// recording matches the functions of both recorders.
const recording = `client-go/tools/(record|events|internal/events)|eventseries`

// Share is how much of a component's CPU, or of its memory, is of functions of the recorder and what they call.
type Share struct {
	Percent float64
	Total   string // of the component
}

// Shares returns the recorder's shares of what a component computes in so much time, and of its live memory then.
func (c *Cluster) Shares(ctx context.Context, component string, length time.Duration) (cpu, heap Share, err error) {
	processor, memory := c.file(component+".cpu.pprof"), c.file(component+".heap.pprof")
	err = c.fetch(ctx, component, fmt.Sprintf("profile?seconds=%d", int(length.Seconds())), processor)
	if err == nil {
		err = c.fetch(ctx, component, "heap?gc=1", memory)
	}
	if err == nil {
		cpu, err = share(ctx, processor, "cpu")
	}
	if err == nil {
		heap, err = share(ctx, memory, "inuse_space")
	}
	if err != nil {
		err = fmt.Errorf("profiles of %s: %w", component, err)
	}
	return cpu, heap, err
}

// share returns the recorder's share of a kind of samples.
func share(ctx context.Context, file, kind string) (Share, error) {
	out, err := exec.CommandContext(ctx, "go", "tool", "pprof", "-top", "-nodecount=1", "-sample_index="+kind,
		"-focus="+recording, file).CombinedOutput()
	if err != nil {
		return Share{}, fmt.Errorf("%w\n%s", err, out)
	}
	return parseShare(out)
}

func (c *Cluster) fetch(ctx context.Context, component, query, file string) error {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", c.socket(component))
	}
	transport := &http.Transport{DialContext: dial, DisableKeepAlives: true}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://component/debug/pprof/"+query, nil)
	if err != nil {
		return err
	}
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", response.Status, content)
	}
	return os.WriteFile(file, content, 0o600)
}

// socket is where a component serves its profiles.
func (c *Cluster) socket(component string) string { return c.file(component + ".sock") }

var shareLine = regexp.MustCompile(`accounting for [^,]+, ([0-9.]+)% of (\S+) total`)

// parseShare reads the header of what `go tool pprof -top` prints. Without one, nothing was found.
func parseShare(out []byte) (Share, error) {
	match := shareLine.FindSubmatch(out)
	if match == nil {
		return Share{}, nil
	}
	percent, err := strconv.ParseFloat(string(match[1]), 64)
	return Share{percent, string(match[2])}, err
}
