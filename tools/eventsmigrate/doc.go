// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Eventsmigrate moves Go code from k8s.io/client-go/tools/record to the events API, and kubebuilder's RBAC markers with it.
// The code then uses the eventseries SDK, client-go's tools/events, or controller-runtime's GetEventRecorder.
//
//	load ──▶ rewrite ──▶ verify ──▶ manifest ──▶ report, or written
//	            ▲           │
//	            └─ freeze ◀─┘
//
// # Guarantees
//
//   - What is written compiles, in all packages of the main modules that the build has. An edit that would not compile
//     is withdrawn, and the report says where and why. Without -fix nothing is written.
//   - The text of a message does not change, and no plain message becomes a format.
//   - A second run changes nothing.
//   - Access to core/v1 is never taken from a Role, and only YAML that controller-gen makes is edited.
//
// As "go vet -vettool=$(which eventsmigrate)" it reports the same places and the lints. It writes nothing then, because
// a vet tool sees one package at a time and cannot know whether the module still compiles.
//
// Other commands look at the roles in manifests (rbac), list the Events that the code records (catalog), and find mistakes
// in the arguments of recording calls (lint).
//
// README.md has the flags, the exit codes and the JSON document.
package main
