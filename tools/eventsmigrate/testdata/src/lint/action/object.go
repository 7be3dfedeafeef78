// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import "k8s.io/apimachinery/pkg/runtime"

type object = runtime.Object
