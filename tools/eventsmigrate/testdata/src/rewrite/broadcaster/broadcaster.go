// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package broadcaster has constructors that make a recorder for a component.
package broadcaster

import (
	"context"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

const component = "sample-controller"

type controller struct {
	client   kubernetes.Interface
	recorder record.EventRecorder // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
}

// As in sample-controller: the context is the component's.
func newController(ctx context.Context, client kubernetes.Interface) *controller {
	// The broadcaster of this controller.
	eventBroadcaster := record.NewBroadcaster(record.WithContext(ctx)) // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	eventBroadcaster.StartStructuredLogging(0)
	eventBroadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}) // want "the broadcaster starts, and the end of ctx ends it"
	recorder := eventBroadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component})        // want "NewRecorder takes the component's name"
	return &controller{client: client, recorder: recorder}
}

// As in many side-cars: no context, a printf log.
func newSidecar(client *kubernetes.Clientset) *controller {
	broadcaster := record.NewBroadcaster()                                                                               // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	broadcaster.StartLogging(klog.Infof)                                                                                 // want "StartLogging takes no printf function in the events API: klog at level 0"
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events(corev1.NamespaceAll)}) // want "the broadcaster starts; no context or stop channel is in scope" "nothing ends this broadcaster: call broadcaster\\.Shutdown\\(\\) when the component ends, or what is pending then is lost"
	return &controller{
		client:   client,
		recorder: broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "sidecar"}), // want "NewRecorder takes the component's name"
	}
}

// A scheme of its own, a stop channel, the older way to a sink, an error.
func newWithScheme(client kubernetes.Interface, own *runtime.Scheme, stopCh <-chan struct{}) (record.EventRecorder, error) { // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	b := record.NewBroadcasterWithCorrelatorOptions(record.CorrelatorOptions{BurstSize: 500})                                   // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series; the events API has nothing like CorrelatorOptions"
	_ = b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: typedcorev1.New(client.CoreV1().RESTClient()).Events("")}) // want "the broadcaster starts, and stopCh ends it"
	return b.NewRecorder(own, corev1.EventSource{Component: "own"}), nil                                                        // want "NewRecorder takes the component's name"
}

// The client comes after the broadcaster.
func setup(ctx context.Context, config *rest.Config) (*controller, error) {
	scheme := runtime.NewScheme()
	// It logs what it records.
	broadcaster := record.NewBroadcaster() // no sink yet // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	broadcaster.StartLogging(klog.Infof)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}

	// And writes it.
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})                          // want "the broadcaster starts, and the end of ctx ends it"
	return &controller{client: client, recorder: broadcaster.NewRecorder(scheme, corev1.EventSource{Component: component})}, nil // want "NewRecorder takes the component's name"
}

// The host is found by itself, and what only found it goes.
func withHost(ctx context.Context, client kubernetes.Interface, namespace string) (record.EventRecorder, error) { // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	hostname, err := os.Hostname() // want "nothing else uses this"
	if err != nil {
		return nil, err
	}
	options := record.CorrelatorOptions{BurstSize: 500}                                                                              // want "nothing else uses this"
	b := record.NewBroadcaster(record.WithCorrelatorOptions(options), record.WithSleepDuration(0))                                   // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series; the events API has nothing like WithCorrelatorOptions, WithSleepDuration"
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events(namespace)})                                 // want "the broadcaster starts, and the end of ctx ends it"
	return b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component, Host: hostname}).WithLogger(klog.Background()), nil // want "NewRecorder takes the component's name; the host is found by itself"
}

// It makes everything, and waits: it drains at its end.
func run(ctx context.Context, client kubernetes.Interface, emit bool) error {
	b := record.NewBroadcaster() // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	if emit {
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}) // want "the broadcaster starts with a context, whose end ends it; at the end it writes what is pending"
	}
	recorder := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component}) // want "NewRecorder takes the component's name"
	recorder.Event(&corev1.Pod{}, corev1.EventTypeNormal, "Started", "running")        // want "Event becomes Eventf with action \"Started\""
	<-ctx.Done()
	return nil
}

// It ends what it starts already.
func runOnce(ctx context.Context, client kubernetes.Interface) {
	b := record.NewBroadcaster() // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	defer b.Shutdown()
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})                            // want "the broadcaster starts, and the end of ctx ends it"
	b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component}).Event(&corev1.Pod{}, "Normal", "Ran", "once") // want "NewRecorder takes the component's name" "Event becomes Eventf with action \"Ran\""
	<-ctx.Done()
}

// It hands its recorder out, so it must not end the broadcaster.
func (c *controller) start(ctx context.Context) error {
	b := record.NewBroadcaster()                                                                                      // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: c.client.CoreV1().Events("")})                       // want "the broadcaster starts with a context, whose end ends it"
	c.recorder = b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component}).WithLogger(klog.Background()) // want "NewRecorder takes the component's name"
	<-ctx.Done()
	return nil
}

// A context with a timeout is not the component's.
func passing(client kubernetes.Interface) record.EventRecorder { // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	ctx, cancel := context.WithTimeout(context.Background(), 1)
	defer cancel()
	_ = ctx
	b := record.NewBroadcaster()                                                              // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}) // want "the broadcaster starts; no context or stop channel is in scope" "nothing ends this broadcaster: call b\\.Shutdown\\(\\) when the component ends, or what is pending then is lost"
	return b.NewRecorder(scheme.Scheme, sourceOf("passing"))                                  // want "NewRecorder takes the component's name"
}

func sourceOf(name string) corev1.EventSource { return corev1.EventSource{Component: name} }

// The client is declared before the broadcaster, and set after it.
func setLater(ctx context.Context, config *rest.Config) record.EventRecorder { // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	var client kubernetes.Interface
	b := record.NewBroadcaster() // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
	client = kubernetes.NewForConfigOrDie(config)
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}) // want "the broadcaster starts, and the end of ctx ends it"
	return b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component})             // want "NewRecorder takes the component's name"
}

// Nothing is written anywhere.
func silent() record.EventRecorder { // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	return record.NewBroadcaster().NewRecorder(scheme.Scheme, corev1.EventSource{}) // want "the broadcaster becomes one of the events API" "NewRecorder takes the component's name" "this EventSource has no Component: give NewRecorder the component's name"
}

var factories = []func(client kubernetes.Interface) record.EventRecorder{ // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	func(client kubernetes.Interface) record.EventRecorder { // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
		b := record.NewBroadcaster()                                                              // want "the broadcaster becomes an adapter, which writes events\\.k8s\\.io/v1 series"
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}) // want "the broadcaster starts; no context or stop channel is in scope" "nothing ends this broadcaster: call b\\.Shutdown\\(\\) when the component ends, or what is pending then is lost"
		return b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "factory"})             // want "NewRecorder takes the component's name"
	},
}
