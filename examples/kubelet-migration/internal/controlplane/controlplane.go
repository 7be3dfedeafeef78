// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controlplane runs etcd and kube-apiserver on this machine: on loopback,
// in a temporary directory, and gone without a trace when it is stopped. There
// are no controllers and no nodes, which Events do not need.
package controlplane

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// readyTimeout is how long the programs may take to answer; it takes some five
// seconds on a machine that has nothing else to do.
const readyTimeout = 2 * time.Minute

// Start starts a control plane and waits until it answers; say is told what it
// waits for. The caller must call stop, which ends the programs, removes their
// files and returns what went wrong with that. If Start fails, or ctx ends
// before it is done, nothing is left behind.
func Start(ctx context.Context, say func(format string, args ...any)) (*rest.Config, func() error, error) {
	assets, err := find(os.Getenv("KUBEBUILDER_ASSETS"))
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "kubelet-migration-")
	if err != nil {
		return nil, nil, fmt.Errorf("controlplane: %w", err)
	}
	p := &plane{assets: assets, dir: dir}
	config, err := p.start(ctx, say)
	if err != nil {
		return nil, nil, errors.Join(err, p.stop())
	}
	return config, p.stop, nil
}

// plane is a control plane that was started, perhaps in part.
type plane struct {
	assets   string
	dir      string
	programs []*program
}

func (p *plane) start(ctx context.Context, say func(string, ...any)) (*rest.Config, error) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	ports, err := freePorts(3)
	if err != nil {
		return nil, err
	}
	etcd := fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	say("control plane: starting etcd and kube-apiserver of %s", p.assets)
	if err := p.run("etcd", etcdFlags(p.dir, etcd, ports[1])...); err != nil {
		return nil, err
	}
	token, flags, err := apiserverFlags(p.dir, etcd, ports[2])
	if err != nil {
		return nil, err
	}
	if err := p.run("kube-apiserver", flags...); err != nil {
		return nil, err
	}
	config := &rest.Config{
		Host:            fmt.Sprintf("https://127.0.0.1:%d", ports[2]),
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAFile: filepath.Join(p.dir, "apiserver.crt")},
	}
	began := time.Now()
	if err := p.wait(ctx, config); err != nil {
		return nil, err
	}
	say("control plane: ready after %v", time.Since(began).Round(100*time.Millisecond))
	return config, nil
}

func (p *plane) run(name string, flags ...string) error {
	program, err := startProgram(filepath.Join(p.assets, name), p.dir, flags)
	if err == nil {
		p.programs = append(p.programs, program)
	}
	return err
}

// wait returns when the server is ready, when a program ended, or when ctx did.
func (p *plane) wait(ctx context.Context, config *rest.Config) error {
	for {
		for _, program := range p.programs {
			if program.ended() {
				return program.failure()
			}
		}
		if ready(ctx, config) == nil {
			return nil
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("controlplane: kube-apiserver is not ready: %w", ctx.Err())
		}
	}
}

// ready asks the server. The namespaces are what it makes last.
func ready(ctx context.Context, config *rest.Config) error {
	if _, err := os.Stat(config.CAFile); err != nil {
		return err // the server makes its certificate when it starts
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	return client.CoreV1().RESTClient().Get().AbsPath("/api/v1/namespaces/default").Do(ctx).Error()
}

// stop ends the programs in reverse order and removes their files.
func (p *plane) stop() error {
	for i := len(p.programs) - 1; i >= 0; i-- {
		p.programs[i].stop()
	}
	if err := os.RemoveAll(p.dir); err != nil {
		return fmt.Errorf("controlplane: %w", err)
	}
	return nil
}

// freePorts returns ports of the loopback that nobody uses at the moment.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("controlplane: %w", err)
		}
		defer listener.Close() // all at the end, so that they differ
		address, _ := listener.Addr().(*net.TCPAddr)
		ports = append(ports, address.Port)
	}
	return ports, nil
}
