// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package production

import "k8s.io/client-go/tools/record"

func test() {
	newReconciler(dry())
	newReconciler(record.NewFakeRecorder(1))
}
