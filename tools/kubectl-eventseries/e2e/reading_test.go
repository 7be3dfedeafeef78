// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/command"
)

// shop makes a Deployment with a ReplicaSet and twelve Pods, and another Pod, and has the SDK and client-go record about them.
func (r *rig) shop() {
	r.Helper()
	labels := map[string]string{"app": "web"}
	template := corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web"}}},
	}
	meta := func(name string, owner metav1.Object, kind string) metav1.ObjectMeta {
		m := metav1.ObjectMeta{Namespace: r.namespace, Name: name, Labels: labels}
		if owner != nil {
			m.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, appsv1.SchemeGroupVersion.WithKind(kind))}
		}
		return m
	}
	selector := &metav1.LabelSelector{MatchLabels: labels}
	web, err := r.admin.AppsV1().Deployments(r.namespace).Create(r.Context(), &appsv1.Deployment{
		ObjectMeta: meta("web", nil, ""), Spec: appsv1.DeploymentSpec{Selector: selector, Template: template},
	}, metav1.CreateOptions{})
	r.must(err)
	set, err := r.admin.AppsV1().ReplicaSets(r.namespace).Create(r.Context(), &appsv1.ReplicaSet{
		ObjectMeta: meta("web-1", web, "Deployment"), Spec: appsv1.ReplicaSetSpec{Selector: selector, Template: template},
	}, metav1.CreateOptions{})
	r.must(err)
	pod := func(m metav1.ObjectMeta) *corev1.Pod {
		p, err := r.admin.CoreV1().Pods(r.namespace).Create(r.Context(), &corev1.Pod{ObjectMeta: m, Spec: template.Spec}, metav1.CreateOptions{})
		r.must(err)
		return p
	}
	a, err := adapter.NewForConfig(r.Context(), r.config)
	r.must(err)
	r.must(a.Start(r.Context()))
	old := record.NewBroadcaster(record.WithContext(r.Context()))
	old.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: r.admin.CoreV1().Events(r.namespace)})
	oldRecorder := old.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "old"})
	recorder := a.Recorder("example.com/shop")
	for n := range 5 {
		recorder.Eventf(web, set, "Warning", "Unavailable", "Reconcile", "%d replicas are unavailable", n)
	}
	for n := range 12 {
		p := pod(meta(fmt.Sprintf("web-1-%d", n), set, "ReplicaSet"))
		recorder.Eventf(p, nil, "Normal", "Pulled", "Pull", "the image is there")
		if n == 0 {
			for range 3 {
				oldRecorder.Event(p, "Warning", "BackOff", "the container crashed")
			}
		}
	}
	recorder.Eventf(pod(meta("other", nil, "")), nil, "Normal", "Started", "Start", "it runs")
	r.must(a.Drain(r.Context()))
	r.await("client-go to write", func() bool {
		list, err := r.admin.CoreV1().Events(r.namespace).List(r.Context(), metav1.ListOptions{FieldSelector: "reason=BackOff"})
		r.must(err)
		return len(list.Items) == 1 && list.Items[0].Count == 3
	})
	old.Shutdown()
}

// item is a part of what -o json has.
type item struct {
	Reason string
	Count  int64
}

// counts returns the occurrences by reason that the timeline has.
func (r *rig) counts(args ...string) map[string]int64 {
	r.Helper()
	stdout, stderr, code := r.eventseries(r.Context(), append(args, "-o", "json")...)
	var list struct{ Items []item }
	if err := json.Unmarshal([]byte(stdout), &list); err != nil || code != 0 || stderr != "" {
		r.Fatalf("%d, %v\n%s%s", code, err, stdout, stderr)
	}
	counts := map[string]int64{}
	for _, e := range list.Items {
		counts[e.Reason] += e.Count
	}
	return counts
}

