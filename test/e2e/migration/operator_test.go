// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package migration

import (
	"fmt"
	"slices"
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
// falls back to core/v1. Leader election writes core/v1.
//
// Caught: an operator that was not rewritten while its RBAC was (its Events came through v1, and none was refused); an
// occurrence that is not handed on, or twice.
func TestOperator(t *testing.T) {
	before := newModule(t, "operator", "")
	programs := map[string]*module{
		"":                   before,
		"sdk":                newModule(t, "operator", "sdk"),
		"controller-runtime": newModule(t, "operator", "controller-runtime"),
	}
	before.printRecorded(t, "record")
	programs["sdk"].printRecorded(t, "events")
	programs["controller-runtime"].printRecorded(t, "events")
	for _, tt := range []struct {
		name, target string
		rbac         *module
		environment  string
		api          string
	}{
		{name: "NotMigrated", rbac: before, api: coreV1},
		{name: "SDKWithOldRBAC", target: "sdk", rbac: before, api: coreV1},
		{name: "SDK", target: "sdk", rbac: programs["sdk"], api: eventsV1},
		{name: "RolledBack", target: "sdk", rbac: programs["sdk"], environment: "EVENTSERIES_API=core", api: coreV1},
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
			running := awaitStored(t, env, operator) // recorded while nothing was about to end
			env.Await("the Event of leader election", func() bool {
				return len(eventsOf(t, env, manager.namespace, "Lease")) > 0
			})
			operator.stop(t)
			got := eventsOf(t, env, env.Namespace, "Database")
			checkStored(t, got, operator.recorded(t), tt.api)
			if tt.target == "sdk" {
				checkCounts(t, got, operator.recorded(t))
			} else if !holds(got, running) {
				t.Errorf("recorded %v, stored only %v", running, got)
			}
			leases := eventsOf(t, env, manager.namespace, "Lease")
			if i := slices.IndexFunc(leases, func(e event) bool { return e.API != coreV1 }); i >= 0 {
				t.Errorf("leader election wrote %+v, want all through %s", leases[i], coreV1)
			}
			if tt.name == "SDK" {
				runPage(t, env)
			}
			env.Empty(manager.namespace)
		})
	}
}

// databaseOccurrences are what an operator records about a new database, whatever else it meets.
var databaseOccurrences = []occurrence{
	{kind{"Normal", "ConfigCreated"}, "Created ConfigMap books-config"},
	{kind{"Normal", "Created"}, "Created Deployment books with 2 replicas"},
	{kind{"Normal", "Resumed"}, "The database accepts connections"},
}

// awaitStored returns what the operator has recorded when all of it is stored, and in it what this is about.
func awaitStored(t *testing.T, env *harness.Env, operator *process) (recorded []occurrence) {
	t.Helper()
	env.Await("the Events", func() bool {
		recorded = operator.recorded(t)
		return holds(eventsOf(t, env, env.Namespace, "Database"), slices.Concat(databaseOccurrences, recorded))
	})
	return recorded
}

// checkStored checks that all that is stored was recorded, and that it came through the API.
func checkStored(t *testing.T, got []event, recorded []occurrence, api string) {
	t.Helper()
	for _, e := range got {
		if !slices.Contains(recorded, e.occurrence) {
			t.Errorf("stored and never recorded: %+v", e)
		}
		if e.API != api {
			t.Errorf("written through %s, want %q: %+v", e.API, api, e)
		}
	}
}

// checkCounts checks that all that was recorded is stored, once each, also what was recorded when the operator ended.
// controller-runtime's own recorder does not wait for that.
func checkCounts(t *testing.T, got []event, recorded []occurrence) {
	t.Helper()
	if diff := cmp.Diff(emitted(recorded), stored(got)); diff != "" {
		t.Errorf("occurrences (-recorded +stored):\n%s", diff)
	}
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
