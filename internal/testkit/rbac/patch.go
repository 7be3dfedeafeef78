// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// change is a patch of a kustomization.
type change struct {
	Path, Patch string
	Target      *selector
}

// selector says which objects are changed; its fields are regular expressions. Labels are not looked at.
type selector struct{ Group, Kind, Name, Namespace string }

// replacement copies a value from one object into others.
type replacement struct {
	Path    string
	Targets []struct{ Select selector }
}

// unpatched returns an error if k changes any RBAC object: patches are not applied here, so its rules are not known.
func (b *build) unpatched(k *kustomization, objects []*object) error {
	for _, c := range append(k.Patches, k.PatchesJSON6902...) {
		changed, err := b.changed(k, c, objects)
		if err != nil {
			return err
		}
		if changed != "" {
			return b.refuse(k, "patches "+changed)
		}
	}
	for _, text := range k.PatchesStrategicMerge {
		c := change{Path: text}
		if strings.Contains(text, ":") { // it is no path, but the patch
			c = change{Patch: text}
		}
		changed, err := b.merged(k, c)
		if err != nil {
			return err
		}
		if changed != "" {
			return b.refuse(k, "patches "+changed)
		}
	}
	for _, r := range b.replacements(k) {
		for _, target := range r.Targets {
			if changed := target.Select.first(objects); changed != "" {
				return b.refuse(k, "replaces a part of "+changed)
			}
		}
	}
	return nil
}

func (b *build) refuse(k *kustomization, does string) error {
	return fmt.Errorf("%s %s, and patches are not applied here: "+
		"render it with kustomize build %s, and pass what that prints", k.file, does, b.open[0])
}

func (b *build) changed(k *kustomization, c change, objects []*object) (string, error) {
	if c.Target != nil {
		return c.Target.first(objects), nil
	}
	return b.merged(k, c)
}

// merged names the first RBAC object that a strategic merge patch has in its head. The patch is a file or a text.
func (b *build) merged(k *kustomization, c change) (string, error) {
	file, text := k.file, []byte(c.Patch)
	if c.Path != "" {
		name := path.Join(path.Dir(k.file), c.Path)
		read, err := fs.ReadFile(b.fsys, name)
		switch {
		case err == nil:
			file, text = name, read
		case !fs.ValidPath(name):
			return "", k.escape(c.Path)
		default:
			b.notes = append(b.notes, fmt.Sprintf("%s: %s does not exist", k.file, c.Path))
		}
	}
	objects, err := decode(file, text)
	if err != nil && !errors.Is(err, errTemplate) {
		return "", fmt.Errorf("a patch: %w", err)
	}
	for _, o := range objects {
		if o.isRole() || o.isBinding() {
			return o.Kind + " " + o.Metadata.Name, nil
		}
	}
	return "", nil
}

// replacements returns those of k, also those it keeps in files, as one or as a list.
func (b *build) replacements(k *kustomization) []replacement {
	var all []replacement
	for _, r := range k.Replacements {
		all = append(all, r)
		text, err := fs.ReadFile(b.fsys, path.Join(path.Dir(k.file), r.Path))
		if err != nil {
			continue
		}
		var body json.RawMessage
		var list []replacement
		var one replacement
		if err := yaml.Unmarshal(text, &body); err != nil {
			continue
		}
		if err := json.Unmarshal(body, &list); err != nil && json.Unmarshal(body, &one) == nil {
			list = []replacement{one}
		}
		all = append(all, list...)
	}
	return all
}

// first names the first RBAC object that s selects, by its name now or in its file.
func (s selector) first(objects []*object) string {
	for _, o := range objects {
		if !o.isRole() && !o.isBinding() || !selects(s.Group, rbacv1.GroupName) || !selects(s.Kind, o.Kind) {
			continue
		}
		for _, id := range append([]identity{o.Metadata.identity}, o.was...) {
			if selects(s.Name, id.Name) && selects(s.Namespace, id.Namespace) {
				return o.String()
			}
		}
	}
	return ""
}

// selects reports whether pattern stands for all of value. One that is no regular expression may mean anything.
func selects(pattern, value string) bool {
	expression, err := regexp.Compile("^(?:" + strings.TrimSpace(pattern) + ")$")
	return pattern == "" || err != nil || expression.MatchString(value)
}