func TestTimeline(t *testing.T) {
	r := newRig(t)
	r.shop()
	for name, test := range map[string]struct {
		args []string
		want map[string]int64
	}{
		"namespace":   {nil, map[string]int64{"Unavailable": 5, "Pulled": 12, "BackOff": 3, "Started": 1}},
		"object":      {[]string{"deployment/web"}, map[string]int64{"Unavailable": 5}},
		"two objects": {[]string{"pods", "web-1-0", "other"}, map[string]int64{"Pulled": 1, "BackOff": 3, "Started": 1}},
		"children":    {[]string{"deploy", "web", "--children"}, map[string]int64{"Unavailable": 5, "Pulled": 12, "BackOff": 3}},
		"set":         {[]string{"rs/web-1", "--children"}, map[string]int64{"Pulled": 12, "BackOff": 3}},
		"related":     {[]string{"rs/web-1", "--related"}, map[string]int64{"Unavailable": 5}},
		"is gone":     {[]string{"pod/gone"}, map[string]int64{}},
		"types":       {[]string{"--types", "warning"}, map[string]int64{"Unavailable": 5, "BackOff": 3}},
		"reasons":     {[]string{"--reason", "BackOff,Started", "--since", "1h"}, map[string]int64{"BackOff": 3, "Started": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, r.counts(test.args...)); diff != "" {
				t.Errorf("occurrences (-want +got):\n%s", diff)
			}
		})
	}
}

// The ClusterRole view is enough. Without controllers, its rules are in the one that it aggregates.
func TestTimelineOfAViewer(t *testing.T) {
	r := newRig(t)
	r.shop()
	viewer, err := plane.AddUser(envtest.User{Name: "viewer"}, nil)
	r.must(err)
	user, err := viewer.KubeConfig()
	r.must(err)
	r.kubectl("create", "rolebinding", "viewer", "-n", r.namespace, "--clusterrole=system:aggregate-to-view", "--user=viewer")
	admin := r.kubeconfig
	r.kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	r.must(os.WriteFile(r.kubeconfig, user, 0o600))
	r.await("the authorizer", func() bool {
		_, _, code := r.eventseries(t.Context())
		return code == 0
	})
	if got := r.counts("deployment/web", "--children"); got["BackOff"] != 3 || got["Pulled"] != 12 {
		t.Errorf("a viewer sees %v", got)
	}
	d := r.doctor("--in", r.namespace)
	if len(d.NotChecked) != 2 || !strings.Contains(strings.Join(d.NotChecked, "\n"), `forbidden: User "viewer" cannot list resource "validatingwebhook`) {
		t.Errorf("a viewer's doctor does not check %q, want what the viewer may not read", d.NotChecked)
	}
	if _, stderr, code := r.eventseries(t.Context(), "-A"); code != 1 || !strings.Contains(stderr, "forbidden") {
		t.Errorf("in all namespaces: %d, %q, want 1 and why", code, stderr)
	}
	r.kubeconfig = admin
	if _, stderr, code := r.eventseries(t.Context(), "--as", "nobody"); code != 1 || !strings.Contains(stderr, `"nobody"`) {
		t.Errorf("--as: %d, %q, want 1 and whom", code, stderr)
	}
}

