// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Scenario runs pipelines with every kind of recorder, and sends their Events to a server. It ends with its standard
// input.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"example.com/pipelines/pipeline"
	"example.com/pipelines/recording"
)

func main() {
	server := flag.String("server", "", "the URL of the API server that gets the Events")
	flag.Parse()
	config := &rest.Config{Host: *server, QPS: -1}
	config.ContentType = "application/json"
	client := kubernetes.NewForConfigOrDie(config)
	recorder, shutdown, err := pipeline.NewRecorder(client, "pipelines")
	if err != nil {
		log.Fatal(err)
	}
	defer shutdown()
	play(context.Background(), recorder)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func play(ctx context.Context, recorder record.EventRecorder) {
	steps := []pipeline.Step{{Name: "half", Do: nothing}, {Name: "all", Do: nothing}}
	hook := func(r record.EventRecorder, about *corev1.ConfigMap) {
		r.Event(about, corev1.EventTypeNormal, "Hooked", "by a hook")
	}
	_ = pipeline.New(pipeline.WithRecorder(recorder), pipeline.WithHook(hook)).Run(ctx, object("plain"), steps...)

	prefixed := recording.WithPrefix(recorder, "100% ")
	_ = pipeline.New(pipeline.WithRecorder(prefixed)).Run(ctx, object("prefixed"), steps...)

	once := recording.Dedup(recorder)
	for range 3 {
		_ = pipeline.New(pipeline.WithRecorder(once)).Run(ctx, object("once"), steps...)
	}
	fail := pipeline.Step{Name: "broken", Do: func(context.Context) error { return errors.New("95%d full") }}
	_ = pipeline.New(pipeline.WithRecorder(recorder)).Run(ctx, object("broken"), fail)
	_ = pipeline.New(pipeline.WithRecorder(recorder), pipeline.WithDryRun()).Run(ctx, object("dry"), steps[0])

	pipeline.TellStages(recorder, object("stages"))
	plain, custom := pipeline.Reporters(recorder)
	plain.Phase(object("reported"), "Plain")
	custom.Phase(object("reported"), "Custom")
	pipeline.Audit(plain, object("audited"))

	if r, ok := recorder.(record.EventRecorderLogger); ok {
		logged := recording.NewLogged(r, klog.Background())
		logged.AnnotatedEventf(object("logged"), map[string]string{"by": "logged"},
			corev1.EventTypeWarning, "Annotated", "%s%%", "50")
	}
	recording.Fanout{recorder}.Eventf(object("fanout"), corev1.EventTypeNormal, "Fanned", "to %d", 1)
	recording.MustFromContext(recording.NewContext(ctx, recorder)).
		Event(object("context"), corev1.EventTypeNormal, "FromContext", fmt.Sprint("out of ", "a context"))
	recording.Func(recorder.Event).Event(object("func"), corev1.EventTypeNormal, "Func", "a method value")
}

func nothing(context.Context) error { return nil }

func object(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-of-" + name)},
	}
}
