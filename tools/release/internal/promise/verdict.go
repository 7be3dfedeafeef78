// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package promise

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/eventseries/eventseries/tools/release/internal/changelog"
)

// Judge returns an error for each change since the release base that breaks the promise: an interface that grew, an
// incompatible change without its warning in the sections since base, a next version that is too small for the changes.
func Judge(base string, changes []Change, since changelog.Changelog) error {
	var errs []error
	var breaking, adding []string
	for _, c := range changes {
		switch {
		case c.Grown:
			errs = append(errs, fmt.Errorf("%s in an interface that users implement, which never grows; "+
				"declare another interface and ask for it", c))
		case c.Compatible:
			adding = append(adding, c.Name())
		default:
			breaking = append(breaking, c.Name())
			if !since.Warns(c.Words...) {
				errs = append(errs, fmt.Errorf("%s; say it in CHANGELOG.md above [%s], in an entry with %s that has %q",
					c, strings.TrimPrefix(base, "v"), changelog.Mark, c.Words))
			}
		}
	}
	return errors.Join(append(errs, size(base, since.Next(), breaking, adding))...)
}

// size judges the next version, if the changelog names one.
func size(base, next string, breaking, adding []string) error {
	switch {
	case next == "" || len(breaking)+len(adding) == 0:
		return nil
	case len(breaking) > 0 && semver.Major(base) != "v0" && semver.Major(next) == semver.Major(base):
		return fmt.Errorf("%s breaks what %s promised (%s); it needs a new major version, under another module path",
			next, base, some(breaking))
	case semver.MajorMinor(next) == semver.MajorMinor(base):
		return fmt.Errorf("%s is a patch of %s but changes the API (%s); it needs the next minor version",
			next, base, some(append(breaking, adding...)))
	}
	return nil
}

// some is a list that fits a line.
func some(changes []string) string {
	const most = 3
	if more := len(changes) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(changes[:most], ", "), more)
	}
	return strings.Join(changes, ", ")
}
