// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"context"
	"fmt"
	"slices"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
)

// send sends a request; the answer is what is said about its success.
func (s *run) send(ctx context.Context, r request) (string, error) {
	client := s.Client
	if r.asUser {
		client = s.User
	}
	switch r.verb {
	case "review":
		return review(ctx, client, r.group)
	case "discover":
		return discover(client, r.group)
	case "terminate":
		return "ok", s.Terminate(ctx, r.group)
	case "seen":
		return s.watch.seen(ctx, r.group), nil
	}
	name, namespace := s.route(r)
	g := groupOf(client, name, namespace)
	if namespace != metav1.NamespaceAll {
		s.namespaces[namespace] = true
	}
	switch r.verb {
	case "create", "update", "patch":
		return s.write(ctx, g, r)
	case "get":
		event, err := g.get(ctx, s.current)
		if err != nil {
			return "", err
		}
		return "ok " + shown(event, strings.Fields(r.rest)), nil
	case "list":
		return names(ctx, g, r)
	case "delete":
		options := metav1.DeleteOptions{DryRun: r.dryRun()}
		if r.rest != "" {
			decode(r.rest, &options)
		}
		return "ok", g.Delete(ctx, s.current, options)
	case "deletecollection":
		return "ok", g.DeleteCollection(ctx, metav1.DeleteOptions{DryRun: r.dryRun()}, r.selectors())
	case "watch":
		s.watch.stop()
		var err error
		s.watch, err = startWatch(ctx, g, r.selectors())
		return "ok", err
	default:
		panic(fmt.Sprintf("parity: no verb %q", r.verb))
	}
}

// route splits GROUP and GROUP/NAMESPACE.
func (s *run) route(r request) (group, namespace string) {
	group, namespace, found := strings.Cut(r.group, "/")
	switch {
	case !found:
		return group, s.Namespace
	case namespace == "*":
		return group, metav1.NamespaceAll
	default:
		return group, namespace
	}
}

// write sends a write. The answer says by the resource version whether the Event changed. The name becomes the scene's
// current one.
func (s *run) write(ctx context.Context, g group, r request) (string, error) {
	_, namespace := s.route(r)
	before := s.version(ctx, namespace)
	var written event
	var err error
	switch r.verb {
	case "create":
		written, err = g.create(ctx, r, s.current)
	case "update":
		written, err = g.update(ctx, r, s.current)
	case "patch":
		written, err = g.patch(ctx, r, s.current)
	}
	if err != nil {
		return "", err
	}
	s.current = written.GetName()
	if s.first == "" {
		s.first, s.uid = written.GetResourceVersion(), string(written.GetUID())
	}
	switch now := written.GetResourceVersion(); {
	case now == "":
		return "ok, not stored", nil
	case r.verb == "create":
		return "ok", nil
	case now == before:
		return "ok unchanged", nil
	default:
		return "ok changed", nil
	}
}

// version is the resource version of the current Event, "" if there is none.
func (s *run) version(ctx context.Context, namespace string) string {
	stored, err := s.Client.CoreV1().Events(namespace).Get(ctx, s.current, metav1.GetOptions{})
	if err != nil {
		return ""
	}
	return stored.ResourceVersion
}

// names answers a list, in the order of the names: a server's own is another over several namespaces.
func names(ctx context.Context, g group, r request) (string, error) {
	list, err := g.list(ctx, r.selectors())
	if err != nil {
		return "", err
	}
	var found []string
	err = meta.EachListItem(list, func(item runtime.Object) error {
		found = append(found, item.(event).GetName())
		return nil
	})
	if err != nil {
		return "", err
	}
	slices.Sort(found)
	return strings.Join(append([]string{"ok"}, found...), " "), nil
}

func review(ctx context.Context, client kubernetes.Interface, attributes string) (string, error) {
	asked := &authorizationv1.SelfSubjectAccessReview{}
	decode(attributes, &asked.Spec.ResourceAttributes)
	answer, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, asked, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("ok allowed=%t denied=%t", answer.Status.Allowed, answer.Status.Denied), nil
}

// discover answers with what is said about Events.
func discover(client kubernetes.Interface, version string) (string, error) {
	list, err := client.Discovery().ServerResourcesForGroupVersion(version)
	if err != nil {
		return "", err
	}
	words := []string{"ok", list.GroupVersion}
	for _, r := range list.APIResources {
		if r.Kind == "Event" {
			words = append(words, fmt.Sprintf("%s %s namespaced=%t %v %v",
				r.Name, r.Kind, r.Namespaced, r.Verbs, r.ShortNames))
		}
	}
	return strings.Join(words, " "), nil
}
