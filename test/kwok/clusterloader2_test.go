// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kwok

import (
	"bytes"
	"path/filepath"
	"testing"
	"text/template"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// loaderConfig is the part of clusterloader2's api.Config that the test uses. Its module cannot be required, because
// it is not served by the module proxy.
type loaderConfig struct {
	Name       string `json:"name"`
	Namespace  struct{ Number int }
	TuningSets []struct {
		Name          string
		GlobalQPSLoad struct {
			QPS   float64 `json:"qps"`
			Burst int
		}
	}
	Steps []struct {
		Name         string
		Measurements []struct {
			Identifier, Method string
			Params             map[string]any
		}
		Phases []struct {
			NamespaceRange       struct{ Min, Max int }
			ReplicasPerNamespace int
			TuningSet            string
			ObjectBundle         []struct{ Basename, ObjectTemplatePath string }
		}
	}
}

// The test has the shape that clusterloader2 expects: each phase has a tuning set, namespaces and a template that
// exist, what is created is deleted, and each measurement that starts is gathered.
//
// Caught: a misspelt key; a tuning set without a definition; a wait for fewer pods than there are; pods that stay; a
// measurement that is not gathered.
func TestLoaderConfig(t *testing.T) {
	var config loaderConfig
	execute(t, "config.yaml", map[string]any{"CL2_PODS_PER_NAMESPACE": 7, "CL2_NAMESPACES": 3}, &config)
	tuning := map[string]bool{}
	for _, set := range config.TuningSets {
		tuning[set.Name] = set.GlobalQPSLoad.QPS > 0 && set.GlobalQPSLoad.Burst > 0
	}
	replicas := map[string]int{}
	started := map[string]bool{}
	waited := false
	for _, step := range config.Steps {
		if (len(step.Phases) == 0) == (len(step.Measurements) == 0) {
			t.Errorf("step %q has both phases and measurements, or none", step.Name)
		}
		for _, phase := range step.Phases {
			if !tuning[phase.TuningSet] || phase.NamespaceRange.Min != 1 || phase.NamespaceRange.Max != config.Namespace.Number {
				t.Errorf("step %q: phase %+v", step.Name, phase)
			}
			for _, object := range phase.ObjectBundle {
				replicas[object.Basename] = phase.ReplicasPerNamespace
				var pod corev1.Pod
				execute(t, object.ObjectTemplatePath, map[string]any{"Name": object.Basename + "-0"}, &pod)
				if pod.Name != object.Basename+"-0" || pod.Labels["group"] != "events" {
					t.Errorf("%s: name %q, labels %v", object.ObjectTemplatePath, pod.Name, pod.Labels)
				}
			}
		}
		for _, m := range step.Measurements {
			switch m.Params["action"] {
			case "start":
				started[m.Identifier] = true
			case "gather":
				delete(started, m.Identifier)
			}
			if m.Method == "WaitForRunningPods" {
				waited = m.Params["desiredPodCount"] == float64(7*3) && m.Params["labelSelector"] == "group = events"
			}
		}
	}
	if !waited || len(started) > 0 {
		t.Errorf("waited for all pods: %v; not gathered: %v", waited, started)
	}
	for basename, n := range replicas {
		if n != 0 {
			t.Errorf("%d pods %s are left in each namespace", n, basename)
		}
	}
}

// execute reads a template of clusterloader2 strictly.
func execute(t *testing.T, name string, params map[string]any, into any) {
	t.Helper()
	file, err := template.New(name).Funcs(template.FuncMap{
		"DefaultParam": func(value, otherwise any) any {
			if value == nil {
				return otherwise
			}
			return value
		},
		"MultiplyInt": func(a, b int) int { return a * b },
	}).ParseFiles(filepath.Join("clusterloader2", name))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := file.Execute(&text, params); err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(text.Bytes(), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
