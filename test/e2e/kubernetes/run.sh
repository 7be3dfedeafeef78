#!/bin/sh
# Copyright 2026 The eventseries Authors.
# SPDX-License-Identifier: Apache-2.0
#
# usage: run.sh [FLAG...]
# Runs real Kubernetes components on a real cluster, before and after the migration, and writes docs/evidence/kubernetes.md:
# hours. run.sh -h lists the flags.
set -eu
cd "$(dirname "$0")"
sh ../../controlplane/build.sh
export KUBEBUILDER_ASSETS="${KUBEBUILDER_ASSETS:-$(cd ../../.. && pwd)/bin/controlplane}"
exec go run . "$@"
