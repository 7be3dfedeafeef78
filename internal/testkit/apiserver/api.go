// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
)

// creates is the subset of a typed client for resources that can only be created, such as reviews.
type creates[T runtime.Object] interface {
	Create(ctx context.Context, object T, opts metav1.CreateOptions) (T, error)
}

// resource is the subset of a typed client that is used for Events and Leases.
type resource[T, L runtime.Object] interface {
	creates[T]
	Update(ctx context.Context, object T, opts metav1.UpdateOptions) (T, error)
	Patch(ctx context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions,
		subresources ...string) (T, error)
	Get(ctx context.Context, name string, opts metav1.GetOptions) (T, error)
	List(ctx context.Context, opts metav1.ListOptions) (L, error)
	Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error
	DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error
}

// register registers all paths that the server serves.
func (s *Server) register() {
	serveResource(s, "/apis/events.k8s.io/v1", "events", s.EventsV1().Events)
	serveResource(s, "/api/v1", "events", s.CoreV1().Events)
	serveResource(s, "/apis/coordination.k8s.io/v1", "leases", s.CoordinationV1().Leases)
	serveCreate(s, "/api/v1/namespaces", s.CoreV1().Namespaces())
	serveCreate(s, "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
		s.AuthorizationV1().SelfSubjectAccessReviews())
	serveCreate(s, "/apis/authentication.k8s.io/v1/selfsubjectreviews", s.AuthenticationV1().SelfSubjectReviews())
	s.handle("GET /api/v1", func(*http.Request) (runtime.Object, error) {
		return s.Discovery().ServerResourcesForGroupVersion("v1")
	})
	s.handle("GET /apis/{group}/{version}", func(r *http.Request) (runtime.Object, error) {
		return s.Discovery().ServerResourcesForGroupVersion(r.PathValue("group") + "/" + r.PathValue("version"))
	})
}

// serveCreate serves a resource that can only be created.
func serveCreate[T runtime.Object, C creates[T]](s *Server, path string, client C) {
	s.handle("POST "+path, func(r *http.Request) (runtime.Object, error) { return create[T](r, client) })
}

// create decodes a request and creates its object.
func create[T runtime.Object](r *http.Request, client creates[T]) (runtime.Object, error) {
	object, opts := *new(T), metav1.CreateOptions{}
	if err := errors.Join(decode(r, &object), options(r, &opts)); err != nil {
		return nil, err
	}
	return client.Create(r.Context(), object, opts)
}

// serveResource serves a namespaced resource. A path without a namespace stands for all namespaces.
func serveResource[T, L runtime.Object, C resource[T, L]](s *Server, group, name string, in func(string) C) {
	for _, path := range []string{group + "/" + name, group + "/namespaces/{namespace}/" + name} {
		s.handle(path, func(r *http.Request) (runtime.Object, error) {
			return serveAll[T, L](r, in(r.PathValue("namespace")))
		})
		s.handle(path+"/{name}", func(r *http.Request) (runtime.Object, error) {
			return serveOne[T, L](r, in(r.PathValue("namespace")), r.PathValue("name"))
		})
	}
}

// serveAll serves a request about a collection.
func serveAll[T, L runtime.Object](r *http.Request, client resource[T, L]) (runtime.Object, error) {
	if r.Method == http.MethodPost {
		return create(r, client)
	}
	opts := &metav1.DeleteOptions{}
	listOpts := metav1.ListOptions{}
	if err := errors.Join(options(r, opts), decode(r, &opts), options(r, &listOpts)); err != nil {
		return nil, err
	}
	if r.Method == http.MethodDelete {
		return success, client.DeleteCollection(r.Context(), *opts, listOpts)
	}
	return client.List(r.Context(), listOpts)
}

// serveOne serves a request about one object.
func serveOne[T, L runtime.Object](r *http.Request, client resource[T, L], name string) (runtime.Object, error) {
	switch r.Method {
	case http.MethodPut:
		object, opts := *new(T), metav1.UpdateOptions{}
		if err := errors.Join(decode(r, &object), options(r, &opts)); err != nil {
			return nil, err
		}
		return client.Update(r.Context(), object, opts)
	case http.MethodPatch:
		opts := metav1.PatchOptions{}
		body, err := io.ReadAll(r.Body)
		if err := errors.Join(err, options(r, &opts)); err != nil {
			return nil, err
		}
		return client.Patch(r.Context(), name, types.PatchType(r.Header.Get("Content-Type")), body, opts)
	case http.MethodDelete:
		opts := &metav1.DeleteOptions{}
		if err := errors.Join(options(r, opts), decode(r, &opts)); err != nil {
			return nil, err
		}
		return success, client.Delete(r.Context(), name, *opts)
	default:
		return client.Get(r.Context(), name, metav1.GetOptions{})
	}
}

// success is the answer to a deletion.
var success = &metav1.Status{Status: metav1.StatusSuccess}

// options decodes the query of a request into an options object, such as a ListOptions.
func options(r *http.Request, into runtime.Object) error {
	return scheme.ParameterCodec.DecodeParameters(r.URL.Query(), schema.GroupVersion{Version: "v1"}, into)
}

// decode decodes the body of a request into the given object. If the body is empty, the object is
// unchanged.
func decode[T runtime.Object](r *http.Request, into *T) error {
	body, err := io.ReadAll(r.Body)
	if err != nil || len(body) == 0 {
		return err
	}
	mediaTypes := scheme.Codecs.SupportedMediaTypes()
	contentType := r.Header.Get("Content-Type")
	info, ok := runtime.SerializerInfoForMediaType(mediaTypes, contentType)
	if !ok {
		return apierrors.NewGenericServerResponse(http.StatusUnsupportedMediaType, r.Method, schema.GroupResource{},
			"", "the body is in an unknown format "+strconv.Quote(contentType), 0, true)
	}
	decoded, _, err := info.Serializer.Decode(body, nil, nil)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	object, ok := decoded.(T)
	if !ok {
		return apierrors.NewBadRequest("the body has another kind")
	}
	*into = object
	return nil
}

// handle answers requests that match pattern with the object or the error that the function do
// returns. If the error is not a Status, the connection is broken off.
func (s *Server) handle(pattern string, do func(*http.Request) (runtime.Object, error)) {
	s.api.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		object, err := do(r)
		code := http.StatusOK
		if r.Method == http.MethodPost {
			code = http.StatusCreated
		}
		answer := Object(code, object)
		if err != nil {
			answer = Refuse(err)
		}
		answer(w, r)
	})
}
