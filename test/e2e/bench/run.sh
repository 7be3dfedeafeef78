#!/bin/sh
# Copyright 2026 The eventseries Authors.
# SPDX-License-Identifier: Apache-2.0
#
# usage: run.sh [-bench EXPRESSION] [-scale] [-cost] [-page]
# Measures the SDK, client-go and a floor in turn, and writes docs/evidence/benchmarks.md: an hour on a quiet machine. With
# -scale it simulates 5,000 nodes on a normal and a bad day, and writes scale.md: half an hour. With -cost it measures
# what units cost kube-apiserver and etcd, simulates larger clusters, and writes cost.md: some ten minutes. With -page it
# writes the pages from the results that there are.
set -eu
cd "$(dirname "$0")"
case " $* " in
*" -scale "* | *" -page "*) ;; # no server
*)
	sh ../../controlplane/build.sh
	export KUBEBUILDER_ASSETS="${KUBEBUILDER_ASSETS:-$(cd ../../.. && pwd)/bin/controlplane}"
	;;
esac
exec go run . "$@"
