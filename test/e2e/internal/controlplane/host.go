// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// startTimeout is for a busy machine. An idle one takes some six seconds.
const startTimeout = 2 * time.Minute

// host is the control plane, in the child process.
type host struct {
	*envtest.Environment
	proxy *toxiproxy.Proxy // nil unless a test asked for it
}

// program is a script that becomes the program of its own name, and leaves its process number for a test to signal:
// envtest does not tell it.
const program = `#!/bin/sh
echo $$ > "$0.pid"
exec "$KUBEBUILDER_ASSETS/${0##*/}" "$@"
`

// startHost starts a control plane. The caller must call stop, also after an error.
func startHost(flags []string) (*host, error) {
	h := &host{Environment: &envtest.Environment{ControlPlaneStartTimeout: startTimeout}}
	server, etcd := h.ControlPlane.GetAPIServer(), &envtest.Etcd{}
	h.ControlPlane.Etcd = etcd
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		return h, errors.New("KUBEBUILDER_ASSETS is not set: run make controlplane, and set it to bin/controlplane")
	}
	var err error
	// With a directory of its own, kube-apiserver has the same certificates after a restart.
	if server.CertDir, err = os.MkdirTemp("", "eventseries-e2e-"); err != nil {
		return h, err
	}
	server.Path, etcd.Path = filepath.Join(server.CertDir, "kube-apiserver"), filepath.Join(server.CertDir, "etcd")
	err = errors.Join(
		os.WriteFile(server.Path, []byte(program), 0o700), os.WriteFile(etcd.Path, []byte(program), 0o700))
	if err != nil {
		return h, err
	}
	h.setFlags(flags)
	_, err = h.Start()
	return h, err
}

// setFlags gives kube-apiserver flags, each "--name=value", in place of those of the same name.
func (h *host) setFlags(flags []string) {
	for _, flag := range flags {
		name, value, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		h.ControlPlane.APIServer.Configure().Set(name, value)
	}
}

func (h *host) handle(ctx context.Context, r request) (a answer, err error) {
	switch r.Do {
	case addUser:
		a.Kubeconfig, err = h.addUser(r)
	case killServer:
		err = h.killServer()
	case startServer:
		err = h.restartServer(ctx, r.Flags)
	case stopEtcd:
		err = kill(h.ControlPlane.Etcd.Path, syscall.SIGSTOP)
	case continueEtcd:
		err = kill(h.ControlPlane.Etcd.Path, syscall.SIGCONT)
	case openProxy:
		a.Address, err = h.openProxy()
	case addToxic:
		err = h.addToxic(r.Toxic)
	case removeToxics:
		err = h.removeToxics()
	default:
		err = errors.New("unknown command")
	}
	return a, err
}

func (h *host) addUser(r request) (kubeconfig []byte, err error) {
	user, err := h.AddUser(envtest.User{Name: r.User, Groups: r.Groups}, nil)
	if err != nil {
		return nil, err
	}
	return user.KubeConfig()
}

// kill sends a signal to a program that a script became.
func kill(script string, signal syscall.Signal) error {
	text, err := os.ReadFile(script + ".pid")
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return err
	}
	return syscall.Kill(pid, signal)
}

// killServer ends kube-apiserver as kill -9 does, and returns when it has ended.
func (h *host) killServer() error {
	server := h.ControlPlane.APIServer
	err := kill(server.Path, syscall.SIGKILL)
	_ = server.Stop()                                      // waits; fails if it has ended meanwhile
	return errors.Join(err, os.Remove(server.Path+".pid")) // which another process may get
}

// restartServer starts kube-apiserver with other flags, at the same address, and waits until it is ready. A server that
// runs is asked to end first.
func (h *host) restartServer(ctx context.Context, flags []string) error {
	_ = h.ControlPlane.APIServer.Stop() // fails if it has ended
	h.setFlags(flags)
	if err := h.ControlPlane.APIServer.Start(); err != nil {
		return err
	}
	connected, err := rest.HTTPClientFor(h.Config)
	if err != nil {
		return err
	}
	defer utilnet.CloseIdleConnectionsFor(connected.Transport)
	client, err := kubernetes.NewForConfigAndClient(h.Config, connected)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	// It is healthy before it has read the roles.
	for client.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error() != nil && ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
	}
	return ctx.Err()
}

func (h *host) stop() error {
	if h.proxy != nil {
		h.proxy.Stop()
	}
	// Neither has to end in order: nothing outlives the control plane.
	_ = kill(h.ControlPlane.APIServer.Path, syscall.SIGKILL)
	_ = kill(h.ControlPlane.Etcd.Path, syscall.SIGKILL)
	_ = h.Stop() // fails if they have ended meanwhile
	return os.RemoveAll(h.ControlPlane.APIServer.CertDir)
}
