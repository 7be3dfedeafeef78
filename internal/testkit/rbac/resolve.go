// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"cmp"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
)

// resolve makes bindings refer to roles and accounts by the names that kustomizations gave these. As in kustomize, a
// reference is to any name that the object has had, and it is looked up last, when all names are known.
func resolve(objects []*object) {
	for _, binding := range objects {
		if !binding.isBinding() {
			continue
		}
		if role := binding.role(objects); role != nil {
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

// role is what a binding's roleRef means.
func (o *object) role(objects []*object) *object {
	return o.closest(where(objects, func(role *object) bool {
		return role.Kind == o.RoleRef.Kind && role.called(o.RoleRef.Name) &&
			(!role.namespaced() || role.Metadata.Namespace == o.Metadata.Namespace)
	}))
}

// account is what a binding's subject means: one in its namespace, as the accounts' files have it or, where nothing is
// in that namespace, as kustomizations have it. A RoleBinding sees no namespaces but its own and those of its subjects.
func (o *object) account(subject *rbacv1.Subject, objects []*object) *object {
	if subject.Kind != kindServiceAccount {
		return nil
	}
	seen := where(objects, func(other *object) bool {
		return other.namespaced() && (!o.namespaced() || other.space() == o.space() ||
			slices.ContainsFunc(o.Subjects, func(s rbacv1.Subject) bool {
				return s.Namespace == other.Metadata.Namespace
			}))
	})
	if subject.Namespace != "" {
		in := func(space func(*object) string) []*object {
			return where(seen, func(other *object) bool { return space(other) == subject.Namespace })
		}
		now := in((*object).space)
		if seen = in((*object).writtenSpace); len(seen) == 0 {
			seen = now
		}
	}
	return o.closest(where(seen, func(account *object) bool {
		return account.Kind == kindServiceAccount && account.called(subject.Name)
	}))
}

// space is the namespace that kustomize takes the object to be in.
func (o *object) space() string { return cmp.Or(o.Metadata.Namespace, "default") }

// writtenSpace is the one it was in in its file.
func (o *object) writtenSpace() string { return cmp.Or(o.written().Namespace, "default") }

// called reports whether name was the object's before a kustomization changed it.
func (o *object) called(name string) bool {
	return slices.ContainsFunc(o.was, func(id identity) bool { return id.Name == name })
}

// closest picks, from several candidates, the one that went through the same kustomizations as o: of their prefixes and
// suffixes, the later ones are the same. It returns nil if that is not clear.
func (o *object) closest(candidates []*object) *object {
	for _, lax := range []bool{true, false} {
		if len(candidates) > 1 {
			candidates = where(candidates, func(c *object) bool {
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

func where(objects []*object, keep func(*object) bool) []*object {
	var kept []*object
	for _, o := range objects {
		if keep(o) {
			kept = append(kept, o)
		}
	}
	return kept
}
