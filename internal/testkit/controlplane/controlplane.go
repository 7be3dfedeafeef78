// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// readyTimeout is for a busy machine. An idle one takes some six seconds.
const readyTimeout = 2 * time.Minute

// ControlPlane is a running etcd and kube-apiserver.
type ControlPlane struct {
	// Kubeconfig is that of a cluster administrator.
	Kubeconfig []byte
	// Address is the host and the port of kube-apiserver.
	Address string
	// EtcdAddress is that of etcd, which speaks HTTP.
	EtcdAddress string

	dir          string
	flags        []string // of kube-apiserver
	authority    *authority
	etcd, server *program
	client       *http.Client // the administrator's
}

// Start starts a control plane and waits until it is ready. The flags are those of kube-apiserver, each "--name=value".
// They replace defaults of the same name. The caller must call Stop. If Start fails, nothing is left behind.
func Start(ctx context.Context, flags ...string) (*ControlPlane, error) {
	dir, err := os.MkdirTemp("", "eventseries-controlplane-")
	if err != nil {
		return nil, fmt.Errorf("controlplane: %w", err)
	}
	c := &ControlPlane{dir: dir}
	if err := c.start(ctx, flags); err != nil {
		return nil, errors.Join(fmt.Errorf("controlplane: %w", err), c.Stop())
	}
	return c, nil
}

func (c *ControlPlane) start(ctx context.Context, flags []string) error {
	addresses, err := freeAddresses(3)
	if err != nil {
		return err
	}
	c.Address, c.EtcdAddress = addresses[0], addresses[1]
	if err := c.makeCertificates(); err != nil {
		return err
	}
	etcd, peer := "http://"+addresses[1], "http://"+addresses[2]
	c.etcd, err = run("etcd", c.dir,
		"--data-dir="+filepath.Join(c.dir, "etcd"),
		"--listen-client-urls="+etcd,
		"--advertise-client-urls="+etcd,
		"--listen-peer-urls="+peer,
		"--initial-advertise-peer-urls="+peer,
		"--initial-cluster=default="+peer,
		"--unsafe-no-fsync", // the data does not outlive the program
		"--log-level=error",
	)
	if err != nil {
		return err
	}
	_, port, _ := net.SplitHostPort(c.Address)
	c.flags = []string{
		"--etcd-servers=" + etcd,
		"--bind-address=127.0.0.1",
		"--secure-port=" + port,
		"--tls-cert-file=" + c.file("server.crt"),
		"--tls-private-key-file=" + c.file("server.key"),
		"--client-ca-file=" + c.file("ca.crt"),
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://eventseries.invalid",
		"--service-account-signing-key-file=" + c.file("server.key"),
		"--service-account-key-file=" + c.file("server.key"),
		"--service-cluster-ip-range=10.0.0.0/24",
		"--endpoint-reconciler-type=none",
		"--disable-admission-plugins=ServiceAccount", // it needs a controller that makes service accounts
	}
	c.setFlags(flags)
	return c.startServer(ctx)
}

// makeCertificates writes the certificates that the server needs, and makes the administrator's.
func (c *ControlPlane) makeCertificates() (err error) {
	if c.authority, err = newAuthority(); err != nil {
		return err
	}
	server, err := c.authority.issue("kube-apiserver", nil)
	if err != nil {
		return err
	}
	admin, err := c.authority.issue("admin", []string{"system:masters"})
	if err != nil {
		return err
	}
	transport := &http.Transport{DisableKeepAlives: true}
	if transport.TLSClientConfig, err = c.authority.clientConfig(admin); err != nil {
		return err
	}
	c.client = &http.Client{Transport: transport}
	if c.Kubeconfig, err = c.authority.kubeconfig(c.Address, admin); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(c.file("ca.crt"), c.authority.pem, 0o600),
		os.WriteFile(c.file("server.crt"), server.certificate, 0o600),
		os.WriteFile(c.file("server.key"), server.key, 0o600),
	)
}

func (c *ControlPlane) file(name string) string { return filepath.Join(c.dir, name) }

// User returns the kubeconfig of a user with a client certificate.
func (c *ControlPlane) User(name string, groups ...string) (kubeconfig []byte, err error) {
	pair, err := c.authority.issue(name, groups)
	if err != nil {
		return nil, err
	}
	return c.authority.kubeconfig(c.Address, pair)
}

// KillServer ends kube-apiserver as kill -9 does, and returns when it has ended.
func (c *ControlPlane) KillServer() { c.server.kill() }

// RestartServer starts kube-apiserver again, with the same address, certificates and etcd, and waits until it is ready.
// A server that runs is asked to end first. The flags replace those of the same name.
func (c *ControlPlane) RestartServer(ctx context.Context, flags ...string) error {
	c.server.end()
	c.setFlags(flags)
	return c.startServer(ctx)
}

// setFlags gives kube-apiserver flags in place of those of the same name.
func (c *ControlPlane) setFlags(flags []string) {
	for _, flag := range flags {
		name, _, _ := strings.Cut(flag, "=")
		c.flags = slices.DeleteFunc(c.flags, func(old string) bool { return strings.HasPrefix(old, name+"=") })
	}
	c.flags = append(c.flags, flags...)
}

// SignalServer sends a signal to kube-apiserver.
func (c *ControlPlane) SignalServer(signal os.Signal) error {
	return c.server.command.Process.Signal(signal)
}

// SignalEtcd sends a signal to etcd.
func (c *ControlPlane) SignalEtcd(signal os.Signal) error {
	return c.etcd.command.Process.Signal(signal)
}

// Stop ends the programs and removes their files.
func (c *ControlPlane) Stop() error {
	c.server.kill()
	c.etcd.kill()
	return os.RemoveAll(c.dir)
}

// startServer starts kube-apiserver and waits until it is ready, until a program ends, or until ctx does.
func (c *ControlPlane) startServer(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	if c.server, err = run("kube-apiserver", c.dir, c.flags...); err != nil {
		return err
	}
	for {
		// The server creates the default namespace after it is ready.
		if c.answers(ctx, "/readyz") && c.answers(ctx, "/api/v1/namespaces/default") {
			return nil
		}
		select {
		case <-c.etcd.done:
			return c.etcd.failure()
		case <-c.server.done:
			return c.server.failure()
		case <-ctx.Done():
			return fmt.Errorf("kube-apiserver is not ready: %w", ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (c *ControlPlane) answers(ctx context.Context, path string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+c.Address+path, nil)
	if err != nil {
		return false
	}
	response, err := c.client.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// freeAddresses returns addresses of the loopback interface that nobody listens on.
func freeAddresses(n int) (addresses []string, err error) {
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer func() { _ = listener.Close() }() // at the end, so that the addresses differ
		addresses = append(addresses, listener.Addr().String())
	}
	return addresses, nil
}
