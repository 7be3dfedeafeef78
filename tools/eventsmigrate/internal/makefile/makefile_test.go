// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package makefile_test

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/makefile"
)

// Caught: the target makes one of two files only, does everything else as well, or installs controller-gen; a script hides what
// it runs.
func TestFind(t *testing.T) {
	const install = "CONTROLLER_GEN ?= bin/controller-gen\n\ncontroller-gen: ## Install controller-gen.\n" +
		"\tgo install sigs.k8s.io/controller-tools/cmd/controller-gen@v0.19.0\n\nall: test manifests\n\ntest: fmt ; go test ./...\n\n"
	for _, test := range []struct{ name, text, file, want string }{
		{
			name: "kubebuilder", want: "manifests",
			text: install + ".PHONY: manifests\nmanifests: controller-gen ## Generate manifests.\n" +
				"\t$(CONTROLLER_GEN) rbac:roleName=manager-role crd paths=\"./...\"\n",
		},
		{
			name: "rendered by another target", want: "manifests",
			text: install + "manifests: generated rendered\n\ngenerated: $(CONTROLLER_GEN)\n\t$< \\\n\t\trbac:roleName=x paths=./...\n\n" +
				"rendered:\n\tkustomize build config > render/all.yaml\n",
		},
		{
			name: "without controller-gen", want: "render",
			text: install + "render other: fmt | bin\n\tkustomize build config > render/all.yaml\n",
		},
		{
			name: "by a script", want: "everything",
			text: install + "test-e2e:\n\t./hack/e2e.sh\n\nroles:\n\t./hack/generate-rbac.sh './...' render/\n\n" +
				"everything: roles\n\tkustomize build config > render/all.yaml\n",
		},
		{
			name: "the file is the target", want: "render/all.yaml",
			text: install + "manifests:\n\tcontroller-gen rbac:roleName=x paths=./...\n\nrender/all.yaml: config/*.yaml\n" +
				"\tkustomize build config > $@\n",
		},
		{
			name: "a bundle", want: "bundle", file: "bundle/manifests/a.clusterserviceversion.yaml",
			text: install + "manifests:\n\tcontroller-gen rbac:roleName=x paths=./...\n\nbundle: manifests\n" +
				"\tkustomize build config/manifests | operator-sdk generate bundle -q\n",
		},
		{name: "nothing makes it", text: install + "X := rbac: controller-gen\nY: X = controller-gen rbac\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			const runs = "controller-generator.sh \\\n\trbac:roleName=generated \\\n\tpaths=\"$1\"\n"
			if err := os.Mkdir(filepath.Join(dir, "hack"), 0o755); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{
				"Makefile": test.text, "hack/generate-rbac.sh": runs, "hack/e2e.sh": runs,
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got := makefile.Find([]string{filepath.Join(dir, cmp.Or(test.file, "render/all.yaml"))}, func(string) bool { return false })
			if got != test.want {
				t.Errorf("Find = %q, want %q", got, test.want)
			}
		})
	}
}
