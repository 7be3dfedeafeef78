// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"
)

// newName is the name of an Event after it was kept and taken out again.
func newName(regarding string, now time.Time) string {
	o := &Occurrence{Key: Key{Regarding: Reference{Name: regarding}}, Name: NewName(now)}
	return ownName(NewSingle(o))
}

// generated is the name of an object, 16 digits of nanoseconds and 8 of the process.
var generated = regexp.MustCompile(`^(.+)\.([0-9a-f]{16})([0-9a-f]{8})$`)

// checkName checks name as the server does.
func checkName(t *testing.T, name string) {
	t.Helper()
	if errs := apivalidation.NameIsDNSSubdomain(name, false); len(errs) > 0 {
		t.Errorf("%q is no name: %v", name, errs)
	}
	if len(name) > validation.DNS1123SubdomainMaxLength {
		t.Errorf("%q has %d bytes", name, len(name))
	}
}

// kubectl describe lists Events without lastTimestamp by name.
func TestNewNameSortsByTime(t *testing.T) {
	var names []string
	for _, d := range []time.Duration{0, 0, time.Nanosecond, -time.Hour, 0, time.Second, 24 * time.Hour, -1} {
		names = append(names, newName("web", time.Now().Add(d)))
	}
	if !slices.IsSorted(names) || !generated.MatchString(newName("web", time.Time{})) { // a clock that is not set yet
		t.Errorf("%v are not in order", names)
	}
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("%v are not unique", names)
	}
}

func TestNewNameConcurrentSafe(t *testing.T) {
	const goroutines, each = 8, 500
	var group sync.WaitGroup
	names := make([][]string, goroutines)
	now := time.Now()
	for g := range goroutines {
		group.Go(func() {
			for range each {
				names[g] = append(names[g], newName("web", now))
			}
		})
	}
	group.Wait()
	seen := map[string]bool{}
	for _, own := range names {
		if !slices.IsSorted(own) {
			t.Error("the names of one goroutine are not in order")
		}
		for _, name := range own {
			seen[name] = true
		}
	}
	if len(seen) != goroutines*each {
		t.Errorf("%d different names of %d", len(seen), goroutines*each)
	}
}

// What is plain at first sight is what the library takes.
func FuzzPlain(f *testing.F) {
	for _, name := range []string{
		"", "a", "z", "{", "9", "a-b", "-a", "a-", "a.b", "a..b", ".a", "a.", "a-.b", "a.-b", "A", "a_b", "0", "é", "a--b",
		strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 63) + ".b",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if got, want := PlainLabel(name), len(validation.IsDNS1123Label(name)) == 0; got != want {
			t.Errorf("label %q: %v, want %v", name, got, want)
		}
		long := len(name) > validation.DNS1123SubdomainMaxLength
		if got, want := plain(name), len(validation.IsDNS1123Subdomain(name)) == 0; got != want && !long {
			t.Errorf("subdomain %q: %v, want %v", name, got, want)
		}
	})
}

func FuzzNewName(f *testing.F) {
	long := strings.Repeat("a", 300)
	for _, seed := range []string{
		"web", "192.168.0.1", "", "System:Node_1", "..web..1..", "-", long[:228], long[:229], "\xffweb\x00", "é",
	} {
		f.Add(seed)
	}
	previous := ""
	f.Fuzz(func(t *testing.T, regarding string) {
		name := newName(regarding, epoch)
		checkName(t, name)
		m := generated.FindStringSubmatch(name)
		if (m != nil) != (regarding != "" && len(regarding) <= 228 && plain(regarding)) {
			t.Errorf("the name for %q is %q", regarding, name)
		}
		if m == nil {
			return
		}
		if m[1] != regarding {
			t.Errorf("the name for %q begins with %q", regarding, m[1])
		}
		if nano := m[2]; nano <= previous {
			t.Errorf("nanoseconds %s after %s", nano, previous)
		}
		previous = m[2]
		if m[3] != fmt.Sprintf("%08x", processID) {
			t.Errorf("%q does not end with the process", name)
		}
	})
}
