// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/debug"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/doctor"
)

// diagnosis is what doctor -o json has.
type diagnosis struct {
	Findings            []doctor.Finding
	Checked, NotChecked []string
}

func (r *rig) doctor(args ...string) diagnosis {
	r.Helper()
	stdout, stderr, code := r.eventseries(r.Context(), append([]string{"doctor", "-o", "json"}, args...)...)
	var d diagnosis
	if err := json.Unmarshal([]byte(stdout), &d); err != nil {
		r.Fatalf("%v\n%s\n%s", err, stdout, stderr)
	}
	want := 0
	switch {
	case len(d.Findings) > 0:
		want = 1
	case len(d.NotChecked) > 0:
		want = 2 // no finding is no all-clear
	}
	if code != want {
		r.Errorf("exit code %d with %d findings, not checked %v, want %d", code, len(d.Findings), d.NotChecked, want)
	}
	return d
}

const (
	allRules  = `[{apiGroups: ["", events.k8s.io], resources: [events], verbs: [create, patch]}]`
	coreRules = `{apiGroups: [""], resources: [events], verbs: [create, patch]}`
)

// healthy makes a component whose Events show up.
func (r *rig) healthy() {
	r.Helper()
	r.apply(fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: hello}
spec:
  selector: {matchLabels: {app: hello}}
  template:
    metadata: {labels: {app: hello}}
    spec:
      serviceAccountName: hello
      containers: [{name: hello, image: hello, env: [{name: HELLO, value: %q}]}]`, r.namespace))
	r.role(allRules, authorizationv1.ResourceAttributes{Group: "events.k8s.io", Verb: "patch"}, true)
	r.write("about-web", "uid")
}

// write has the component write an Event.
func (r *rig) write(name string, uid types.UID) {
	r.Helper()
	_, err := r.admin.EventsV1().Events(r.namespace).Create(r.Context(), r.event(name, uid), metav1.CreateOptions{})
	r.must(err)
}

func (r *rig) event(name string, uid types.UID) *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: r.namespace, Name: name}, EventTime: metav1.NowMicro(),
		ReportingController: "example.com/hello", ReportingInstance: "example.com/hello-hello-7d4b9",
		Type: "Normal", Reason: "Greeted", Action: "Greet", Note: "hello",
		Regarding: corev1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: r.namespace, Name: "web", UID: uid},
	}
}

// one reports whether doctor has exactly one finding, of this check and with these words, and returns it.
func (r *rig) one(d diagnosis, check, words string) doctor.Finding {
	r.Helper()
	if len(d.Findings) != 1 || d.Findings[0].Check != check || !strings.Contains(d.Findings[0].Problem, words) {
		r.Fatalf("findings %+v, want one of %s with %q; not checked: %v", d.Findings, check, words, d.NotChecked)
	}
	return d.Findings[0]
}

func TestDoctorFindsNothingInAHealthyComponent(t *testing.T) {
	r := newRig(t)
	r.healthy()
	d := r.doctor("deployment/hello")
	if len(d.Findings) != 0 || len(d.NotChecked) != 0 {
		t.Errorf("%+v, want that all is checked and well", d)
	}
	want := "No problem found. Checked: namespace, api, environment, rbac, admission, lifetime, uid. RBAC in " + r.namespace +
		"; --in names other namespaces in which the component records.\n"
	if out := r.shell("kubectl eventseries doctor -n " + r.namespace + " deploy hello"); out != want {
		t.Errorf("as a plugin: %q, want %q", out, want)
	}
}

// TestDoctorFindsWhatIsBroken breaks one thing, and mends it with the command that doctor prints.
func TestDoctorFindsWhatIsBroken(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(deny))
	t.Cleanup(server.Close) // after the parallel tests
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	v1 := func(verb string) authorizationv1.ResourceAttributes {
		return authorizationv1.ResourceAttributes{Group: "events.k8s.io", Verb: verb}
	}
	only := func(rules string, lost ...string) func(*rig) {
		return func(r *rig) {
			for _, verb := range lost {
				r.role(rules, v1(verb), false)
			}
		}
	}
	refused := func(r *rig) {
		r.await("admission", func() bool {
			_, err := r.admin.EventsV1().Events(r.namespace).
				Create(r.Context(), r.event("try", "uid"), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			return err != nil
		})
	}
	for _, test := range []struct {
		name         string
		breaks       func(*rig)
		check, words string
	}{
		{"no create in events.k8s.io", only("[{apiGroups: [events.k8s.io], resources: [events], verbs: [patch]}, "+coreRules+"]", "create"),
			"rbac", ":hello may not create events.events.k8s.io in namespace hello-"},
		{"no patch", only("[{apiGroups: [events.k8s.io], resources: [events], verbs: [create]}, "+coreRules+"]", "patch"),
			"rbac", ":hello may not patch events.events.k8s.io in namespace hello-"},
		{"only the core group", only("["+coreRules+"]", "create", "patch"), "rbac", "its Events go through core/v1 there"},
		{"the old API", func(r *rig) {
			r.kubectl("set", "env", "-n", r.namespace, "deployment/hello", "EVENTSERIES_API=core")
		}, "environment", "EVENTSERIES_API=core of container hello pins"},
		{"a selector", func(r *rig) {
			r.kubectl("set", "env", "-n", r.namespace, "deployment/hello", "EVENTSERIES_SELECTOR=type=Warning")
		}, "environment", "EVENTSERIES_SELECTOR=type=Warning of container hello drops"},
		{"a ConfigMap", func(r *rig) {
			r.kubectl("create", "configmap", "settings", "-n", r.namespace, "--from-literal=API=legacy", "--from-literal=SELECTOR=")
			r.kubectl("patch", "deployment", "hello", "-n", r.namespace, "--type=json", "-p", `[{"op":"add",
				"path":"/spec/template/spec/containers/0/envFrom","value":[{"prefix":"EVENTSERIES_","configMapRef":{"name":"settings"}}]}]`)
		}, "environment", "EVENTSERIES_API=legacy of container hello pins"},
		{"a key of a ConfigMap", func(r *rig) {
			r.kubectl("create", "configmap", "settings", "-n", r.namespace, "--from-literal=EVENTSERIES_SELECTOR=type=Warning")
			r.kubectl("set", "env", "-n", r.namespace, "deployment/hello", "--from=configmap/settings")
		}, "environment", "EVENTSERIES_SELECTOR=type=Warning of container hello drops"},
		{"a webhook", func(r *rig) {
			webhook, err := json.Marshal(map[string]any{"url": server.URL, "caBundle": ca})
			r.must(err)
			r.apply(fmt.Sprintf(`apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: %[1]s}
