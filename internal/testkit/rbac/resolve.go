// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"cmp"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
)

// resolveReferences makes bindings refer to roles and accounts by the names that kustomizations gave these. As in
// kustomize, a reference is to any name that the object has had, and it is looked up when all names are known.
func resolveReferences(objects []*object) {
	for _, binding := range objects {
		if !binding.isBinding() {
			continue
		}
		if role := binding.closest(filter(objects, binding.mayReferTo)); role != nil {
			binding.RoleRef.Name = role.Metadata.Name
		}
		for i := range binding.Subjects {
			subject := &binding.Subjects[i]
			if account := binding.account(subject, objects); account != nil {
				subject.Name = account.Metadata.Name
				subject.Namespace = cmp.Or(account.Metadata.Namespace, subject.Namespace)
			}
		}
	}
}

// mayReferTo reports whether role may be the one that o binds.
func (o *object) mayReferTo(role *object) bool {
	return role.Kind == o.RoleRef.Kind && role.wasNamed(o.RoleRef.Name) &&
		(!role.namespaced() || role.Metadata.Namespace == o.Metadata.Namespace)
}

// account is what a binding's subject means: one in its namespace, as the accounts' files have it or, where nothing is
// in that namespace, as kustomizations have it. A RoleBinding sees no namespaces but its own and those of its subjects.
func (o *object) account(subject *rbacv1.Subject, objects []*object) *object {
	if subject.Kind != kindServiceAccount {
		return nil
	}
	seen := filter(objects, func(other *object) bool {
		return other.namespaced() && (!o.namespaced() || other.namespaceNow() == o.namespaceNow() ||
			slices.ContainsFunc(o.Subjects, func(s rbacv1.Subject) bool {
				return s.Namespace == other.Metadata.Namespace
			}))
	})
	if subject.Namespace != "" {
		now := filter(seen, func(other *object) bool { return other.namespaceNow() == subject.Namespace })
		seen = filter(seen, func(other *object) bool {
			return cmp.Or(other.inFile().Namespace, "default") == subject.Namespace
		})
		if len(seen) == 0 {
			seen = now
		}
	}
	return o.closest(filter(seen, func(account *object) bool {
		return account.Kind == kindServiceAccount && account.wasNamed(subject.Name)
	}))
}

// namespaceNow is the namespace that kustomize takes the object to be in.
func (o *object) namespaceNow() string { return cmp.Or(o.Metadata.Namespace, "default") }

// wasNamed reports whether name was the object's before a kustomization changed it.
func (o *object) wasNamed(name string) bool {
	return slices.ContainsFunc(o.earlier, func(id identity) bool { return id.Name == name })
}

// closest picks, from several candidates, the one that went through the same kustomizations as o: of their prefixes and
// suffixes, the later ones are the same. It returns nil if that is not clear.
func (o *object) closest(candidates []*object) *object {
	for _, lax := range []bool{true, false} {
		if len(candidates) > 1 {
			candidates = filter(candidates, func(c *object) bool {
				return sameEnd(o.prefixes, c.prefixes, lax) && sameEnd(o.suffixes, c.suffixes, lax)
			})
		}
	}
	if len(candidates) != 1 {
		return nil
	}
	return candidates[0]
}

// sameEnd reports whether the shorter list is the end of the longer one. If lax, an empty one is the end of any.
func sameEnd(a, b []string, lax bool) bool {
	n := min(len(a), len(b))
	return (n > 0 || lax || len(a) == len(b)) && slices.Equal(a[len(a)-n:], b[len(b)-n:])
}

func filter(objects []*object, keep func(*object) bool) []*object {
	return slices.DeleteFunc(slices.Clone(objects), func(o *object) bool { return !keep(o) })
}
