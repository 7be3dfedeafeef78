// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2/textlogger"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/sinks"
)

// knowAs has the server know the component as user.
func (c *cluster) knowAs(user string) {
	c.PrependReactor("create", "selfsubjectreviews", func(clienttesting.Action) (bool, runtime.Object, error) {
		review := &authenticationv1.SelfSubjectReview{}
		review.Status.UserInfo.Username = user
		return true, review, nil
	})
}

// Snapshot names the namespaces in trouble, and Remedy is what grants what each of them lacks.
func TestSnapshotAndRemedy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.knowAs("system:serviceaccount:apps:shop")
		c.Authorize(func(r eventstest.Request) bool {
			return r.Namespace == "fine" || r.Namespace == "core-only" && r.Group == core
		})
		a, rec := start(t, c)
		time.Sleep(time.Second)
		began := time.Now()
		for _, namespace := range []string{"fine", "core-only", "nothing"} {
			emit(rec, 1, namespace, "web")
		}
		time.Sleep(10 * time.Second)
		got := a.Snapshot(0)
		if got.API != adapter.ModeEventsV1 || got.Support != discovery.Served || got.LastError != "" {
			t.Errorf("Snapshot() = %+v, want v1, served", got)
		}
		access := func(namespace string, core discovery.Permission) discovery.Access {
			return discovery.Access{
				Namespace: namespace, User: "system:serviceaccount:apps:shop", EventsV1: discovery.Denied, CoreV1: core,
			}
		}
		want := map[string]adapter.NamespaceStatus{
			"core-only": {API: adapter.ModeCoreV1, Exception: true, Access: access("core-only", discovery.Allowed), Since: began},
			"nothing":   {API: adapter.ModeEventsV1, Access: access("nothing", discovery.Denied), Since: began},
		}
		for name, ns := range got.Namespaces {
			if !strings.Contains(ns.LastError, "forbidden") {
				t.Errorf("%s: LastError = %v, want the 403", name, ns.LastError)
			}
			ns.LastError = ""
			got.Namespaces[name] = ns
		}
		if diff := cmp.Diff(want, got.Namespaces); diff != "" {
			t.Errorf("Namespaces (-want +got):\n%s", diff)
		}

		granted := map[string][]string{}
		for _, role := range decodeRoles(t, a.Snapshot(0).Remedy()) {
			granted[role.Namespace] = role.Rules[0].APIGroups
		}
		if diff := cmp.Diff(map[string][]string{"core-only": {v1}, "nothing": {v1, core}}, granted); diff != "" {
			t.Errorf("API groups that the remedy grants, by namespace (-want +got):\n%s", diff)
		}
		one := decodeRoles(t, a.Snapshot(0).Namespaces["core-only"].Remedy())
		if len(one) != 1 || one[0].Namespace != "core-only" {
			t.Errorf("the remedy of one namespace is %+v", one)
		}
	})
}

// A namespace whose Events are stored through core/v1 is not refused, also if no review says that core/v1 is allowed.
//
// Caught: an exception that is counted, with an alert that RBAC refuses Events.
func TestForbiddenNamespaces(t *testing.T) {
	const unknown = discovery.PermissionUnknown
	for _, row := range []struct {
		api       adapter.Mode
		exception bool
		v1, core  discovery.Permission
		want      int
	}{
		{adapter.ModeEventsV1, false, discovery.Denied, discovery.Denied, 1},
		{adapter.ModeEventsV1, false, unknown, unknown, 1},
		{adapter.ModeEventsV1, false, discovery.Allowed, discovery.Denied, 0},
		{adapter.ModeCoreV1, false, discovery.Denied, unknown, 1},
		{adapter.ModeCoreV1, false, discovery.Denied, discovery.Allowed, 0},
		{adapter.ModeCoreV1, true, discovery.Denied, discovery.Allowed, 0},
		{adapter.ModeCoreV1, true, unknown, unknown, 0},
		{adapter.ModeCoreV1, true, discovery.Denied, discovery.Denied, 1},
	} {
		s := adapter.Snapshot{Namespaces: map[string]adapter.NamespaceStatus{"shop": {
			API:       row.api,
			Exception: row.exception,
			Access:    discovery.Access{EventsV1: row.v1, CoreV1: row.core},
		}}}
		if got := s.ForbiddenNamespaces(); got != row.want {
			t.Errorf("%+v: %d", row, got)
		}
	}
}