webhooks:
- name: deny.example.com
  clientConfig: %[2]s
  sideEffects: None
  admissionReviewVersions: [v1]
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %[1]s}}
  rules: [{operations: [CREATE, UPDATE], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"]}]`, r.namespace, webhook))
			r.Cleanup(func() { r.kubectl("delete", "validatingwebhookconfiguration", r.namespace) })
			refused(r)
		}, "admission", `answers: admission webhook "deny.example.com" denied the request: no Events on Fridays`},
		{"a policy", func(r *rig) {
			r.apply(fmt.Sprintf(`apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: %[1]s}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %[1]s}}
    resourceRules: [{operations: [CREATE], apiGroups: ["events.k8s.io"], apiVersions: [v1], resources: [events]}]
  validations: [{expression: "object.type == 'Warning'"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: %[1]s}
spec: {policyName: %[1]s, validationActions: [Deny]}`, r.namespace))
			r.Cleanup(func() { r.kubectl("delete", "validatingadmissionpolicy,validatingadmissionpolicybinding", r.namespace) })
			refused(r)
		}, "admission", "is asked about Events; a dry run in namespace hello-"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel() // each waits four seconds for what is deleted
			r := newRig(t)
			r.healthy()
			test.breaks(r)
			found := r.one(r.doctor("deployment/hello"), test.check, test.words)
			r.shell(found.Fix)
			switch test.check {
			case "rbac":
				for _, verb := range []string{"create", "patch"} {
					r.awaitAccess(v1(verb), true)
				}
			case "admission":
				r.await("admission to let Events pass", func() bool {
					_, err := r.admin.EventsV1().Events(r.namespace).
						Create(r.Context(), r.event("try", "uid"), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
					return err == nil
				})
			}
			for _, found := range r.doctor("deployment/hello").Findings {
				t.Errorf("after the fix: %+v", found)
			}
		})
	}
}

