// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// startTimeout is for a machine that has other things to do: alone, etcd and
// kube-apiserver take some six seconds.
const startTimeout = 2 * time.Minute

// host is the control plane, in the child process.
type host struct {
	env          *envtest.Environment
	dir          string // of certificates and process ids
	server, etcd *program
	proxy        *toxiproxy.Proxy // nil unless somebody asked for it
}

// newHost prepares envtest's default but for flags, each "--name=value". The
// default has the RBAC authorizer, and not the admission plugin ServiceAccount,
// which would want a controller to make service accounts.
func newHost(flags []string) (*host, error) {
	dir, err := os.MkdirTemp("", "eventseries-controlplane-")
	if err != nil {
		return nil, err
	}
	server, serverErr := newProgram(dir, "kube-apiserver")
	etcd, etcdErr := newProgram(dir, "etcd")
	kubectl, kubectlErr := Program("kubectl")
	if err := errors.Join(serverErr, etcdErr, kubectlErr); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	env := &envtest.Environment{ControlPlaneStartTimeout: startTimeout, ControlPlaneStopTimeout: startTimeout}
	api := env.ControlPlane.GetAPIServer()
	api.Path = server.path
	// Envtest would throw away certificates of its own when the server is restarted.
	api.CertDir = filepath.Join(dir, "certificates")
	if err := os.Mkdir(api.CertDir, 0o700); err != nil {
		return nil, err
	}
	env.ControlPlane.Etcd = &envtest.Etcd{Path: etcd.path}
	env.ControlPlane.KubectlPath = kubectl
	for _, flag := range flags {
		name, value := split(flag)
		api.Configure().Append(name, value)
	}
	return &host{env: env, dir: dir, server: server, etcd: etcd}, nil
}

func split(flag string) (name, value string) {
	name, value, _ = strings.Cut(strings.TrimPrefix(flag, "--"), "=")
	return name, value
}

func (h *host) addUser(name string, groups []string) (kubeconfig []byte, err error) {
	user, err := h.env.AddUser(envtest.User{Name: name, Groups: groups}, nil)
	if err != nil {
		return nil, err
	}
	return user.KubeConfig()
}

// startServer starts kube-apiserver again. Envtest keeps its port, certificates
// and flags.
func (h *host) startServer(flags []string) error {
	api := h.env.ControlPlane.GetAPIServer()
	for _, flag := range flags {
		name, value := split(flag)
		api.Configure().Set(name, value)
	}
	// One that was killed just now may not have been waited for yet.
	if err := api.Stop(); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("stopping it first: %w", err)
	}
	return api.Start()
}

// stop ends all that runs and removes its files.
func (h *host) stop() error {
	if h.proxy != nil {
		h.proxy.Stop()
	}
	_ = h.etcd.signal(syscall.SIGCONT) // if it never ran, there is nothing to continue
	return errors.Join(h.env.Stop(), os.RemoveAll(h.dir))
}
