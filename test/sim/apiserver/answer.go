// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// answer is what the client gets: a response, or err in place of it.
type answer struct {
	code        int // of the server, 0 if it was not reached
	contentType string
	retryAfter  int
	body        []byte
	err         error
	applied     *corev1.Event // as the write left it
	gone        bool          // the event is not stored
}

// object answers with code and a JSON object.
func object(code int, o any) answer {
	body, err := json.Marshal(o)
	if err != nil {
		panic(fmt.Sprintf("apiserver: cannot encode %T: %v", o, err))
	}
	return answer{code: code, contentType: "application/json", body: body}
}

// text answers in plain text or HTML, as proxies and the outer filters of a server do.
func text(code int, contentType, body string) answer {
	return answer{code: code, contentType: contentType, body: []byte(body)}
}

// refusal answers with the Status that err is. The delay in its details is also a header, as on a server.
func refusal(err error) answer {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		status = apierrors.NewInternalError(err)
	}
	body := status.Status()
	body.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	a := object(int(body.Code), body)
	if body.Details != nil {
		a.retryAfter = int(body.Details.RetryAfterSeconds)
	}
	return a
}

// response returns the answer in the form of a transport.
func (a answer) response(asked *http.Request) (*http.Response, error) {
	if a.err != nil {
		return nil, a.err
	}
	header := make(http.Header)
	header.Set("Content-Type", a.contentType)
	if a.retryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(a.retryAfter))
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", a.code, http.StatusText(a.code)), StatusCode: a.code,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: asked,
	}, nil
}

// String returns the code or the transport's error, and "" if there is neither.
func (a answer) String() string {
	switch {
	case a.err != nil:
		return a.err.Error()
	case a.code == 0:
		return ""
	default:
		return strconv.Itoa(a.code)
	}
}

// isSuccess reports whether the code is 2xx.
func (a answer) isSuccess() bool { return a.err == nil && a.code >= 200 && a.code < 300 }

func unsupportedMediaType(got, want string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnsupportedMediaType,
		Reason: metav1.StatusReasonUnsupportedMediaType,
		Message: fmt.Sprintf(
			"the body of the request was in an unknown format %q - accepted media types include: %s", got, want),
	}}
}
