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

// handle answers a request. The checks are in the order of a kube-apiserver. The caller holds s.mu.
func (s *Server) handle(r *Request) answer {
	s.history.expire(s.now())
	switch {
	case r.resource == events && !s.rbac.allows(permission{r.component, r.namespace, r.group, r.verb}):
		return refusal(rules.Forbidden(r.via(), r.verb, r.namespace, r.name))
	case r.group == eventsv1.GroupName && !s.served:
		return s.notServed()
	case !r.known:
		s.violate("unknown: %s", r)
		return notFound
	case r.err != nil:
		return s.checkRefusal(r, refusal(r.err))
	}
	switch r.resource {
	case accessReviews:
		return s.review(r)
	case selfReviews:
		return object(http.StatusCreated, whoami(r.component))
	case events:
		return s.checkRefusal(r, s.write(r))
	default:
		list, err := s.storage.Discovery().ServerResourcesForGroupVersion(eventsv1.SchemeGroupVersion.String())
		if err != nil {
			return refusal(err)
		}
		return object(http.StatusOK, list)
	}
}

var notFound = text(http.StatusNotFound, "text/plain; charset=utf-8", "404 page not found\n")

// notServed is the 404 of a server that does not know the version, or neither version nor group.
func (s *Server) notServed() answer {
	if s.groupKnown {
		return refusal(rules.NotServed())
	}
	return notFound
}

// checkRefusal records a violation if the rules refuse what the SDK sends (I7).
func (s *Server) checkRefusal(r *Request, a answer) answer {
	switch a.code {
	case http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		s.violate("I7: %s was answered %s", r, a.body)
	}
	return a
}

// write stores an event, if its namespace is active.
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

// admit is the admission plugin NamespaceLifecycle, which checks creates only.
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

// review answers an access review.
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

func (s *Server) deleteEvents(namespace string) {
	err := s.storage.CoreV1().Events(namespace).DeleteCollection(
		context.Background(), metav1.DeleteOptions{}, metav1.ListOptions{})
	if err != nil {
		panic(err) // an empty selector is valid
	}
	s.history.empty(namespace)
}

// annotate is the write of another client. It changes the version and renews the TTL, but not the count.
func (s *Server) annotate(r *record) {
	s.sequence++
	patch := fmt.Sprintf(`{"metadata":{"annotations":{"example.com/seen":"%d"}}}`, s.sequence)
	stored, err := s.storage.CoreV1().Events(r.Namespace).Patch(
		context.Background(), r.Name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		panic(fmt.Sprintf("apiserver: an event of the history is not stored: %v", err))
	}
	s.history.apply(stored, r.key, r.Group, s.now())
}

func (s *Server) violate(format string, args ...any) {
	s.violations = append(s.violations, fmt.Sprintf(format, args...))
}
