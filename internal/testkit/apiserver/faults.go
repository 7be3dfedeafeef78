// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// Exchange returns the answer of handler to r, as a client receives it. If handler panics with
// http.ErrAbortHandler, Exchange returns an error, as for a broken connection. If the context of r
// ends, Exchange returns the error of the context.
func Exchange(handler http.Handler, r *http.Request) (response *http.Response, err error) {
	if r.Body != nil {
		defer func() { _ = r.Body.Close() }()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	defer func() {
		switch cause := recover(); cause {
		case nil:
		case http.ErrAbortHandler:
			response = nil
			err = io.ErrUnexpectedEOF
		default:
			panic(cause)
		}
	}()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r.Clone(r.Context()))
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	response = w.Result()
	response.Request = r
	return response, nil
}

// Object returns a handler that answers with object, in the first encoding that the client accepts.
func Object(code int, object runtime.Object) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		accepted, _, _ := strings.Cut(r.Header.Get("Accept"), ",")
		info, ok := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), accepted)
		if !ok {
			info, _ = runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
		}
		kinds, _, err := scheme.Scheme.ObjectKinds(object)
		if err != nil {
			panic(err)
		}
		w.Header().Set("Content-Type", info.MediaType)
		w.WriteHeader(code)
		encoder := scheme.Codecs.EncoderForVersion(info.Serializer, kinds[0].GroupVersion())
		// Encode a copy, because the encoder sets the kind of its object, and requests run
		// concurrently. An error means that the client is gone, which does not matter.
		_ = encoder.Encode(object.DeepCopyObject(), w)
	}
}

// Refuse returns a handler that answers with the Status in err. If the details contain a delay, the
// answer also has a Retry-After header. If err is not a Status, the handler breaks off the
// connection.
func Refuse(err error) http.HandlerFunc {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return Reset
	}
	refusal := status.Status()
	var header []string
	if refusal.Details != nil && refusal.Details.RetryAfterSeconds > 0 {
		header = []string{"Retry-After", strconv.Itoa(int(refusal.Details.RetryAfterSeconds))}
	}
	return withHeader(header, Object(int(refusal.Code), &refusal))
}

// Text returns a handler that answers with body. header contains alternating names and values.
func Text(code int, contentType, body string, header ...string) http.HandlerFunc {
	return withHeader(append(header, "Content-Type", contentType), func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	})
}

// UnknownPath is a handler that answers as an API server that does not know the path, because it does
// not serve the API group. It is the answer of Kubernetes up to 1.37.
var UnknownPath = Text(http.StatusNotFound, "text/plain; charset=utf-8", "404 page not found\n")

// UnknownPath138 is UnknownPath as Kubernetes 1.38 answers: with a Status that has no details
// (kubernetes#138219).
var UnknownPath138 = Object(http.StatusNotFound, &metav1.Status{
	Status:  metav1.StatusFailure,
	Code:    http.StatusNotFound,
	Reason:  metav1.StatusReasonNotFound,
	Message: "the server could not find the requested resource",
})

// withHeader returns a handler that sets the names and values of header and then calls next.
func withHeader(header []string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		next(w, r)
	}
}

// Hang is a handler that never answers. It returns when the client has given up.
func Hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// Reset is a handler that breaks off the connection.
func Reset(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
