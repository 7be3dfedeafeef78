// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"k8s.io/client-go/kubernetes/scheme"
)

// asJSON sends protobuf as JSON, the only encoding that the test's server reads.
type asJSON struct{ next http.RoundTripper }

func (a asJSON) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil || !strings.Contains(r.Header.Get("Content-Type"), "protobuf") {
		return a.next.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Header.Set("Content-Type", "application/json")
	r.Body, r.ContentLength, r.GetBody = io.NopCloser(bytes.NewReader(text)), int64(len(text)), nil
	return a.next.RoundTrip(r)
}
