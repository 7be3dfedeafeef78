// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package production

import "k8s.io/client-go/tools/record"

func test() {
	newReconciler(dry())                     // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
	newReconciler(record.NewFakeRecorder(1)) // want "record\\.NewFakeRecorder becomes eventstest\\.NewFakeRecorder"
}
