// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
)

// Cluster is what the table runs against: namespaces default, kube-system and kube-public, and what is named here.
type Cluster struct {
	// Client may do everything. Its requests go over HTTP.
	Client kubernetes.Interface
	// Watches may do everything, too. A server without a socket streams nothing.
	Watches kubernetes.Interface
	// User may create and patch Events through events.k8s.io in Namespace, and nothing else.
	User kubernetes.Interface
	// Namespace and Terminating are for the scenes' Events; the latter is not terminating yet.
	Namespace, Terminating string
	// Terminate deletes a namespace, which stays Terminating because nobody empties it.
	Terminate func(ctx context.Context, namespace string) error

	scenes atomic.Int64
}

// run is a scene that is running.
type run struct {
	*Cluster
	name, current string          // of its Events, and of the one that requests are about
	first         string          // the resource version that the first write was answered with
	namespaces    map[string]bool // asked about
	watch         watch.Interface
}

// Run sends the requests of scene one after the other and returns an answer for each. Its Events are deleted before it
// returns. The error is one of the connection. It panics where the table is wrong.
func (c *Cluster) Run(ctx context.Context, scene Scene) (answers []string, err error) {
	name := fmt.Sprintf("sample-%d", c.scenes.Add(1))
	s := &run{
		Cluster:    c,
		name:       name,
		current:    name,
		namespaces: map[string]bool{},
	}
	defer func() {
		s.stopWatch()
		err = errors.Join(err, s.clean(ctx))
	}()
	for _, row := range scene.Rows {
		answer, err := s.answer(ctx, row.Request)
		if err != nil {
			return answers, fmt.Errorf("%s: %w", row.Request, err)
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// answer sends one request.
func (s *run) answer(ctx context.Context, row string) (string, error) {
	r := read(s.placeholders().Replace(row))
	answer, err := s.send(ctx, r)
	if unreachable(err) {
		return "", err
	}
	if err != nil {
		answer = refused(err)
	}
	return abbreviated(s.hide(answer), strings.Contains(row, "generateName")), nil
}

func (s *run) placeholders() *strings.Replacer {
	return strings.NewReplacer("$name", s.name, "$ns", s.Namespace, "$gone", s.Terminating, "$first", s.first)
}

// hide puts the placeholders back into an answer.
func (s *run) hide(answer string) string {
	return strings.NewReplacer(s.name, "$name", s.Namespace, "$ns", s.Terminating, "$gone").Replace(answer)
}

// clean deletes the Events of the scene, also those with finalizers.
func (s *run) clean(ctx context.Context) error {
	var errs []error
	for namespace := range s.namespaces {
		list, err := s.Client.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{})
		errs = append(errs, err)
		for i := range list.Items {
			if event := &list.Items[i]; namespace == s.Namespace || strings.HasPrefix(event.Name, s.name) {
				errs = append(errs, s.remove(ctx, event))
			}
		}
	}
	return errors.Join(errs...)
}

func (s *run) remove(ctx context.Context, event *corev1.Event) error {
	events := s.Client.CoreV1().Events(event.Namespace)
	if len(event.Finalizers) > 0 {
		patch := []byte(`{"metadata":{"finalizers":null}}`)
		_, err := events.Patch(ctx, event.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
		if err != nil || event.DeletionTimestamp != nil {
			return err
		}
	}
	return events.Delete(ctx, event.Name, metav1.DeleteOptions{})
}
