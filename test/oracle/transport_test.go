// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// transport is an http.RoundTripper that sends each request to the server of the world.
type transport struct {
	w    *world
	from *process
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		_ = req.Body.Close()
	}
	path := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	switch {
	case strings.HasSuffix(req.URL.Path, "/selfsubjectaccessreviews"):
		return t.review(req, body)
	case strings.HasSuffix(req.URL.Path, "/selfsubjectreviews"):
		return answer(req, http.StatusForbidden, &apierrors.NewForbidden(corev1.Resource("any"), "", errors.New("no")).ErrStatus), nil
	case req.URL.Path == "/apis/events.k8s.io/v1":
		return t.discover(req)
	}
	// /api/v1/namespaces/a/events/name or /apis/events.k8s.io/v1/namespaces/a/events/name
	r := &request{from: t.from, core: path[0] == "api", create: req.Method == http.MethodPost}
	rest := path[2:]
	if !r.core {
		rest = path[3:]
	}
	r.namespace = rest[1]
	if r.create {
		event, err := decode(body, req.Header.Get("Content-Type"))
		if err != nil {
			t.w.fail("a body that no API server can read", "%s %s: %v", req.Method, req.URL, err)
			return nil, err
		}
		r.event, r.name = event, event.Name
	} else {
		r.name, r.patch = rest[3], body
	}
	stored, err := t.w.do(req.Context(), r)
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &status):
		failed := status.Status()
		if failed.Details != nil && len(failed.Details.Causes) > 0 &&
			failed.Details.Causes[0].Type == metav1.CauseTypeUnexpectedServerResponse {
			return page(req, int(failed.Code)), nil
		}
		return answer(req, int(failed.Code), &failed), nil
	case err != nil:
		return nil, err
	case r.core:
		return answer(req, http.StatusOK, toCore(stored)), nil
	}
	stored.TypeMeta = metav1.TypeMeta{APIVersion: "events.k8s.io/v1", Kind: "Event"}
	return answer(req, http.StatusOK, stored), nil
}

// discover answers whether events.k8s.io/v1 is served.
func (t *transport) discover(req *http.Request) (*http.Response, error) {
	switch t.w.now("") {
	case notServed:
		return page(req, http.StatusNotFound), nil
	case badGateway, gatewayAfter:
		return page(req, http.StatusBadGateway), nil
	case refused, cutBefore, cutAfter:
		return nil, syscall.ECONNREFUSED
	}
	return answer(req, http.StatusOK, &metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"},
		GroupVersion: "events.k8s.io/v1",
		APIResources: []metav1.APIResource{{Name: "events", Kind: "Event", Namespaced: true}},
	}), nil
}

// review answers a SelfSubjectAccessReview.
func (t *transport) review(req *http.Request, body []byte) (*http.Response, error) {
	review := &authorizationv1.SelfSubjectAccessReview{}
	if _, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, review); err != nil {
		return nil, err
	}
	review.TypeMeta = metav1.TypeMeta{APIVersion: "authorization.k8s.io/v1", Kind: "SelfSubjectAccessReview"}
	review.Status.Allowed = t.w.now(review.Spec.ResourceAttributes.Namespace) != answer403
	return answer(req, http.StatusCreated, review), nil
}

// now returns the fault that all requests in a namespace have at present.
func (w *world) now(namespace string) faultKind {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.calmSince.IsZero() {
		return none
	}
	return w.lastingLocked(namespace)
}

func answer(req *http.Request, code int, object any) *http.Response {
	if status, ok := object.(*metav1.Status); ok {
		status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	}
	body, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	header := http.Header{"Content-Type": {"application/json"}}
	if status, ok := object.(*metav1.Status); ok && status.Details != nil && status.Details.RetryAfterSeconds > 0 {
		header.Set("Retry-After", fmt.Sprint(status.Details.RetryAfterSeconds))
	}
	return response(req, code, header, body)
}

// page returns a page as the answer, which an API server never gives.
func page(req *http.Request, code int) *http.Response {
	return response(req, code, http.Header{"Content-Type": {"text/html"}}, []byte("<html>"))
}

func response(req *http.Request, code int, header http.Header, body []byte) *http.Response {
	return &http.Response{
		StatusCode:    code,
		Status:        http.StatusText(code),
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        header,
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       req,
	}
}

// decode decodes an Event of either API.
func decode(body []byte, contentType string) (*eventsv1.Event, error) {
	var object runtime.Object
	var err error
	info, ok := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), contentType)
	if !ok {
		return nil, fmt.Errorf("media type %q", contentType)
	}
	object, _, err = info.Serializer.Decode(body, nil, nil)
	if err != nil {
		return nil, err
	}
	switch event := object.(type) {
	case *eventsv1.Event:
		return event, nil
	case *corev1.Event:
		return fromCore(event), nil
	}
	return nil, fmt.Errorf("a %T", object)
}

// fromCore and toCore convert an Event from and to core/v1, as the API server does.
func fromCore(e *corev1.Event) *eventsv1.Event {
	event := &eventsv1.Event{
		ObjectMeta:               e.ObjectMeta,
		EventTime:                e.EventTime,
		ReportingController:      e.ReportingController,
		ReportingInstance:        e.ReportingInstance,
		Action:                   e.Action,
		Reason:                   e.Reason,
		Regarding:                e.InvolvedObject,
		Related:                  e.Related,
		Note:                     e.Message,
		Type:                     e.Type,
		DeprecatedSource:         e.Source,
		DeprecatedFirstTimestamp: e.FirstTimestamp,
		DeprecatedLastTimestamp:  e.LastTimestamp,
		DeprecatedCount:          e.Count,
	}
	if e.Series != nil {
		event.Series = &eventsv1.EventSeries{Count: e.Series.Count, LastObservedTime: e.Series.LastObservedTime}
	}
	return event
}

func toCore(e *eventsv1.Event) *corev1.Event {
	event := &corev1.Event{
		TypeMeta:            metav1.TypeMeta{APIVersion: "v1", Kind: "Event"},
		ObjectMeta:          e.ObjectMeta,
		EventTime:           e.EventTime,
		ReportingController: e.ReportingController,
		ReportingInstance:   e.ReportingInstance,
		Action:              e.Action,
		Reason:              e.Reason,
		InvolvedObject:      e.Regarding,
		Related:             e.Related,
		Message:             e.Note,
		Type:                e.Type,
		Source:              e.DeprecatedSource,
		FirstTimestamp:      e.DeprecatedFirstTimestamp,
		LastTimestamp:       e.DeprecatedLastTimestamp,
		Count:               e.DeprecatedCount,
	}
	if e.Series != nil {
		event.Series = &corev1.EventSeries{Count: e.Series.Count, LastObservedTime: e.Series.LastObservedTime}
	}
	return event
}
