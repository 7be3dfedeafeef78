// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview

import (
	"net/http"
	"strings"
)

// DropManagedFields returns a transport that asks the API server to leave out metadata.managedFields
// in the objects that a client reads, because [Watch] and the other functions of this package do
// not use them. Set it in the configuration of the client:
//
//	config.Wrap(eventview.DropManagedFields)
//
// The transport adds the parameter drop=metadata.managedFields to each media type in the header
// Accept of a GET request, and keeps the media types without the parameter as alternatives. So the
// client decodes the same formats as before, and no server has to know the parameter. Servers up to
// Kubernetes 1.37 ignore it. Kubernetes 1.38 obeys it if its feature gate ManagedFieldsOptOut is
// on, and ignores it otherwise (KEP-5958).
func DropManagedFields(transport http.RoundTripper) http.RoundTripper {
	return withoutManagedFields{transport}
}

// withoutManagedFields is the transport of [DropManagedFields].
type withoutManagedFields struct {
	next http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (t withoutManagedFields) RoundTrip(request *http.Request) (*http.Response, error) {
	accept := request.Header.Get("Accept")
	if request.Method != http.MethodGet || accept == "" {
		return t.next.RoundTrip(request)
	}
	var smaller strings.Builder
	for mediaType := range strings.SplitSeq(accept, ",") {
		smaller.WriteString(strings.TrimSpace(mediaType) + ";drop=metadata.managedFields,")
	}
	// A transport must not change the request of its caller.
	request = request.Clone(request.Context())
	request.Header.Set("Accept", smaller.String()+accept)
	return t.next.RoundTrip(request)
}
