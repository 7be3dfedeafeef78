// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/tls"
	"net/http"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/debug"
)

// runProtected runs a manager whose metrics server authenticates its clients, and serves the debug page to them, too.
func runProtected(ctx context.Context, config *rest.Config, metricsAddress string) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{Metrics: server.Options{
		BindAddress:    metricsAddress,
		SecureServing:  true,
		FilterProvider: filters.WithAuthenticationAndAuthorization,
	}})
	if err != nil {
		return err
	}
	return runWithPage(ctx, mgr)
}

// runUnprotected runs a manager with controller-runtime's defaults, and the debug page on its metrics server.
func runUnprotected(ctx context.Context, config *rest.Config, metricsAddress string) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{Metrics: server.Options{BindAddress: metricsAddress}})
	if err != nil {
		return err
	}
	return runWithPage(ctx, mgr)
}

// runWithPage adds the debug page to the metrics server of mgr, and runs mgr until ctx ends.
func runWithPage(ctx context.Context, mgr ctrl.Manager) error {
	a, err := adapter.ForManager(mgr)
	if err != nil {
		return err
	}
	if err := mgr.AddMetricsServerExtraHandler("/debug/events", debug.Handler(a)); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

// By default the metrics server answers everyone. With controller-runtime's filter, the debug page is for clients with a
// token whose account may get the path.
//
// Caught: a manager without FilterProvider; a ClusterRole for /metrics alone.
func TestAccessToTheDebugPage(t *testing.T) {
	config := startControlPlane(t)
	admin := kubernetes.NewForConfigOrDie(config)
	apply(t, config, "config/rbac.yaml")
	apply(t, config, "config/page-reader.yaml")
	reader, stranger := newAccount(t, admin, "reader"), newAccount(t, admin, "stranger")
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "reader"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "events-page-reader"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: "my-system", Name: "reader"}},
	}
	if _, err := admin.RbacV1().ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}

	insecure := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	defer insecure.CloseIdleConnections()
	for _, test := range []struct {
		name   string
		run    func(context.Context, *rest.Config, string) error
		scheme string
		token  string
		status int
	}{
		{name: "default, no token", run: runUnprotected, scheme: "http", status: http.StatusOK},
		{name: "filter, no token", run: runProtected, scheme: "https", status: http.StatusUnauthorized},
		{name: "filter, no role", run: runProtected, scheme: "https", token: stranger, status: http.StatusForbidden},
		{name: "filter, role", run: runProtected, scheme: "https", token: reader, status: http.StatusOK},
	} {
		t.Run(test.name, func(t *testing.T) {
			address := freeAddress(t)
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			ended := make(chan error, 1)
			go func() { ended <- test.run(ctx, config, address) }()
			url := test.scheme + "://" + address + "/debug/events"
			await(t, "the metrics server", func() (bool, error) {
				response, err := insecure.Get(url)
				if err != nil {
					return false, nil
				}
				return true, response.Body.Close()
			})
			get(t, insecure, test.status, url, test.token)
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// newAccount makes a ServiceAccount in my-system, and returns a token of it.
func newAccount(t *testing.T, admin kubernetes.Interface, name string) (token string) {
	t.Helper()
	accounts := admin.CoreV1().ServiceAccounts("my-system")
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := accounts.Create(t.Context(), account, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	request := &authenticationv1.TokenRequest{}
	answer, err := accounts.CreateToken(t.Context(), name, request, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return answer.Status.Token
}
