// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
)

func etcdFlags(dir, url string, peerPort int) []string {
	peer := fmt.Sprintf("http://127.0.0.1:%d", peerPort)
	return []string{
		"--data-dir=" + filepath.Join(dir, "etcd"),
		"--listen-client-urls=" + url,
		"--advertise-client-urls=" + url,
		"--listen-peer-urls=" + peer,
		"--initial-advertise-peer-urls=" + peer,
		"--initial-cluster=default=" + peer,
		"--unsafe-no-fsync", // the data does not outlive the program
		"--log-level=error",
	}
}

// apiserverFlags writes the files that the server needs, and returns the token
// of an administrator with the flags. The server makes its own certificate.
func apiserverFlags(dir, etcd string, port int) (token string, flags []string, err error) {
	key := filepath.Join(dir, "service-account.key")
	if err := writeKey(key); err != nil {
		return "", nil, err
	}
	token = rand.Text()
	tokens := filepath.Join(dir, "tokens.csv")
	line := token + ",kubelet-migration,kubelet-migration,system:masters\n"
	if err := os.WriteFile(tokens, []byte(line), 0o600); err != nil {
		return "", nil, fmt.Errorf("controlplane: %w", err)
	}
	return token, []string{
		"--etcd-servers=" + etcd,
		"--cert-dir=" + dir,
		"--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", port),
		"--token-auth-file=" + tokens,
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://kubelet-migration.invalid",
		"--service-account-signing-key-file=" + key,
		"--service-account-key-file=" + key,
		"--service-cluster-ip-range=10.0.0.0/24",
		"--endpoint-reconciler-type=none",
		// There is no controller that makes service accounts.
		"--disable-admission-plugins=ServiceAccount",
	}, nil
}

// writeKey makes a private key for the tokens of service accounts.
func writeKey(file string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("controlplane: %w", err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return fmt.Errorf("controlplane: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return fmt.Errorf("controlplane: %w", err)
	}
	return nil
}
