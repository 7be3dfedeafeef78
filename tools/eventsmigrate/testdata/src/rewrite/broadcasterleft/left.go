// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package broadcasterleft has broadcasters that need a human.
package broadcasterleft

import (
	"context"

	"thirdparty"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

func several(client, other kubernetes.Interface) {
	b := record.NewBroadcaster() // want "this broadcaster stays old: it writes to several sinks \\(left\\.go:24 and left\\.go:25\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: other.CoreV1().Events("")})
}

func otherSink(sink record.EventSink) record.EventRecorder { // want "record\\.EventSink stays with the old API: implement Create and Patch of events\\.k8s\\.io/v1 \\(eventseries/events\\.Sink\\)" "record\\.EventRecorder is events\\.EventRecorder in the events API"
	b := record.NewBroadcaster() // want "this broadcaster stays old: its sink is not made of a client's CoreV1\\(\\)\\.Events\\(\\.\\.\\.\\) right there \\(left\\.go:30\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	b.StartRecordingToSink(sink)
	return b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "other"}) // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
}

func watched(client kubernetes.Interface) {
	b := record.NewBroadcaster() // want "this broadcaster stays old: StartEventWatcher handles Events of core/v1 \\(left\\.go:36\\): give the new one a handler of events\\.k8s\\.io/v1; by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	b.StartEventWatcher(func(event *corev1.Event) { klog.Infof(event.Reason) })
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
}

func stopped(client kubernetes.Interface) {
	b := record.NewBroadcaster() // want "this broadcaster stays old: the result of StartRecordingToSink is not just stopped \\(left\\.go:42\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	sink := b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	<-sink.ResultChan()
}

func stopping() {
	b := record.NewBroadcaster() // want "this broadcaster stays old: the result of StartStructuredLogging is not just stopped \\(left\\.go:48\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	b.StartStructuredLogging(0).Stop()
}

// Dependencies are as kubelet's.
type Dependencies struct {
	EventClient typedcorev1.EventsGetter
	Recorder    record.EventRecorder // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	Broadcaster record.EventBroadcaster
}

func makeRecorder(ctx context.Context, deps *Dependencies) {
	b := record.NewBroadcaster(record.WithContext(ctx))                                    // want "this broadcaster stays old: its sink is not made of a client's CoreV1\\(\\)\\.Events\\(\\.\\.\\.\\) right there \\(left\\.go:62\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	deps.Recorder = b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "kubelet"}) // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
	if deps.EventClient != nil {
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: deps.EventClient.Events("")})
	}
}

func guarded(client kubernetes.Interface) {
	b := record.NewBroadcaster() // want "this broadcaster stays old: client may be nil \\(left\\.go:69\\): make the broadcaster where it is not; by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	if client != nil {
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	}
}

func exported(client kubernetes.Interface) *Dependencies {
	return &Dependencies{Broadcaster: record.NewBroadcaster()} // want "this broadcaster stays old: other packages may use Broadcaster; by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
}

func NewBroadcaster() record.EventBroadcaster { return record.NewBroadcaster() } // want "this broadcaster stays old: other packages may call NewBroadcaster; by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"

func schemes(client kubernetes.Interface, one, two *runtime.Scheme) {
	b := record.NewBroadcaster() // want "this broadcaster stays old: its recorders have several schemes \\(left\\.go:83\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	b.NewRecorder(one, corev1.EventSource{Component: "one"})
	b.NewRecorder(two, corev1.EventSource{Component: "two"})
}

func late(config *rest.Config) {
	b := record.NewBroadcaster() // want "this broadcaster stays old: client is not known yet where it is made; by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	recorder := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "late"})
	client := kubernetes.NewForConfigOrDie(config)
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	recorder.Event(&corev1.Pod{}, "Normal", "Late", "late")
}

func options(client kubernetes.Interface, opts ...record.BroadcasterOption) { // want "record\\.BroadcasterOption stays with the old API: options of the old broadcaster have no counterpart, delete it with what it is for"
	b := record.NewBroadcaster(opts...) // want "this broadcaster stays old: its options are not written out \\(left\\.go:95\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
}

func kept(client kubernetes.Interface) {
	m := map[string]record.EventBroadcaster{"a": record.NewBroadcaster()} // want "record\\.EventBroadcaster stays with the old API: write \\*adapter\\.Adapter here once what makes it is migrated" "this broadcaster stays old: it is kept in a map, a slice or an interface \\(left\\.go:100\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	m["a"].StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	var any interface{} = record.NewBroadcaster() // want "this broadcaster stays old: it is kept in a map, a slice or an interface \\(left\\.go:102\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	_ = any
	f := func() record.EventBroadcaster { return record.NewBroadcaster() } // want "record\\.EventBroadcaster stays with the old API: write \\*adapter\\.Adapter here once what makes it is migrated" "this broadcaster stays old: a function value returns it, or something that holds it \\(left\\.go:104\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	_ = f
}

func handed() {
	thirdparty.Broadcast(record.NewBroadcaster()) // want "this broadcaster stays old: it is handed to thirdparty\\.Broadcast \\(left\\.go:109\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	b := thirdparty.Broadcaster()
	recorder := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "thirdparty"}) // want "this broadcaster stays old: it comes from thirdparty\\.Broadcaster, which stays old"
	recorder.Event(&corev1.Pod{}, "Normal", "Handed", "over")
}

type maker interface {
	make() record.EventBroadcaster // want "record\\.EventBroadcaster stays with the old API: write \\*adapter\\.Adapter here once what makes it is migrated"
}

type makes struct{}

func (makes) make() record.EventBroadcaster { return record.NewBroadcaster() } // want "this broadcaster stays old: an interface has the method make; by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"

func takes(b record.EventBroadcaster) func() { return b.Shutdown }

func value() func(record.EventBroadcaster) func() { // want "record\\.EventBroadcaster stays with the old API: write \\*adapter\\.Adapter here once what makes it is migrated"
	takes(record.NewBroadcaster()) // want "this broadcaster stays old: its method Shutdown is used as a value \\(left\\.go:123\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
	return takes
}

type embeds struct{ record.EventBroadcaster } // want "this broadcaster stays old: it is embedded \\(left\\.go:130\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"

func correlator() *record.CorrelatorOptions { return nil } // want "record\\.CorrelatorOptions stays with the old API: the events API counts series and has no correlator, delete it with what it is for"

func taken(b record.EventBroadcaster) { b.Shutdown() } // want "this broadcaster stays old: the package does not make it; by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"

func thawed(client kubernetes.Interface) *frozen {
	return &frozen{client: client, broadcaster: record.NewBroadcaster()} // want "this broadcaster stays old: part of it is in a file that stays old \\(frozen\\.go:16\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
}

func (f *frozen) run() {
	f.broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: f.client.CoreV1().Events("")})
}

var cold = record.NewBroadcaster() // want "this broadcaster stays old: part of it is in a file that stays old \\(frozen\\.go:20\\); by hand, it becomes adapter\\.New\\(ctx, client\\) with Start\\(ctx\\), NewRecorder\\(name\\) and Shutdown\\(\\)"
