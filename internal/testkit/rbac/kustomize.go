// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/eventseries/eventseries/internal/testkit/rbacfile"
)

// build follows one kustomization, as kustomize build does.
type build struct {
	fsys  fs.FS
	stack []string // the kustomizations that are being followed, outermost first
	read  int      // files and directories read
	notes []string // what was not read
}

// maxParts bounds what one kustomization can be made of: bases that are used twice at each level double.
const maxParts = 10_000

// kustomization is a kustomization at its place.
type kustomization struct {
	*rbacfile.Kustomization
	dir, file string
}

// kustomize returns the objects of the kustomization in dir, with the names and namespaces that it gives them, and
// notes about what it did not read.
func kustomize(fsys fs.FS, dir string) ([]*object, []string, error) {
	b := &build{fsys: fsys}
	objects, err := b.directory(dir, nil)
	resolveReferences(objects)
	return objects, b.notes, err
}

// readKustomization returns the kustomization in dir, or nil if there is none.
func readKustomization(fsys fs.FS, dir string) (*kustomization, error) {
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		file := path.Join(dir, name)
		text, err := fs.ReadFile(fsys, file)
		if err != nil {
			continue
		}
		k, err := rbacfile.ParseKustomization(string(text))
		switch {
		case err != nil:
			return nil, syntaxError(file, err, 1)
		case k != nil:
			return &kustomization{k, dir, file}, nil
		}
	}
	return nil, nil // having none is no error
}

// directory adds the objects of the kustomization in dir to those that a component is to be applied to.
func (b *build) directory(dir string, objects []*object) ([]*object, error) {
	k, err := readKustomization(b.fsys, dir)
	switch {
	case err != nil:
		return nil, err
	case k == nil:
		return nil, fmt.Errorf("%s: no kustomization in this directory", dir)
	case slices.Contains(b.stack, dir):
		return nil, fmt.Errorf("%s: refers to itself: %s", k.file, strings.Join(append(b.stack, dir), " -> "))
	}
	b.stack = append(b.stack, dir)
	defer func() { b.stack = b.stack[:len(b.stack)-1] }()

	for _, entry := range slices.Concat(k.Resources, k.Bases) {
		found, err := b.resource(k, entry)
		if err != nil {
			return nil, err
		}
		objects = append(objects, found...)
	}
	for _, entry := range k.Components {
		name, isDir, err := b.locate(k, entry)
		switch {
		case err != nil:
			return nil, err
		case name == "":
			continue
		case !isDir:
			return nil, fmt.Errorf("%s: component %s is not a directory", k.file, entry)
		}
		if objects, err = b.directory(name, objects); err != nil {
			return nil, err
		}
	}
	b.noteGenerators(k)
	if err := b.refusePatches(k, objects); err != nil {
		return nil, err
	}
	k.transform(objects)
	return objects, nil
}

func (b *build) note(format string, args ...any) {
	b.notes = append(b.notes, fmt.Sprintf(format, args...))
}

func (b *build) resource(k *kustomization, entry string) ([]*object, error) {
	name, isDir, err := b.locate(k, entry)
	if err != nil || name == "" {
		return nil, err
	}
	if isDir {
		return b.directory(name, nil)
	}
	objects, err := load(b.fsys, name, decode)
	if errors.Is(err, errTemplate) {
		b.note("%s %v", name, err)
		return nil, nil
	}
	return objects, err
}

// locate finds entry of k. Name is "" for what cannot be read, which is noted: something remote, or a file that does
// not exist and may yet be generated.
func (b *build) locate(k *kustomization, entry string) (name string, isDir bool, err error) {
	if b.read++; b.read > maxParts {
		return "", false, fmt.Errorf("%s: more than %d files and directories: is a base used again and again?",
			b.stack[0], maxParts)
	}
	name = path.Join(k.dir, entry)
	inside := fs.ValidPath(name) && !path.IsAbs(entry)
	if inside {
		if info, err := fs.Stat(b.fsys, name); err == nil {
			return name, info.IsDir(), nil
		}
	}
	switch {
	case isRemote(entry):
		b.note("%s: %s is elsewhere", k.file, entry)
	case !inside:
		return "", false, k.outside(entry)
	default:
		b.note("%s: %s does not exist", k.file, entry)
	}
	return "", false, nil
}

// isRemote reports whether kustomize would fetch entry.
func isRemote(entry string) bool {
	host, _, _ := strings.Cut(entry, "/")
	return strings.Contains(entry, "://") || strings.Contains(entry, "?") || strings.HasPrefix(entry, "git::") ||
		strings.Contains(host, "@") || strings.HasSuffix(host, ".com") || strings.HasSuffix(host, ".org")
}

