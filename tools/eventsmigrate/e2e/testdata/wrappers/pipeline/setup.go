// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package pipeline

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"

	"example.com/statuskit"

	"example.com/pipelines/recording"
)

// NewRecorder returns a recorder, and what ends it.
func NewRecorder(client kubernetes.Interface, component string) (record.EventRecorder, func(), error) {
	if component == "" {
		return nil, nil, errors.New("no component")
	}
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	return broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component}), broadcaster.Shutdown, nil
}

// Reporters are what the library makes of the recorder.
func Reporters(recorder record.EventRecorder) (plain, custom *statuskit.Reporter) {
	plain = statuskit.New(statuskit.Options{Recorder: recorder})
	custom = statuskit.New(statuskit.Options{Emit: recorder.Eventf})
	return plain, custom
}

// Audit records through the recorder that the library keeps.
func Audit(reporter *statuskit.Reporter, pipeline *corev1.ConfigMap) {
	recorder := reporter.Recorder()
	recorder.Event(pipeline, corev1.EventTypeNormal, "Audited", "by the library's recorder")
	recording.Record(reporter.Recorder(), pipeline, "AuditedTwice", "%d times", 2)
}

// stages are the recorders of a pipeline by their stage.
type stages map[string]record.EventRecorder

func newStages(recorder record.EventRecorder, names ...string) stages {
	s := stages{}
	for _, name := range names {
		s[name] = recording.WithPrefix(recorder, name+": ")
	}
	return s
}

// TellStages records about every stage.
func TellStages(recorder record.EventRecorder, pipeline *corev1.ConfigMap) {
	all := newStages(recorder, "build", "test")
	all["build"].Event(pipeline, corev1.EventTypeNormal, "StageBuild", "100% compiled")
	if r, ok := all["test"]; ok {
		r.Eventf(pipeline, corev1.EventTypeNormal, "StageTest", "%d of %d passed", 9, 9)
	}
	pool := recording.NewPool(recorder, all["build"])
	pool.With(func(r record.EventRecorder) {
		r.Event(pipeline, corev1.EventTypeNormal, "Pooled", "from the pool")
	})
	scoped := recording.Scope(recorder, pipeline)
	scoped.Normal("Scoped", "about one object")
	scoped.Warningf("ScopedWarning", "%d%% of the objects", 1)
	recording.Each(recorder, []*corev1.ConfigMap{pipeline}, "Each", "one of many")
	recording.Record[*corev1.ConfigMap](recorder, pipeline, "Recorded", "no verbs, 100%% sure")
}
