// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"path"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	typedauthenticationv1 "k8s.io/client-go/kubernetes/typed/authentication/v1"
	typedauthorizationv1 "k8s.io/client-go/kubernetes/typed/authorization/v1"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/apiclient"
)

// attachSink lets the adapter write through the client behind a sink. A sink without
// one cannot be asked which APIs the server has, and takes core/v1 Events.
func (a *Adapter) attachSink(sink record.EventSink) error {
	if client := apiclient.RESTClient(sink); client != nil {
		a.attachClient(&coreClientset{kubernetes.New(client), client})
		return nil
	}
	writer, err := apiclient.NewCoreWriter(sink)
	if err != nil {
		return err
	}
	core := apiclient.NewCoreV1Over(writer)
	a.router.sinks = map[API]events.Sink{EventsV1: core, CoreV1: core}
	a.router.support.fix(discovery.NotServed)
	a.attachCore(sink)
	return nil
}

// coreClientset is a clientset made of the REST client of core/v1, for the groups that
// the adapter needs. They share its connection, rate limiter and encoding.
type coreClientset struct {
	kubernetes.Interface // of which core/v1 and discovery work
	client               rest.Interface
}

func (c *coreClientset) EventsV1() typedeventsv1.EventsV1Interface {
	return typedeventsv1.New(groupClient{c.client, eventsv1.SchemeGroupVersion})
}

func (c *coreClientset) AuthorizationV1() typedauthorizationv1.AuthorizationV1Interface {
	return typedauthorizationv1.New(groupClient{c.client, authorizationv1.SchemeGroupVersion})
}

func (c *coreClientset) AuthenticationV1() typedauthenticationv1.AuthenticationV1Interface {
	return typedauthenticationv1.New(groupClient{c.client, authenticationv1.SchemeGroupVersion})
}

// groupClient sends the requests of a REST client to another group.
type groupClient struct {
	rest.Interface
	group schema.GroupVersion
}

func (c groupClient) in(r *rest.Request) *rest.Request {
	return r.AbsPath(path.Join("/apis", c.group.Group, c.group.Version))
}

func (c groupClient) Verb(verb string) *rest.Request { return c.in(c.Interface.Verb(verb)) }

func (c groupClient) Post() *rest.Request { return c.in(c.Interface.Post()) }

func (c groupClient) Put() *rest.Request { return c.in(c.Interface.Put()) }

func (c groupClient) Patch(pt types.PatchType) *rest.Request { return c.in(c.Interface.Patch(pt)) }

func (c groupClient) Get() *rest.Request { return c.in(c.Interface.Get()) }

func (c groupClient) Delete() *rest.Request { return c.in(c.Interface.Delete()) }

func (c groupClient) APIVersion() schema.GroupVersion { return c.group }
