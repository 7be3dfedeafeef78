// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

const (
	electionKey = "LeaderElection"                      // of controller-runtime's manager.Options: whether there is one
	lockKey     = "LeaderElectionResourceLockInterface" // the lock to use in place of controller-runtime's
)

// electionNote is what to write for a lock of the SDK: with that nothing of a manager needs core/v1.
const electionNote = `%s:%d: the Events of this leader election need core/v1, and with these lines events.k8s.io alone, see
    https://github.com/eventseries/eventseries/blob/main/docs/faq.md#can-leader-election-use-it

        config := %s
        broadcaster, err := adapter.NewForConfig(context.Background(), config)
        lock, err := adapter.LeaderElectionLock(config, broadcaster.NewRecorder(%s),
            types.NamespacedName{%sName: %s})%s
        err = broadcaster.Start(context.Background())
        // in the manager's options:
        LeaderElectionResourceLockInterface: lock,
        // after mgr.Start, before the process exits:
        broadcaster.Shutdown()`

// election is a leader election of a controller-runtime manager with the lock that the manager makes.
type election struct {
	at                                  token.Pos
	config, enabled, namespace, leaseID string // expressions; "" if they are not known
}

func (e election) note(file string, line int) string {
	namespace, condition := "", ""
	if e.namespace != "" {
		namespace = "Namespace: " + e.namespace + ", "
	}
	if e.enabled != "true" {
		condition = " // only if " + e.enabled
	}
	id := cmp.Or(e.leaseID, `"the name of the Lease"`)
	return fmt.Sprintf(electionNote, file, line, cmp.Or(e.config, "ctrl.GetConfigOrDie()"), id, namespace, id, condition)
}

// electionsOf returns the elections in literals of options. It looks at names, not at types.
func electionsOf(file *ast.File) (all []election) {
	if setsLock(file) {
		return nil
	}
	configs := map[ast.Expr]string{} // by the options that are passed with them
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if len(n.Args) == 2 {
				configs[n.Args[1]] = types.ExprString(n.Args[0])
			}
		case *ast.CompositeLit:
			fields := map[string]ast.Expr{}
			for _, element := range n.Elts {
				if field, ok := element.(*ast.KeyValueExpr); ok {
					if key, ok := field.Key.(*ast.Ident); ok {
						fields[key.Name] = field.Value
					}
				}
			}
			if enabled := fields[electionKey]; enabled != nil && !isFalse(enabled) {
				all = append(all, election{
					at: enabled.Pos(), config: configs[n], enabled: types.ExprString(enabled),
					namespace: text(fields["LeaderElectionNamespace"]), leaseID: text(fields["LeaderElectionID"]),
				})
			}
		}
		return true
	})
	return all
}

func text(e ast.Expr) string {
	if e == nil {
		return ""
	}
	return types.ExprString(e)
}

// setsLock reports whether a file chooses the lock of its managers.
func setsLock(file *ast.File) bool {
	return names(file, func(name string) bool { return name == lockKey })
}

// names reports whether match is true of an identifier in file.
func names(file *ast.File, match func(string) bool) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok && match(name.Name) {
			found = true
		}
		return !found
	})
	return found
}

// bridgesLock reports whether a file hands a recorder of the SDK to the locks that it makes.
func bridgesLock(file *ast.File) bool {
	return names(file, func(name string) bool {
		return slices.Contains([]string{"AsLegacy", "DeprecatedNewLegacyRecorder"}, name)
	})
}
