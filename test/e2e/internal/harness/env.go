// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/testkit/testlog"
	"github.com/eventseries/eventseries/test/e2e/internal/controlplane"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

// Env is the environment of one test.
type Env struct {
	// Namespace exists. User has no permissions of its own.
	Namespace, User string
	// Client is User's. Its requests go through Wire.
	Client *kubernetes.Clientset
	Wire   *wire.Transport
	// Config is User's, over Wire.
	Config *rest.Config
	// Admin is a cluster administrator.
	Admin *kubernetes.Clientset
	// AdminConfig is Admin's.
	AdminConfig *rest.Config
	// Log has the lines that were logged to Logger.
	Log    *testlog.Log
	Logger klog.Logger

	t           *testing.T
	kubeconfig  string // a file, of the administrator
	user        []byte // User's kubeconfig
	connections []*wire.Transport
}

var serial atomic.Int64

// New returns an environment on plane. When the test ends, its connections are closed.
// Then only goroutines of the testing package may be left, without exceptions, so
// tests run one at a time.
func New(t *testing.T, plane *controlplane.Plane) *Env {
	t.Helper()
	t.Cleanup(func() { goleak.VerifyNone(t) })
	n := serial.Add(1)
	log := &testlog.Log{}
	e := &Env{User: fmt.Sprintf("component-%d", n), Log: log, Logger: klog.New(log), t: t}
	t.Cleanup(e.close)
	e.kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	e.must(os.WriteFile(e.kubeconfig, plane.Kubeconfig, 0o600))
	user, err := plane.User(e.User, "components")
	e.must(err)
	e.user = user
	e.Wire, e.Client = e.connect(user, "")
	config, err := clientcmd.RESTConfigFromKubeConfig(user)
	e.must(err)
	e.Config = &rest.Config{Host: config.Host, Transport: e.Wire, QPS: -1, UserAgent: "eventseries-e2e"}
	adminWire, admin := e.connect(plane.Kubeconfig, "")
	e.Admin = admin
	e.AdminConfig = rest.CopyConfig(e.Config)
	e.AdminConfig.Transport = adminWire
	e.Namespace = e.NewNamespace()
	return e
}

// UserKubeconfig writes User's kubeconfig to a file, for a program that records as User.
func (e *Env) UserKubeconfig() (file string) {
	e.t.Helper()
	file = filepath.Join(e.t.TempDir(), "kubeconfig")
	e.must(os.WriteFile(file, e.user, 0o600))
	return file
}

// Via connects Client to address, in place of the API server.
func (e *Env) Via(address string) {
	e.t.Helper()
	e.Wire, e.Client = e.connect(e.user, "https://"+address)
}

// connect returns a client over connections of its own, to host if there is one.
func (e *Env) connect(kubeconfig []byte, host string) (*wire.Transport, *kubernetes.Clientset) {
	e.t.Helper()
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	e.must(err)
	config.Host = cmp.Or(host, config.Host)
	tls, err := rest.TLSConfigFor(config)
	e.must(err)
	// As in client-go, pings find connections that are broken.
	transport := wire.New(utilnet.SetTransportDefaults(&http.Transport{TLSClientConfig: tls}))
	e.connections = append(e.connections, transport)
	// Without a limit on the client's side, because tests look at the server's.
	bare := &rest.Config{Host: config.Host, QPS: -1, UserAgent: "eventseries-e2e"}
	client, err := kubernetes.NewForConfigAndClient(bare, &http.Client{Transport: transport})
	e.must(err)
	return transport, client
}

// close ends the goroutines of all connections.
func (e *Env) close() {
	for _, transport := range e.connections {
		transport.Close()
	}
}

// NewNamespace makes one that is named after the test.
func (e *Env) NewNamespace() string {
	e.t.Helper()
	slug := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(e.t.Name()))
	name := fmt.Sprintf("%.40s-%d", strings.Trim(slug, "-"), serial.Add(1))
	e.Make(name)
	return name
}

func (e *Env) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}
