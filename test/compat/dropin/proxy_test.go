// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dropin

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"

	"k8s.io/client-go/tools/events"
)

// proxy is a node's proxy.
type proxy struct {
	Broadcaster events.EventBroadcaster
	Recorder    events.EventRecorder
	NodeRef     *corev1.ObjectReference
}

func newProxy(client kubernetes.Interface) *proxy {
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	return &proxy{
		Broadcaster: broadcaster,
		Recorder:    broadcaster.NewRecorder(scheme.Scheme, "kube-proxy"),
		NodeRef:     &corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "node-1", UID: "node-1"},
	}
}

// startProxy ends with a channel, as kube-proxy's own broadcaster does.
func startProxy(_ context.Context, client kubernetes.Interface) (shutdown func(), err error) {
	s := newProxy(client)
	stop := make(chan struct{})
	s.Broadcaster.StartRecordingToSink(stop)
	s.Run()
	return func() { s.Broadcaster.Shutdown(); close(stop) }, nil
}

// startProxyWithContext ends with a context.
func startProxyWithContext(ctx context.Context, client kubernetes.Interface) (shutdown func(), err error) {
	s := newProxy(client)
	ctx, cancel := context.WithCancel(ctx)
	if err := s.Broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		cancel()
		return nil, err
	}
	s.Run()
	return func() { s.Broadcaster.Shutdown(); cancel() }, nil
}

// Run is what there is to record about a proxy.
func (s *proxy) Run() {
	taken := errors.New("listen tcp 0.0.0.0:10256: bind: address already in use")
	s.Recorder.Eventf(s.NodeRef, nil, corev1.EventTypeNormal, "Starting", "StartKubeProxy", "")
	for range 2 {
		s.Recorder.Eventf(s.NodeRef, nil, corev1.EventTypeWarning, "FailedToStartProxierHealthcheck",
			"StartKubeProxy", taken.Error())
	}
	service := &corev1.Service{}
	service.Namespace, service.Name, service.UID = "default", "web", "web"
	s.Recorder.Eventf(service, s.NodeRef, corev1.EventTypeWarning, "KubeProxyReceivedStaleEndpoints", "Sync",
		"%d endpoints of %s are gone", 2, service.Name)
}