// decodeRoles decodes a remedy, and checks that each Role is bound to the service account.
func decodeRoles(t *testing.T, remedy string) (roles []rbacv1.Role) {
	t.Helper()
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal([]byte(remedy), &list); err != nil {
		t.Fatalf("%v in\n%s", err, remedy)
	}
	for i := 0; i+1 < len(list.Items); i += 2 {
		var role rbacv1.Role
		var binding rbacv1.RoleBinding
		if err := errors.Join(json.Unmarshal(list.Items[i], &role), json.Unmarshal(list.Items[i+1], &binding)); err != nil {
			t.Fatalf("%v in\n%s", err, remedy)
		}
		subject := rbacv1.Subject{Kind: "ServiceAccount", Namespace: "apps", Name: "shop"}
		if role.Kind != "Role" || binding.RoleRef.Name != role.Name || binding.Subjects[0] != subject ||
			binding.Namespace != role.Namespace {
			t.Errorf("%+v is not bound to %v by %+v", role, subject, binding)
		}
		roles = append(roles, role)
	}
	return roles
}

// The options of all packages are shown as they are written in code, and the variables that win over them.
func TestSnapshotOptions(t *testing.T) {
	t.Setenv(adapter.Environment, "core")
	got := adapter.New(t.Context(), newCluster(), quiet, adapter.WithSelector("type=Warning"),
		events.WithMaxSeries(7), legacy.WithCorrelatorOptions(record.CorrelatorOptions{}), adapter.WithMode(adapter.ModeLegacy),
		adapter.WithSink(func(s events.Sink) events.Sink { return s })).Snapshot(0).Options
	want := []string{
		"WithSelector(type=Warning)", "WithMaxSeries(7)", "WithCorrelatorOptions()", "WithMode(legacy)", "WithSink()",
		"EVENTSERIES_API=core",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A variable that is ignored is no option.
func TestSnapshotOptionsWithoutIgnoredVariables(t *testing.T) {
	t.Setenv(adapter.Environment, "V1")
	t.Setenv(adapter.EnvironmentSelector, "reasn=BackOff")
	got := adapter.New(t.Context(), newCluster(), quiet, adapter.WithMode(adapter.ModeCoreV1)).Snapshot(0).Options
	if diff := cmp.Diff([]string{"WithMode(core)"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The line of the log that says RBAC is missing is one line, as grep needs it, with what kubectl apply takes as it is
// to be pasted; and it tells of the ClusterRole, and what it means if that fails. It is no error: nothing is lost.
//
// Caught: YAML of several lines; a string, of which each quote is escaped.
func TestTheRemedyIsPastedFromTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, out := newCluster(), &strings.Builder{}
		c.knowAs("system:serviceaccount:apps:shop")
		c.deny("shop", v1)
		logger := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(out)))
		a, rec := start(t, c, events.WithLogger(logger))
		synctest.Wait()
		emit(rec, 1, "shop", "web")
		fixture.Flush(t, a)
		synctest.Wait()
		found := regexp.MustCompile(`(?m)^I.*RBAC forbids.* remedy=(\{.*\}) or="(.*)"$`).FindStringSubmatch(out.String())
		if found == nil {
			t.Fatalf("no remedy to paste in\n%s", out.String())
		}
		if !json.Valid([]byte(found[1])) || len(decodeRoles(t, found[1])) != 1 {
			t.Errorf("remedy %s, want JSON", found[1])
		}
		for _, want := range []string{"ClusterRole bound to system:serviceaccount:apps:shop", "does not find the namespace"} {
			if !strings.Contains(found[2], want) {
				t.Errorf("the line says %q, want %q", found[2], want)
			}
		}
		if n := strings.Count(out.String(), "\n"); n != 1 {
			t.Errorf("%d lines, want 1:\n%s", n, out.String())
		}
	})
}

// What is put before the API sees every write of a series, in the order of the options, and nothing of the correlator.
func TestWithSink(t *testing.T) {
	for name, row := range map[string]struct {
		mode adapter.Mode
		want map[string]int
	}{
		"series":     {adapter.ModeAuto, map[string]int{"inner": 1, "outer": 1}},
		"correlator": {adapter.ModeLegacy, map[string]int{}},
	} {
		fixture.InBubble(t, name, func(t *testing.T) {
			seen := map[string]int{}
			count := func(name string) adapter.Option {
				return adapter.WithSink(func(api events.Sink) events.Sink {
					return sinks.Filter(api, func(*eventsv1.Event) bool { seen[name]++; return name == "inner" || seen["inner"] == 0 })
				})
			}
			a, rec := start(t, newCluster(), adapter.WithMode(row.mode), count("inner"), count("outer"))
			emit(rec, 1, "default", "web")
			fixture.Flush(t, a)
			if diff := cmp.Diff(row.want, maps.Clone(seen)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
