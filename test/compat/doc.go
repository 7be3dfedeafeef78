// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Command compat tests the SDK with every version of client-go and kube-apiserver that it supports, and writes what
// came of it to results.json and VERSIONING.md. `make compat` runs all rows, `make compat ROWS=client-go-0.36` one of
// them.
//
//	client-go-0.36.mod ──▶ build, vet, test ───────┐
//	dropin-0.36.mod ─────▶ the drop-in tests ──────┼──▶ results.json ──▶ VERSIONING.md
//	controlplane/1.34 ───▶ the core cases of e2e ──┘
//
// A row with client-go is the SDK under another go.mod, by go's -modfile, and then package dropin likewise. A row
// with kube-apiserver is built by test/controlplane/build.sh. Each row is saved when it is finished, so that an
// interrupted run loses only the row that was under way.
package main
