// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package browser looks at the page of package debug with a real Chromium, and draws the pictures in docs/. It needs
// no API server:
//
//	apt-get install chromium fonts-inter
//	cd test/e2e && go test ./browser -update
//
// Without a chromium in the path the tests are skipped.
package browser