func TestTables(t *testing.T) {
	r := newRig(t)
	r.shop()
	for _, test := range []struct {
		args string
		want []string // parts of the output
	}{
		{"", []string{"LAST SEEN", "Deployment/web", "example.com/shop", "0 replicas are unavailable"}},
		{"-o wide", []string{"ReplicaSet/web-1", "Reconcile"}},
		{"-A", []string{"NAMESPACE", r.namespace}},
		{"-o name --types Warning", []string{"event/web"}},
		{"pod/other -o yaml", []string{"- action: Start", "reason: Started"}},
		{"top", []string{"REASON", "Unavailable", "(all)", "Ki"}},
		{"top --by object", []string{r.namespace + "/Deployment/web"}},
		{"top --by reporter -o json", []string{`"key": "example.com/shop"`, `"bytes": `}},
		{"digest -o text", []string{"Warning Unavailable x5 in ", "Normal Pulled x12 of 12 Pods"}},
		{"digest", []string{`"events": 15,`, "Warning Unavailable x5 in"}},
		{"--version", []string{"kubectl eventseries version "}},
		{"completion bash", []string{"kubectl-eventseries"}},
	} {
		stdout, stderr, code := r.eventseries(t.Context(), strings.Fields(test.args)...)
		for _, part := range test.want {
			if code != 0 || !strings.Contains(stdout, part) {
				t.Errorf("%s: %d, %s\n%s, want %q", test.args, code, stderr, stdout, part)
			}
		}
	}
	for args, want := range map[string]string{
		"--reason None":      "No Events found in " + r.namespace + " namespace.\n",
		"top --reason None":  "No Events found in " + r.namespace + " namespace.\n",
		"pod/gone":           "No Events found in " + r.namespace + " namespace.\n",
		"pod/other -A":       "error: a resource cannot be retrieved by name across all namespaces\n",
		"--children":         "error: --children and --related need an object, such as deployment/web\n",
		"-o xml":             "error: unable to match a printer suitable for the output format \"xml\", allowed formats are: wide,json,yaml,name\n",
		"top --by note":      "error: --by note: want one of namespace, object, reason, reporter\n",
		"nothing/web":        "error: the server doesn't have a resource type \"nothing\"\n",
		"digest --bytes 100": "error: --bytes 100 is too small, want at least 300\n",
	} {
		if stdout, stderr, _ := r.eventseries(t.Context(), strings.Fields(args)...); stdout != "" || stderr != want {
			t.Errorf("%s: %q, %q, want %q on stderr", args, stdout, stderr, want)
		}
	}
}

// As a shell asks kubectl, and kubectl the plugin.
func TestCompletion(t *testing.T) {
	r := newRig(t)
	r.shop()
	for args, want := range map[string]string{
		"top --by r":                     "reporter\n",
		"--types ''":                     "Warning\n",
		"--reason ''":                    "BackOff\n",
		"pod/web-1-0 --reason ''":        "Pulled\n",
		"deployment/":                    "deployment/web\n",
		"doctor deployments ''":          "web\n",
		"digest -n " + r.namespace[:5]:   r.namespace + "\n",
		"doctor --in " + r.namespace[:5]: r.namespace + "\n",
		"doctor configm":                 "configmaps\n",
		"doctor -o ''":                   "yaml\n",
	} {
		out := r.shell("kubectl __complete eventseries --namespace " + r.namespace + " " + args)
		if !strings.Contains(out, want) {
			t.Errorf("%s: %q, want %q", args, out, want)
		}
	}
}

// Ctrl-C ends a watch, which is no failure.
func TestWatch(t *testing.T) {
	r := newRig(t)
	r.shop()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	reader, writer := io.Pipe()
	code := make(chan int)
	go func() {
		args := []string{"--kubeconfig", r.kubeconfig, "--cache-dir", t.TempDir(), "-n", r.namespace, "deployment/web", "--children", "-w", "--types=Warning", "--no-headers"}
		c := command.Run(ctx, args, genericiooptions.IOStreams{In: strings.NewReader(""), Out: writer, ErrOut: io.Discard})
		_ = writer.Close()
		code <- c
	}()
	lines := bufio.NewScanner(reader)
	next := func(want string) {
		t.Helper()
		if !lines.Scan() || !strings.Contains(lines.Text(), want) {
			t.Fatalf("line %q, want %q", lines.Text(), want)
		}
	}
	next("Warning")
	next("Warning")
	event := r.event("after", "uid")
	event.Type, event.Regarding.Name, event.Reason = "Warning", "web-1-3", "Evicted"
	_, err := r.admin.EventsV1().Events(r.namespace).Create(t.Context(), event, metav1.CreateOptions{})
	r.must(err)
	next("Evicted")
	cancel()
	if got := <-code; got != 0 {
		t.Errorf("exit code %d after Ctrl-C, want 0", got)
	}
}
