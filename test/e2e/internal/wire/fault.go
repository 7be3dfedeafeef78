// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Fault handles a request in place of, or around, next.
type Fault func(req *http.Request, next http.RoundTripper) (*http.Response, error)

// Answer does not send the request, and answers with the code and the usual Status of
// the API server.
func Answer(code int) Fault {
	return func(req *http.Request, _ http.RoundTripper) (*http.Response, error) {
		drain(req.Body)
		return status(req, code, 0), nil
	}
}

// NotServed answers as a server on which the API group is disabled: 404 in plain
// text.
func NotServed(req *http.Request, _ http.RoundTripper) (*http.Response, error) {
	drain(req.Body)
	header := http.Header{"Content-Type": {"text/plain; charset=utf-8"}}
	return respond(req, http.StatusNotFound, header, []byte("404 page not found\n")), nil
}

// ApplyThenFail sends the request, and loses the answer for one of 500 with a
// Retry-After, as a server does whose storage timed out after the write.
func ApplyThenFail(retryAfter time.Duration) Fault {
	return func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		res, err := next.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		drain(res.Body)
		return status(req, http.StatusInternalServerError, retryAfter), nil
	}
}

// Delay delays the request by one half of d, and the answer by the other half.
func Delay(d time.Duration) Fault {
	return func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		if err := pause(req, d/2); err != nil {
			drain(req.Body)
			return nil, err
		}
		res, err := next.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		if err := pause(req, d/2); err != nil {
			drain(res.Body)
			return nil, err
		}
		return res, nil
	}
}

// Hold holds requests until release is closed, forever if it is nil. It sends to
// arrived for each of them, unless that is full.
func Hold(release <-chan struct{}, arrived chan<- struct{}) Fault {
	return func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		select {
		case arrived <- struct{}{}:
		default:
		}
		select {
		case <-release:
			return next.RoundTrip(req)
		case <-req.Context().Done():
			drain(req.Body)
			return nil, req.Context().Err()
		}
	}
}

func pause(req *http.Request, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-req.Context().Done():
		return req.Context().Err()
	}
}

// status makes the answer that the API server would give with this code.
func status(req *http.Request, code int, retryAfter time.Duration) *http.Response {
	header := http.Header{"Content-Type": {"application/json"}}
	s := metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Code: int32(code), Message: "injected by the test",
		Reason: reasons[code],
	}
	if retryAfter > 0 {
		seconds := int(retryAfter.Seconds())
		header.Set("Retry-After", strconv.Itoa(seconds))
		s.Details = &metav1.StatusDetails{RetryAfterSeconds: int32(seconds)}
	}
	body, err := json.Marshal(s)
	if err != nil {
		panic(err) // a struct of strings and numbers
	}
	return respond(req, code, header, body)
}

var reasons = map[int]metav1.StatusReason{
	http.StatusForbidden:           metav1.StatusReasonForbidden,
	http.StatusInternalServerError: metav1.StatusReasonServerTimeout,
	http.StatusServiceUnavailable:  metav1.StatusReasonServiceUnavailable,
}

func respond(req *http.Request, code int, header http.Header, body []byte) *http.Response {
	return &http.Response{
		Status: strconv.Itoa(code) + " " + http.StatusText(code), StatusCode: code,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}
}

// drain reads body to its end, so that its connection can be used again.
func drain(body io.ReadCloser) {
	if body == nil {
		return
	}
	_, _ = io.Copy(io.Discard, body)
	_ = body.Close()
}