func deny(w http.ResponseWriter, request *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(request.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	review.Response = &admissionv1.AdmissionResponse{
		UID: review.Request.UID, Allowed: review.Request.Resource.Resource != "events",
		Result: &metav1.Status{Message: "no Events on Fridays"},
	}
	_ = json.NewEncoder(w).Encode(review)
}

// An operator has a ClusterRole for its objects, and may record where its leader election is. What it records elsewhere is refused.
func TestDoctorLooksWhereAnOperatorRecords(t *testing.T) {
	r := newRig(t)
	r.healthy()
	r.apply(fmt.Sprintf(`apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: %[1]s-manager}
rules: [{apiGroups: [""], resources: [pods, nodes], verbs: [get, list, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: %[1]s-manager}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %[1]s-manager}
subjects: [{kind: ServiceAccount, name: hello, namespace: %[1]s}]`, r.namespace))
	r.Cleanup(func() { r.kubectl("delete", "clusterrole,clusterrolebinding", r.namespace+"-manager") })
	found := r.one(r.doctor("deployment/hello"), "rbac", "may not create or patch events.events.k8s.io in all namespaces")
	for _, words := range []string{r.namespace + "-manager", "--in", "ClusterRole"} {
		if !strings.Contains(found.Problem+found.Fix, words) {
			t.Errorf("%+v, want %q in it", found, words)
		}
	}
	r.one(r.doctor("deployment/hello", "--in", "default"), "rbac", "in namespace default")
	if d := r.doctor("deployment/hello", "--in", r.namespace); len(d.Findings) != 0 {
		t.Errorf("where it may record: %+v", d)
	}
	r.shell(found.Fix)
	r.await("the authorizer", func() bool { return len(r.doctor("deployment/hello").Findings) == 0 })
}

func TestDoctorFindsATerminatingNamespace(t *testing.T) {
	r := newRig(t)
	r.healthy()
	// Nobody finalizes namespaces here.
	r.must(r.admin.CoreV1().Namespaces().Delete(t.Context(), r.namespace, metav1.DeleteOptions{}))
	r.one(r.doctor("deployment/hello"), "namespace", r.namespace+" is being deleted")
}

func TestDoctorFindsEventsWithoutUID(t *testing.T) {
	r := newRig(t)
	r.healthy()
	r.write("no-uid", "")
	found := r.one(r.doctor("deployment/hello"), "uid", "Pod/web")
	if out := r.shell(found.Fix); !strings.Contains(out, "pod/web") {
		t.Errorf("%s prints %s", found.Fix, out)
	}
}

func TestDoctorFindsEventsWithoutKindWhereItLooks(t *testing.T) {
	r := newRig(t)
	r.healthy()
	namespace := r.namespace + "-shop"
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	_, err := r.admin.CoreV1().Namespaces().Create(t.Context(), space, metav1.CreateOptions{})
	r.must(err)
	event := r.event("no-kind", "uid")
	event.Namespace = namespace
	event.Regarding.Namespace = namespace
	event.Regarding.Kind = ""
	_, err = r.admin.EventsV1().Events(namespace).Create(t.Context(), event, metav1.CreateOptions{})
	r.must(err)
	if d := r.doctor("deployment/hello"); len(d.Findings) != 0 {
		t.Errorf("without --in: %+v", d)
	}
	d := r.doctor("deployment/hello", "--in", namespace)
	if !slices.ContainsFunc(d.Findings, func(found doctor.Finding) bool {
		return found.Check == "uid" && strings.Contains(found.Problem, "web in namespace "+namespace)
	}) {
		t.Errorf("with --in: %+v, want a finding of uid", d)
	}
}

func TestDoctorReadsThePage(t *testing.T) {
	r := newRig(t)
	r.healthy()
	a := adapter.New(t.Context(), r.admin, adapter.WithSelector("type=Warning"))
	r.must(a.Start(t.Context()))
	defer a.Shutdown()
	pod := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: r.namespace, Name: "web", UID: "uid"}
	a.Recorder("example.com/hello").Eventf(pod, nil, "Normal", "Greeted", "Greet", "hello")
	server := httptest.NewServer(debug.Handler(a))
	defer server.Close()
	d := r.doctor("deployment/hello", "--page", server.URL)
	r.one(d, "page", "the component dropped 1 occurrence as Unselected")
}

// The API server connects to no loopback address. Of two Pods one has no address yet.
func TestDoctorReadsThePageOfAPod(t *testing.T) {
	r := newRig(t)
	r.healthy()
	addresses, err := net.InterfaceAddrs()
	r.must(err)
	at := slices.IndexFunc(addresses, func(a net.Addr) bool {
		network, ok := a.(*net.IPNet)
		return ok && network.IP.IsGlobalUnicast()
	})
	if at < 0 {
		t.Skip("this machine has no address but those of loopback")
	}
	ip := addresses[at].(*net.IPNet).IP.String()
	listener, err := net.Listen("tcp", net.JoinHostPort(ip, "0"))
	r.must(err)
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: debug.Handler(adapter.New(t.Context(), r.admin))}}
	server.Start()
	defer server.Close()
	for _, name := range []string{"hello-1", "hello-2"} {
		r.kubectl("run", name, "-n", r.namespace, "--image=hello", "-l", "app=hello")
	}
	r.kubectl("patch", "pod", "hello-2", "-n", r.namespace, "--subresource=status", "-p", `{"status":{"podIP":"`+ip+`"}}`)
	_, port, err := net.SplitHostPort(listener.Addr().String())
	r.must(err)
	r.one(r.doctor("deployment/hello", "--page", port+"/debug/events"), "page", "the component has recorded nothing")
	if d := r.doctor("deployment/hello", "--page", "1/debug/events"); len(d.Findings) != 0 || len(d.NotChecked) != 1 {
		t.Errorf("%+v, want that the page is not checked", d)
	}
}

func TestDoctorCannotRun(t *testing.T) {
	r := newRig(t)
	for name, args := range map[string][]string{
		"no workload":  {"deployment/none"},
		"no namespace": {"--in", "none"},
		"no type":      {"nothing/hello"},
	} {
		if _, stderr, code := r.eventseries(t.Context(), append([]string{"doctor"}, args...)...); code != 2 || !strings.HasPrefix(stderr, "error: ") {
			t.Errorf("%s: %d, %q, want 2 and an error", name, code, stderr)
		}
	}
}
