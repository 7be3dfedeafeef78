// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// request is what the path and the body say.
type request struct {
	namespace, name, contentType string
	body                         []byte
}

// decode returns the object in the body, be it JSON or protobuf.
func decode[T runtime.Object](r *request) (object T, err error) {
	decoded, _, err := scheme.Codecs.UniversalDeserializer().Decode(r.body, nil, nil)
	if err != nil {
		return object, apierrors.NewBadRequest(err.Error())
	}
	object, ok := decoded.(T)
	if !ok {
		return object, apierrors.NewBadRequest("another kind is expected")
	}
	return object, nil
}

// handle answers requests for pattern with what do returns.
func (s *Server) handle(pattern string, do func(*http.Request, *request) (runtime.Object, error)) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		body := &request{
			namespace: r.PathValue("ns"), name: r.PathValue("name"), contentType: r.Header.Get("Content-Type"),
		}
		var err error
		if r.Body != nil {
			body.body, err = io.ReadAll(r.Body)
		}
		var object runtime.Object
		if err == nil {
			object, err = do(r, body)
		}
		if err != nil {
			refuse(w, err)
			return
		}
		kinds, _, err := scheme.Scheme.ObjectKinds(object)
		if err != nil {
			refuse(w, err)
			return
		}
		object.GetObjectKind().SetGroupVersionKind(kinds[0])
		respond(w, http.StatusOK, object)
	})
}

// refuse answers with the Status of err.
func refuse(w http.ResponseWriter, err error) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		status = apierrors.NewInternalError(err)
	}
	answer := status.Status()
	answer.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	respond(w, int(answer.Code), &answer)
}

func respond(w http.ResponseWriter, code int, object any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(object) // into memory
}
