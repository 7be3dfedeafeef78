// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"context"
	"errors"
	"syscall"

	"github.com/Shopify/toxiproxy/v2"

	"github.com/eventseries/eventseries/internal/testkit/controlplane"
)

// host is the control plane, in the child process.
type host struct {
	*controlplane.ControlPlane
	proxy *toxiproxy.Proxy // nil unless a test asked for it
}

func (h *host) handle(ctx context.Context, r request) (a answer, err error) {
	switch r.Do {
	case addUser:
		a.Kubeconfig, err = h.User(r.User, r.Groups...)
	case killServer:
		h.KillServer()
	case startServer:
		err = h.RestartServer(ctx, r.Flags...)
	case stopEtcd:
		err = h.SignalEtcd(syscall.SIGSTOP)
	case continueEtcd:
		err = h.SignalEtcd(syscall.SIGCONT)
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

func (h *host) stop() error {
	if h.proxy != nil {
		h.proxy.Stop()
	}
	return h.Stop()
}
