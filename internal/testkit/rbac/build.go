// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// build follows one kustomization, as kustomize build does.
type build struct {
	fsys  fs.FS
	open  []string // the kustomizations that are being followed, outermost first
	read  int      // files and directories read
	notes []string // what was not read
}

// maxParts bounds what one kustomization can be made of: bases that are used twice at each level double.
const maxParts = 10_000

// kustomize returns the objects of the kustomization in dir, with the names and namespaces that it gives them, and
// notes about what it did not read.
func kustomize(fsys fs.FS, dir string) ([]*object, []string, error) {
	b := &build{fsys: fsys}
	objects, err := b.directory(dir, nil)
	resolve(objects)
	return objects, b.notes, err
}

// directory adds the objects of the kustomization in dir to those that a component is to be applied to.
func (b *build) directory(dir string, objects []*object) ([]*object, error) {
	k, err := readKustomization(b.fsys, dir)
	if err != nil {
		return nil, err
	}
	if k == nil {
		return nil, fmt.Errorf("%s: no kustomization in this directory", dir)
	}
	if slices.Contains(b.open, dir) {
		return nil, fmt.Errorf("%s: refers to itself: %s", k.file, strings.Join(append(b.open, dir), " -> "))
	}
	b.open = append(b.open, dir)
	defer func() { b.open = b.open[:len(b.open)-1] }()

	for _, entry := range slices.Concat(k.Resources, k.Bases) {
		found, err := b.resource(k, entry)
		if err != nil {
			return nil, err
		}
		objects = append(objects, found...)
	}
	for _, entry := range k.Components {
		if objects, err = b.component(k, entry, objects); err != nil {
			return nil, err
		}
	}
	for _, field := range k.unread() {
		b.notes = append(b.notes, fmt.Sprintf("%s: %s, which can make and change objects", k.file, field))
	}
	if err := b.unpatched(k, objects); err != nil {
		return nil, err
	}
	k.transform(objects)
	return objects, nil
}

func (b *build) resource(k *kustomization, entry string) ([]*object, error) {
	name, isDir, err := b.locate(k, entry)
	if err != nil || name == "" {
		return nil, err
	}
	if isDir {
		return b.directory(name, nil)
	}
	text, err := fs.ReadFile(b.fsys, name)
	if err != nil {
		return nil, err
	}
	objects, err := decode(name, text)
	if errors.Is(err, errTemplate) {
		b.notes = append(b.notes, fmt.Sprintf("%s %v", name, err))
		return nil, nil
	}
	return objects, err
}

func (b *build) component(k *kustomization, entry string, objects []*object) ([]*object, error) {
	name, isDir, err := b.locate(k, entry)
	switch {
	case err != nil:
		return nil, err
	case name == "":
		return objects, nil
	case !isDir:
		return nil, fmt.Errorf("%s: component %s is not a directory", k.file, entry)
	}
	return b.directory(name, objects)
}

// locate finds entry of k. Name is "" for what cannot be read, which is noted: something fetched, or a file that does
// not exist and may yet be generated.
func (b *build) locate(k *kustomization, entry string) (name string, isDir bool, err error) {
	if b.read++; b.read > maxParts {
		return "", false, fmt.Errorf("%s: more than %d files and directories: is a base used again and again?",
			b.open[0], maxParts)
	}
	name = path.Join(path.Dir(k.file), entry)
	inside := fs.ValidPath(name) && !path.IsAbs(entry)
	if inside {
		if info, err := fs.Stat(b.fsys, name); err == nil {
			return name, info.IsDir(), nil
		}
	}
	switch {
	case remote(entry):
		b.notes = append(b.notes, fmt.Sprintf("%s: %s is elsewhere", k.file, entry))
	case !inside:
		return "", false, k.escape(entry)
	default:
		b.notes = append(b.notes, fmt.Sprintf("%s: %s does not exist", k.file, entry))
	}
	return "", false, nil
}
