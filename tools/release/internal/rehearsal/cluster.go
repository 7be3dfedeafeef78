// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rehearsal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// cluster answers as an API server that serves events.k8s.io/v1 and lets everybody do everything. It keeps nothing: an
// Event that is created comes back as it was sent.
type cluster struct {
	mu     sync.Mutex
	events []string
}

func (c *cluster) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch {
	case request.Method == http.MethodGet && strings.HasPrefix(request.URL.Path, "/apis/events.k8s.io"):
		answer(w, object{"kind": "APIResourceList", "groupVersion": "events.k8s.io/v1", "resources": []object{{
			"name": "events", "namespaced": true, "kind": "Event", "verbs": []string{"create", "patch"},
		}}})
	case strings.HasSuffix(request.URL.Path, "/selfsubjectaccessreviews"):
		answer(w, object{
			"kind": "SelfSubjectAccessReview", "apiVersion": "authorization.k8s.io/v1",
			"status": object{"allowed": true},
		})
	case strings.HasSuffix(request.URL.Path, "/events"):
		c.mu.Lock()
		c.events = append(c.events, fmt.Sprintf("%s %s, %d bytes", request.Method, request.URL.Path, len(body)))
		c.mu.Unlock()
		w.Header().Set("Content-Type", request.Header.Get("Content-Type"))
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write(body)
	default:
		http.NotFound(w, request)
	}
}

type object map[string]any

func answer(w http.ResponseWriter, o object) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(o)
}

const kubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: rehearsal, cluster: {server: "%s"}}]
users: [{name: rehearsal, user: {}}]
contexts: [{name: rehearsal, context: {cluster: rehearsal, user: rehearsal}}]
current-context: rehearsal
`

// runOnCluster runs a program of the user, whose home directory has a kubeconfig that names a cluster. It returns how
// the program wrote its Event.
func runOnCluster(ctx context.Context, u *user, program string) (string, error) {
	c := &cluster{}
	server := httptest.NewServer(c)
	defer server.Close()
	config := filepath.Join(u.dir, ".kube", "config")
	if err := os.MkdirAll(filepath.Dir(config), 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(config, fmt.Appendf(nil, kubeconfig, server.URL), 0o600); err != nil {
		return "", err
	}
	at := &user{dir: u.dir, env: append(u.env, "HOME="+u.dir, "USERPROFILE="+u.dir, "KUBECONFIG="+config)}
	if _, err := at.run(ctx, program); err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.events) != 1 {
		return "", errors.New("the program wrote not one Event but " + fmt.Sprint(c.events))
	}
	return c.events[0], nil
}