// outside is the error about an entry that is not below the root of what is read.
func (k *kustomization) outside(entry string) error {
	root := "/"
	if !path.IsAbs(entry) {
		root = ".."
		above, _ := strings.CutPrefix(path.Join(k.dir, entry), "../")
		for strings.HasPrefix(above+"/", "../") {
			root, above = root+"/..", strings.TrimPrefix(above[2:], "/")
		}
	}
	return fmt.Errorf("%s: %s is outside of the directory that was passed: "+
		"pass one that holds both, as with os.DirFS(%q), and name this kustomization with Overlay", k.file, entry, root)
}

// noteGenerators names the fields that can make or change RBAC objects and are not followed.
func (b *build) noteGenerators(k *kustomization) {
	for _, field := range []struct {
		name  string
		value []any
	}{
		{"generators", k.Generators},
		{"transformers", k.Transformers},
		{"helmCharts", k.HelmCharts},
		{"helmChartInflationGenerator", k.HelmChartInflationGenerator},
	} {
		if len(field.value) > 0 {
			b.note("%s: %s, which can make and change objects", k.file, field.name)
		}
	}
}

// transform gives objects the namespace and the names that k wants, in kustomize's order.
func (k *kustomization) transform(objects []*object) {
	for _, o := range objects {
		if k.Namespace != "" {
			o.move(k.Namespace)
		}
		if k.NamePrefix != "" {
			o.rename(k.NamePrefix + o.Metadata.Name)
			o.prefixes = append(o.prefixes, k.NamePrefix)
		}
		if k.NameSuffix != "" {
			o.rename(o.Metadata.Name + k.NameSuffix)
			o.suffixes = append(o.suffixes, k.NameSuffix)
		}
	}
}

func (o *object) move(namespace string) {
	if o.namespaced() {
		o.earlier = append(o.earlier, o.Metadata.identity)
		o.Metadata.Namespace = namespace
	}
	for i := range o.Subjects {
		if o.Subjects[i].Name == "default" { // the one account that need not be among the resources
			o.Subjects[i].Namespace = namespace
		}
	}
}

func (o *object) rename(name string) {
	o.earlier = append(o.earlier, o.Metadata.identity)
	o.Metadata.Name = name
}

// refusePatches returns an error if k changes an RBAC object. Patches are not applied here, so its rules are not known.
func (b *build) refusePatches(k *kustomization, objects []*object) error {
	refuse := func(does string) error {
		return fmt.Errorf("%s %s, and patches are not applied here: "+
			"render it with kustomize build %s, and pass what that prints", k.file, does, b.stack[0])
	}
	for _, p := range k.AllPatches() {
		changed, err := b.patched(k, p, objects)
		if err != nil {
			return err
		}
		if changed != "" {
			return refuse("patches " + changed)
		}
	}
	for _, r := range b.replacements(k) {
		for _, target := range r.Targets {
			if changed := firstSelected(objects, target.Select); changed != "" {
				return refuse("replaces a part of " + changed)
			}
		}
	}
	return nil
}

// patched names the first RBAC object that p changes: one that its target selects or, without a target, one that the
// patch names itself.
func (b *build) patched(k *kustomization, p rbacfile.Patch, objects []*object) (string, error) {
	if p.Target != nil {
		return firstSelected(objects, *p.Target), nil
	}
	file, text := k.file, p.Patch
	if p.Path != "" {
		name := path.Join(k.dir, p.Path)
		read, err := fs.ReadFile(b.fsys, name)
		switch {
		case err == nil:
			file, text = name, string(read)
		case !fs.ValidPath(name):
			return "", k.outside(p.Path)
		default:
			b.note("%s: %s does not exist", k.file, p.Path)
		}
	}
	named, err := decode(file, text)
	if err != nil && !errors.Is(err, errTemplate) {
		return "", fmt.Errorf("a patch: %w", err)
	}
	if i := slices.IndexFunc(named, (*object).isRBAC); i >= 0 {
		return named[i].Kind + " " + named[i].Metadata.Name, nil
	}
	return "", nil
}

// replacements returns those of k, also those that it keeps in files, as one or as a list.
func (b *build) replacements(k *kustomization) []rbacfile.Replacement {
	all := slices.Clone(k.Replacements)
	for _, r := range k.Replacements {
		text, err := fs.ReadFile(b.fsys, path.Join(k.dir, r.Path))
		if err != nil {
			continue
		}
		var list []rbacfile.Replacement
		if yaml.Unmarshal(text, &list) != nil {
			list = make([]rbacfile.Replacement, 1)
			_ = yaml.Unmarshal(text, &list[0]) // kustomize refuses what is neither
		}
		all = append(all, list...)
	}
	return all
}

// firstSelected names the first RBAC object that s selects, by its name now or in its file.
func firstSelected(objects []*object, s rbacfile.Selector) string {
	for _, o := range objects {
		if !o.isRBAC() || !selects(s.Group, rbacv1.GroupName) || !selects(s.Kind, o.Kind) {
			continue
		}
		for _, id := range append([]identity{o.Metadata.identity}, o.earlier...) {
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
