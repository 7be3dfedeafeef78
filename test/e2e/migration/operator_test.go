// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package migration

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

const (
	coreV1   = "v1"
	eventsV1 = "events.k8s.io/v1"
)

// manager is the service account of the operator.
var manager = account{namespace: "ledger-system", name: "controller-manager"}

var rbac = []string{
	"config/rbac/service_account.yaml", "config/rbac/role.yaml", "config/rbac/role_binding.yaml",
	"config/rbac/leader_election_role.yaml", "config/rbac/leader_election_role_binding.yaml",
}

const database = `{apiVersion: ledger.example.com/v1, kind: Database, metadata: {name: books, namespace: %s},
	spec: {replicas: 2, image: "example.com/ledger:v1"}}`

// An operator that was migrated together with its RBAC writes events.k8s.io/v1. With the RBAC from before, the SDK
// falls back to core/v1, and controller-runtime's own recorder loses every Event. Leader election writes core/v1.
//
// Caught: an operator that was not rewritten while its RBAC was (its Events came through v1, and none was refused).
func TestOperator(t *testing.T) {
	before := newModule(t, "operator", "")
	programs := map[string]*module{
		"":                   before,
		"sdk":                newModule(t, "operator", "sdk"),
		"controller-runtime": newModule(t, "operator", "controller-runtime"),
	}
	for _, tt := range []struct {
		name, target string
		rbac         *module
		environment  string
		api          string // "" if the Events are refused
	}{
		{name: "NotMigrated", rbac: before, api: coreV1},
		{name: "SDKWithOldRBAC", target: "sdk", rbac: before, api: coreV1},
		{name: "SDK", target: "sdk", rbac: programs["sdk"], api: eventsV1},
		{name: "RolledBack", target: "sdk", rbac: programs["sdk"], environment: "EVENTSERIES_API=core", api: coreV1},
		{name: "ControllerRuntimeWithOldRBAC", target: "controller-runtime", rbac: before},
		{name: "ControllerRuntime", target: "controller-runtime", rbac: programs["controller-runtime"], api: eventsV1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := harness.New(t, plane)
			prepare(t, env, tt.rbac)
			env.AwaitAccess(env.Namespace, harness.CoreV1, true)
			env.AwaitAccess(env.Namespace, harness.EventsV1, tt.rbac != before)
			env.Apply(fmt.Sprintf(database, env.Namespace))

			environment := []string{"KUBECONFIG=" + manager.kubeconfig(t, env), tt.environment}
			operator := start(t, environment, programs[tt.target].build(t, "./cmd"),
				"--leader-elect", "--leader-election-namespace", manager.namespace)
			if tt.api == "" {
				env.Await("the refusal", func() bool {
					return strings.Contains(operator.out.String(), "is forbidden")
				})
			} else {
				want := databaseEvents(tt.api)
				env.Await("the Events", func() bool { return len(eventsOf(t, env, env.Namespace, "Database")) >= len(want) })
			}
			env.Await("the Event of leader election", func() bool {
				return len(eventsOf(t, env, manager.namespace, "Lease")) > 0
			})
			operator.stop(t)
			if diff := cmp.Diff(databaseEvents(tt.api), eventsOf(t, env, env.Namespace, "Database")); diff != "" {
				t.Errorf("Events of the database (-want +got):\n%s", diff)
			}
			for e := range eventsOf(t, env, manager.namespace, "Lease") {
				if e.API != coreV1 {
					t.Errorf("leader election wrote through %s: %+v", e.API, e)
				}
			}
			if tt.name == "SDK" {
				runPage(t, env)
			}
			env.Empty(manager.namespace)
		})
	}
}

// databaseEvents are the Events of a new database.
func databaseEvents(api string) map[written]bool {
	all := map[written]bool{}
	if api == "" {
		return all
	}
	for reason, note := range map[string]string{
		"ConfigCreated": "Created ConfigMap books-config",
		"Created":       "Created Deployment books with 2 replicas",
		"Resumed":       "The database accepts connections",
	} {
		all[written{"Normal", reason, note, api}] = true
	}
	return all
}

// prepare installs what the operator needs, with the RBAC of module, and frees the lease of the last one.
func prepare(t *testing.T, env *harness.Env, module *module) {
	t.Helper()
	env.User = manager.user()                                // whom AwaitAccess asks about
	env.Apply(module.text(t, "config/manager/manager.yaml")) // the namespace, and a deployment that nobody runs
	env.Apply(module.text(t, "config/crd/bases/ledger.example.com_databases.yaml",
		"config/crd/bases/ledger.example.com_backups.yaml", "config/crd/bases/ledger.example.com_accounts.yaml"))
	env.Kubectl("wait", "--for=condition=Established", "--timeout=30s", "crd/databases.ledger.example.com",
		"crd/backups.ledger.example.com", "crd/accounts.ledger.example.com")
	env.Apply(module.text(t, rbac...))
	leases := env.Admin.CoordinationV1().Leases(manager.namespace)
	err := leases.Delete(t.Context(), "ledger.example.com", metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
}
