// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import "k8s.io/klog/v2"

// StartStructuredLogging logs every event as it is recorded, through whichever
// broadcaster, with the adapter's logger at the given verbosity. While that is
// disabled it costs nothing. The returned function ends it.
func (a *Adapter) StartStructuredLogging(verbosity klog.Level) func() {
	series, err := a.series.StartLogging(a.config.logger.V(int(verbosity)))
	if err != nil {
		a.config.logger.Error(err, "Events are not logged")
		return func() {}
	}
	old := a.legacy.StartStructuredLogging(verbosity)
	return func() {
		series()
		old.Stop()
	}
}
