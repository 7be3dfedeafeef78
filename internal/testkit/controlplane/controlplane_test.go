// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"context"
	"crypto/x509"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// assets makes programs out of shell scripts and points Start at them. The
// directory for temporary files is the second result.
func assets(t *testing.T, scripts map[string]string) (dir, temp string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are shell scripts")
	}
	dir, temp = t.TempDir(), t.TempDir()
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("KUBEBUILDER_ASSETS", dir)
	t.Setenv("TMPDIR", temp)
	return dir, temp
}

func wantNothingLeft(t *testing.T, temp string) {
	t.Helper()
	left, err := os.ReadDir(temp)
	if err != nil || len(left) != 0 {
		t.Errorf("left in the temporary directory: %v, %v", left, err)
	}
}

func TestProgramThatEndsIsTheErrorOfStart(t *testing.T) {
	_, temp := assets(t, map[string]string{
		"etcd":           "exec sleep 600",
		"kube-apiserver": "echo the port is taken >&2; exit 3",
	})
	_, err := Start(t.Context())
	if err == nil || !strings.Contains(err.Error(), "kube-apiserver ended") ||
		!strings.Contains(err.Error(), "the port is taken") {
		t.Errorf("error %v, want who ended and what it said", err)
	}
	wantNothingLeft(t, temp)
}

// Caught: a flag of the caller beside the default, which a flag with a list adds up.
func TestFlagsReplaceDefaults(t *testing.T) {
	assets(t, map[string]string{
		"etcd":           "exec sleep 600",
		"kube-apiserver": `for flag; do case $flag in --authorization-mode=*) echo "got $flag" >&2; esac; done; exit 3`,
	})
	_, err := Start(t.Context(), "--authorization-mode=Node,RBAC")
	if err == nil || !strings.HasSuffix(err.Error(), "ends with:\ngot --authorization-mode=Node,RBAC") {
		t.Errorf("error %v, want one flag, the caller's", err)
	}
}

func TestStartEndsWithItsContext(t *testing.T) {
	_, temp := assets(t, map[string]string{
		"etcd":           "exec sleep 600",
		"kube-apiserver": "exec sleep 600",
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx); err == nil || !strings.Contains(err.Error(), "not ready") {
		t.Errorf("error %v, want that it is not ready", err)
	}
	wantNothingLeft(t, temp)
}

func TestMissingProgramsAreNamed(t *testing.T) {
	dir, _ := assets(t, map[string]string{"etcd": ""})
	_, err := Start(t.Context())
	if err == nil || !strings.Contains(err.Error(), "kube-apiserver") || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v, want what is missing and where", err)
	}
}

func TestProgramLooksInDirectoriesAbove(t *testing.T) {
	t.Setenv(assetsEnv, "")
	root := t.TempDir()
	bin, deep := filepath.Join(root, "bin", "controlplane"), filepath.Join(root, "a", "b")
	for _, dir := range []string{bin, deep} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(deep)
	if _, err := Program("etcd"); err == nil || !strings.Contains(err.Error(), "make controlplane") {
		t.Errorf("error without programs: %v, want how to build them", err)
	}
	if err := os.WriteFile(filepath.Join(bin, "etcd"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Program("etcd"); err != nil || !strings.HasSuffix(got, filepath.Join("bin", "controlplane", "etcd")) {
		t.Errorf("Program = %q, %v, want the one in %q", got, err, bin)
	}
}

// Caught: a certificate for servers only; the groups left out.
func TestCertificatesAreOfTheAuthority(t *testing.T) {
	a, err := newAuthority()
	if err != nil {
		t.Fatal(err)
	}
	pair, err := a.issue("web", []string{"components"})
	if err != nil {
		t.Fatal(err)
	}
	config, err := a.clientConfig(pair)
	if err != nil {
		t.Fatal(err)
	}
	got, err := x509.ParseCertificate(config.Certificates[0].Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	if got.Subject.CommonName != "web" || !slices.Equal(got.Subject.Organization, []string{"components"}) {
		t.Errorf("subject %v, want web of components", got.Subject)
	}
	for _, usage := range []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth} {
		options := x509.VerifyOptions{Roots: config.RootCAs, KeyUsages: []x509.ExtKeyUsage{usage}, DNSName: "127.0.0.1"}
		if _, err := got.Verify(options); err != nil {
			t.Errorf("usage %v: %v", usage, err)
		}
	}
}
