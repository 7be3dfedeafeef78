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

// Plane is a running control plane. It has no goroutine in this process. It is safe
// for concurrent use.
type Plane struct {
	// Kubeconfig is a cluster administrator's.
	Kubeconfig []byte

	child *exec.Cmd
	input io.Closer

	mu       sync.Mutex // guards the rest: one request at a time
	requests *json.Encoder
	answers  *json.Decoder
}

// Start starts a control plane, with additional flags of kube-apiserver, and waits
// until it is ready. The caller must call Stop.
func Start(flags ...string) (*Plane, error) {
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
	p := &Plane{child: child, input: in, requests: json.NewEncoder(in), answers: json.NewDecoder(out)}
	ready, err := p.answer()
	if err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	p.Kubeconfig = ready.Kubeconfig
	return p, nil
}

// User returns the kubeconfig of a user with a client certificate.
func (p *Plane) User(name string, groups ...string) (kubeconfig []byte, err error) {
	a, err := p.ask(request{Do: addUser, User: name, Groups: groups})
	return a.Kubeconfig, err
}

// KillServer ends kube-apiserver as kill -9 does, and returns when it has ended.
func (p *Plane) KillServer() error { return p.do(request{Do: killServer}) }

// StartServer starts kube-apiserver again, with the same port, certificates and
// etcd, and returns when it is ready. A server that runs is asked to end first. The
// flags, each "--name=value", replace those of the same name.
func (p *Plane) StartServer(flags ...string) error {
	return p.do(request{Do: startServer, Flags: flags})
}

// StopEtcd stops etcd as SIGSTOP does: connections stay, nothing is answered.
func (p *Plane) StopEtcd() error { return p.do(request{Do: stopEtcd}) }

// ContinueEtcd continues etcd after StopEtcd.
func (p *Plane) ContinueEtcd() error { return p.do(request{Do: continueEtcd}) }

// Proxy returns the address of a proxy in front of kube-apiserver. Its network has
// the faults of [Plane.AddToxic].
func (p *Plane) Proxy() (address string, err error) {
	a, err := p.ask(request{Do: openProxy})
	return a.Address, err
}

// AddToxic adds a fault to the network of the proxy, also for open connections.
func (p *Plane) AddToxic(toxic Toxic) error { return p.do(request{Do: addToxic, Toxic: &toxic}) }

// RemoveToxics removes all faults of the network.
func (p *Plane) RemoveToxics() error { return p.do(request{Do: removeToxics}) }

// Stop ends the control plane and waits until its programs have ended.
func (p *Plane) Stop() error {
	err := p.input.Close()
	return errors.Join(err, p.child.Wait())
}

func (p *Plane) do(r request) error {
	_, err := p.ask(r)
	return err
}

func (p *Plane) ask(r request) (answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.requests.Encode(r); err != nil {
		return answer{}, fmt.Errorf("controlplane: the child process has ended: %w", err)
	}
	return p.answer()
}

func (p *Plane) answer() (a answer, err error) {
	if err := p.answers.Decode(&a); err != nil {
		return answer{}, fmt.Errorf("controlplane: the child process has ended: %w", err)
	}
	if a.Error != "" {
		return answer{}, errors.New(a.Error)
	}
	return a, nil
}
