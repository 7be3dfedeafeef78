// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package otlpencodingextension stands for the module that only the tests of the file
// exporter import, so that go mod tidy does not download it.
package otlpencodingextension
