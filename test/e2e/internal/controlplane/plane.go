// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

// Plane is a running control plane. It holds no goroutine of this process. It is
// safe for concurrent use.
type Plane struct {
	// Kubeconfig is a cluster administrator's.
	Kubeconfig []byte

	child *exec.Cmd
	end   io.Closer

	mu       sync.Mutex // guards the rest: one request at a time
	requests *json.Encoder
	answers  *json.Decoder
}

// Start starts a control plane whose kube-apiserver gets flags on top of envtest's,
// and waits until it answers. The caller must call Stop.
func Start(flags ...string) (*Plane, error) {
	// Looked for here as well: this is the one error that everybody meets.
	if _, err := Program("kube-apiserver"); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("controlplane: %w", err)
	}
	child := exec.Command(self, flags...)
	child.Env = append(os.Environ(), childEnv+"=1")
	child.Stderr = os.Stderr
	in, inErr := child.StdinPipe()
	out, outErr := child.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		return nil, fmt.Errorf("controlplane: %w", err)
	}
	if err := child.Start(); err != nil {
		return nil, fmt.Errorf("controlplane: %w", err)
	}
	p := &Plane{child: child, end: in, requests: json.NewEncoder(in), answers: json.NewDecoder(out)}
	ready, err := p.answer()
	if err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	p.Kubeconfig = ready.Kubeconfig
	return p, nil
}

// User makes a user with a client certificate and returns its kubeconfig.
func (p *Plane) User(name string, groups ...string) (kubeconfig []byte, err error) {
	a, err := p.ask(request{Do: addUser, User: name, Groups: groups})
	return a.Kubeconfig, err
}

// KillServer ends kube-apiserver as kill -9 does, and returns when it is gone.
func (p *Plane) KillServer() error { return p.order(request{Do: killServer}) }

// StartServer starts kube-apiserver again, with the same port, certificates and
// etcd, and returns when its /healthz says ok. A server that runs is asked to end
// first. Flags, each "--name=value", take the place of those of the same name.
func (p *Plane) StartServer(flags ...string) error {
	return p.order(request{Do: startServer, Flags: flags})
}

// StopEtcd stops etcd as SIGSTOP does: connections stay, nothing is answered.
func (p *Plane) StopEtcd() error { return p.order(request{Do: stopEtcd}) }

// ContinueEtcd lets etcd run on.
func (p *Plane) ContinueEtcd() error { return p.order(request{Do: continueEtcd}) }

// Proxy returns the address of a proxy before kube-apiserver, which [Plane.Spoil]
// and [Plane.Heal] are about.
func (p *Plane) Proxy() (address string, err error) {
	a, err := p.ask(request{Do: openProxy})
	return a.Address, err
}

// Spoil adds a fault to the network behind the proxy, also for connections that
// are there.
func (p *Plane) Spoil(toxic Toxic) error { return p.order(request{Do: spoil, Toxic: &toxic}) }

// Heal takes away all faults of the network.
func (p *Plane) Heal() error { return p.order(request{Do: heal}) }

// Stop ends the control plane and waits until its programs have ended.
func (p *Plane) Stop() error {
	err := p.end.Close()
	return errors.Join(err, p.child.Wait())
}

func (p *Plane) order(r request) error {
	_, err := p.ask(r)
	return err
}

func (p *Plane) ask(r request) (answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.requests.Encode(r); err != nil {
		return answer{}, fmt.Errorf("controlplane: the child is gone: %w", err)
	}
	return p.answer()
}

func (p *Plane) answer() (a answer, err error) {
	if err := p.answers.Decode(&a); err != nil {
		return answer{}, fmt.Errorf("controlplane: the child is gone: %w", err)
	}
	if a.Error != "" {
		return answer{}, errors.New(a.Error)
	}
	return a, nil
}
