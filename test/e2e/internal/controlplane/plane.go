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
	if p.Kubeconfig, err = p.answer(); err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

// User makes a user with a client certificate and returns its kubeconfig.
func (p *Plane) User(name string, groups ...string) (kubeconfig []byte, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.requests.Encode(request{User: name, Groups: groups}); err != nil {
		return nil, fmt.Errorf("controlplane: the child is gone: %w", err)
	}
	return p.answer()
}

// Stop ends the control plane and waits until its programs have ended.
func (p *Plane) Stop() error {
	err := p.end.Close()
	return errors.Join(err, p.child.Wait())
}

func (p *Plane) answer() ([]byte, error) {
	var a answer
	if err := p.answers.Decode(&a); err != nil {
		return nil, fmt.Errorf("controlplane: the child is gone: %w", err)
	}
	if a.Error != "" {
		return nil, errors.New(a.Error)
	}
	return a.Kubeconfig, nil
}
