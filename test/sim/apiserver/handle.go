// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/internal/testkit/rules"
)

// handle answers a request, in the order in which a server looks at it. The caller holds s.mu.
func (s *Server) handle(r *Request) answer {
	s.ledger.expire(s.now())
	switch {
	case r.resource == events && !s.rbac.allows(permission{r.component, r.namespace, r.group, r.verb}):
		return refusal(rules.Forbidden(r.via(), r.verb, r.namespace, r.name))
	case r.group == eventsv1.GroupName && !s.served:
		return s.notServed()
	case !r.known:
		s.violate("unknown: %s", r)
		return notFound
	case r.err != nil:
		return s.judge(r, refusal(r.err))
	}
	switch r.resource {
	case accessReviews:
		return s.review(r)
	case selfReviews:
		return object(http.StatusCreated, whoami(r.component))
	case events:
		return s.judge(r, s.write(r))
	default:
		return object(http.StatusOK, discovered())
	}
}

var notFound = text(http.StatusNotFound, "text/plain; charset=utf-8", "404 page not found\n")

// notServed is the 404 of a server that knows the group and not the version, or of one that knows neither.
func (s *Server) notServed() answer {
	if s.groupKnown {
		return refusal(rules.NotServed())
	}
	return notFound
}

// judge notes a refusal by the rules: nothing that passes the SDK deserves one.
func (s *Server) judge(r *Request, a answer) answer {
	switch a.code {
	case http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		s.violate("I7: %s was answered %s", r, a.body)
	}
	return a
}

// write stores an event, if its namespace lets it.
func (s *Server) write(r *Request) answer {
	if r.verb == "create" {
		if refused := s.admit(r); refused != nil {
			return refusal(refused)
		}
	}
	stored, err := s.store(r)
	if err != nil {
		a := refusal(err)
		a.gone = apierrors.IsNotFound(err)
		return a
	}
	code := http.StatusOK
	if r.verb == "create" {
		code = http.StatusCreated
	}
	a := object(code, stored)
	switch event := stored.(type) {
	case *corev1.Event:
		a.applied = event
	case *eventsv1.Event:
		a.applied = eventconv.ToCore(event)
	}
	return a
}

// admit is the admission plugin NamespaceLifecycle, which looks at creates only.
func (s *Server) admit(r *Request) error {
	switch s.namespaces[r.namespace] {
	case Missing:
		return apierrors.NewNotFound(corev1.Resource("namespaces"), r.namespace)
	case Terminating:
		return rules.NamespaceTerminating(r.via(), r.namespace, r.name)
	default:
		return nil
	}
}

// store is validation and etcd.
func (s *Server) store(r *Request) (stored any, err error) {
	ctx := context.Background()
	viaV1, viaCore := s.storage.EventsV1().Events(r.namespace), s.storage.CoreV1().Events(r.namespace)
	const merge = types.StrategicMergePatchType
	switch isV1 := r.group == eventsv1.GroupName; {
	case r.verb == "create" && isV1:
		stored, err = viaV1.Create(ctx, eventconv.FromCore(r.event), metav1.CreateOptions{})
	case r.verb == "create":
		stored, err = viaCore.Create(ctx, r.event, metav1.CreateOptions{})
	case isV1:
		stored, err = viaV1.Patch(ctx, r.name, merge, r.patch, metav1.PatchOptions{})
	default:
		stored, err = viaCore.Patch(ctx, r.name, merge, r.patch, metav1.PatchOptions{})
	}
	return stored, err
}

// review answers what a component may do.
func (s *Server) review(r *Request) answer {
	if s.reviewsFail {
		return refusal(apierrors.NewForbidden(authorizationv1.Resource(accessReviews), "", errors.New(
			"User cannot create resource at the cluster scope")))
	}
	asked := r.review.Spec.ResourceAttributes
	answered := r.review.DeepCopy()
	answered.TypeMeta = metav1.TypeMeta{Kind: "SelfSubjectAccessReview", APIVersion: "authorization.k8s.io/v1"}
	answered.Status.Allowed = asked.Resource == events &&
		s.rbac.allows(permission{r.component, asked.Namespace, asked.Group, asked.Verb})
	return object(http.StatusCreated, answered)
}

func whoami(component string) any {
	return &authenticationv1.SelfSubjectReview{
		TypeMeta: metav1.TypeMeta{Kind: "SelfSubjectReview", APIVersion: "authentication.k8s.io/v1"},
		Status: authenticationv1.SelfSubjectReviewStatus{UserInfo: authenticationv1.UserInfo{
			Username: "system:serviceaccount:default:" + component,
		}},
	}
}

func discovered() any {
	return &metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: eventsv1.SchemeGroupVersion.String(),
		APIResources: []metav1.APIResource{{
			Name: events, SingularName: "event", Kind: "Event", Namespaced: true, ShortNames: []string{"ev"},
			Verbs: metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
		}},
	}
}

func (s *Server) deleteEvents(namespace string) {
	err := s.storage.CoreV1().Events(namespace).DeleteCollection(
		context.Background(), metav1.DeleteOptions{}, metav1.ListOptions{})
	if err != nil {
		panic(err) // the storage takes every selector that is empty
	}
	s.ledger.empty(namespace)
}

// annotate is somebody else's write: the object's version and lease are new, its count is as it was.
func (s *Server) annotate(r *record) {
	s.sequence++
	patch := fmt.Sprintf(`{"metadata":{"annotations":{"example.com/seen":"%d"}}}`, s.sequence)
	stored, err := s.storage.CoreV1().Events(r.Namespace).Patch(
		context.Background(), r.Name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		panic(fmt.Sprintf("apiserver: the ledger holds for live what the storage has not: %v", err))
	}
	r.stored(stored, s.now())
}

func (s *Server) violate(format string, args ...any) {
	s.violations = append(s.violations, fmt.Sprintf(format, args...))
}
