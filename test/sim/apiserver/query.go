// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// The resources that are served.
const (
	events        = "events"
	accessReviews = "selfsubjectaccessreviews"
	selfReviews   = "selfsubjectreviews"
)

// maxBody is the largest body that a server accepts.
const maxBody = 3 << 20

// query is the decoded form of a request. It does not change, except for line, which is set when the request is
// enqueued.
type query struct {
	component, verb, group, resource, namespace, name string

	known  bool // the server has this path
	event  *corev1.Event
	patch  []byte
	review *authorizationv1.SelfSubjectAccessReview
	err    error // why the body cannot be decoded

	count       int32
	share       string // the ID of the sender's share, under continuity; then count is that of the share
	legacy      bool
	conditional bool // has a resourceVersion
	line        string
}

// newQuery decodes a request. The error is one of the transport.
func newQuery(component string, asked *http.Request) (*query, error) {
	q := &query{component: component, verb: verbs[asked.Method]}
	q.route(strings.Split(strings.Trim(asked.URL.Path, "/"), "/"))
	if asked.Body == nil {
		return q, nil
	}
	body, err := io.ReadAll(asked.Body)
	if closing := asked.Body.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, err
	}
	q.err = q.decode(asked.Header.Get("Content-Type"), body)
	return q, nil
}

var verbs = map[string]string{http.MethodGet: "get", http.MethodPost: "create", http.MethodPatch: "patch"}

// route parses the path.
func (q *query) route(path []string) {
	if len(path) > 1 && path[0] == "api" {
		path = append([]string{"apis", corev1.GroupName}, path[1:]...)
	}
	if len(path) < 3 || path[0] != "apis" || path[2] != "v1" {
		return
	}
	q.group, path = path[1], path[3:]
	if len(path) > 1 && path[0] == "namespaces" {
		q.namespace, path = path[1], path[2:]
	}
	if len(path) > 0 {
		q.resource = path[0]
	}
	if len(path) > 1 {
		q.name = path[1]
	}
	switch (schema.GroupResource{Group: q.group, Resource: q.resource}) {
	case eventsv1.Resource(""):
		q.known = q.verb == "get"
	case corev1.Resource(events), eventsv1.Resource(events):
		q.known = q.verb == "create" && q.name == "" || q.verb == "patch" && q.name != ""
	case authorizationv1.Resource(accessReviews), authenticationv1.Resource(selfReviews):
		q.known = q.verb == "create"
	}
}

// decode decodes the body.
func (q *query) decode(contentType string, body []byte) error {
	want := "application/json"
	if q.verb == "patch" {
		want = string(types.StrategicMergePatchType)
	}
	if got, _, err := mime.ParseMediaType(contentType); err != nil || got != want {
		return unsupportedMediaType(contentType, want)
	}
	if len(body) > maxBody {
		return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxBody))
	}
	switch {
	case q.resource == accessReviews:
		q.review = &authorizationv1.SelfSubjectAccessReview{}
		return q.decodeReview(body)
	case q.resource != events:
		return nil
	case q.verb == "patch":
		q.patch = body
		return q.decodePatch()
	case q.group == eventsv1.GroupName:
		return q.decodeEvent(body, &eventsv1.Event{})
	default:
		return q.decodeEvent(body, &corev1.Event{})
	}
}

func (q *query) decodeReview(body []byte) error {
	if err := unmarshal(body, q.review); err != nil {
		return err
	}
	if q.review.Spec.ResourceAttributes == nil {
		return apierrors.NewBadRequest("exactly one of nonResourceAttributes or resourceAttributes must be specified")
	}
	q.namespace = q.review.Spec.ResourceAttributes.Namespace
	return nil
}

func (q *query) decodeEvent(body []byte, into metav1.Object) error {
	if err := unmarshal(body, into); err != nil {
		return err
	}
	switch event := into.(type) {
	case *corev1.Event:
		q.event = event
	case *eventsv1.Event:
		q.event = eventconv.ToCore(event)
	}
	q.name, q.count, q.legacy = q.event.Name, countOf(q.event), q.event.EventTime.IsZero()
	q.takeShare(q.event.Annotations)
	return nil
}

// decodePatch decodes the part of a patch that the model needs. The storage validates the whole.
func (q *query) decodePatch() error {
	var body struct {
		Metadata metav1.ObjectMeta     `json:"metadata"`
		Series   *eventsv1.EventSeries `json:"series"`
		Count    int32                 `json:"count"`
	}
	if err := unmarshal(q.patch, &body); err != nil {
		return err
	}
	q.count, q.legacy = body.Count, q.group == corev1.GroupName && body.Series == nil
	if body.Series != nil {
		q.count = body.Series.Count
	}
	q.takeShare(body.Metadata.Annotations)
	q.conditional = body.Metadata.ResourceVersion != ""
	return nil
}

func unmarshal(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return nil
}

// countOf returns the number of occurrences that an event stands for.
func countOf(event *corev1.Event) int32 {
	if event.Series != nil {
		return event.Series.Count
	}
	return max(event.Count, 1)
}

func (q *query) key() recordKey {
	if q.share != "" {
		return recordKey{types.NamespacedName{Namespace: q.namespace}, q.share}
	}
	return recordKey{q.eventName(), ""}
}

func (q *query) eventName() types.NamespacedName {
	return types.NamespacedName{Namespace: q.namespace, Name: q.name}
}

func (q *query) via() schema.GroupVersion { return schema.GroupVersion{Group: q.group, Version: "v1"} }
