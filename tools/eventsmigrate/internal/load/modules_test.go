// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"
)

// Caught: the requirement lands in the last block, which is that of the indirect ones; behind a block, because there is
// an indirect one in it; in a small block of tools.
func TestRequirementIsAmongTheDirectOnes(t *testing.T) {
	const sdk = "github.com/eventseries/eventseries v0.0.0\n"
	for name, requirements := range map[string]string{ // with what is added between two ¦
		"two blocks": "require (\n\tk8s.io/api v0.36.3\n)\n\nrequire (\n\ta.io/b v1.4.3 // indirect\n)\n" +
			"¦require (\n\t" + sdk + "\tk8s.io/api v0.36.3\n)\n\nrequire a.io/b v1.4.3 // indirect\n",
		"a mixed block": "require (\n\ta.io/b v1.4.3 // indirect\n\t// newer ones fail\n\tk8s.io/api v0.36.3\n" +
			"\tk8s.io/klog v1.0.0 // indirect\n)\n" +
			"¦require (\n\t" + sdk + "\t// newer ones fail\n\tk8s.io/api v0.36.3\n)\n\n" +
			"require (\n\ta.io/b v1.4.3 // indirect\n\tk8s.io/klog v1.0.0 // indirect\n)\n",
		"at the end": "require (\n\ta.io/a v1.0.0\n\ta.io/b v1.0.0\n)\n\n// tools\nrequire (\n\tk8s.io/api v0.36.3\n)\n" +
			"¦require (\n\ta.io/a v1.0.0\n\ta.io/b v1.0.0\n\t" + sdk + ")\n\n// tools\nrequire k8s.io/api v0.36.3\n",
		"no block": "require k8s.io/api v0.36.3\n¦require (\n\t" + sdk + "\tk8s.io/api v0.36.3\n)\n",
	} {
		t.Run(name, func(t *testing.T) {
			const head = "module example.com/m\n\ngo 1.25.0\n\n"
			before, want, _ := strings.Cut(requirements, "¦")
			file, err := modfile.Parse("go.mod", []byte(head+before), nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := requiring(file, "v0.0.0").Format()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(head+want, string(got)); diff != "" {
				t.Errorf("go.mod (-want +got):\n%s", diff)
			}
		})
	}
}
