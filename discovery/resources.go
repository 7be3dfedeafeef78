// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"context"
	"errors"
	"slices"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientdiscovery "k8s.io/client-go/discovery"

	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/usercode"
)

// eventResources asks for the one group version and not for the list of all groups,
// whose aggregated form servers before 1.26 do not know.
func eventResources(
	ctx context.Context, client clientdiscovery.DiscoveryInterface,
) (*metav1.APIResourceList, error) {
	if rc := client.RESTClient(); !usercode.IsNil(rc) {
		list := &metav1.APIResourceList{}
		return list, apiclient.Do(ctx, rc.Get().AbsPath("/apis", eventsv1.GroupName, "v1")).Into(list)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// client-go has had discovery that takes a context since v0.37.
	type contextual interface {
		ServerResourcesForGroupVersionWithContext(
			ctx context.Context, groupVersion string,
		) (*metav1.APIResourceList, error)
	}
	if c, ok := client.(contextual); ok {
		return c.ServerResourcesForGroupVersionWithContext(ctx, eventsv1.SchemeGroupVersion.String())
	}
	return client.ServerResourcesForGroupVersion(eventsv1.SchemeGroupVersion.String())
}

// isAbsent reports whether err says that the group version is not there. A server
// that knows the group answers 404 with a Status without details, one that does not
// with plain text, which client-go makes a Status with cause
// UnexpectedServerResponse. A Status that names an object comes from something in
// front of the server and is about that object.
func isAbsent(err error) bool {
	var status apierrors.APIStatus
	if !apierrors.IsNotFound(err) || !errors.As(err, &status) {
		return false
	}
	details := status.Status().Details
	return details == nil || details.Name == ""
}

// namesEvents reports whether events are in list; a 200 alone proves nothing.
func namesEvents(list *metav1.APIResourceList) bool {
	return list != nil && slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool {
		return r.Name == "events"
	})
}
