#!/bin/sh
# Copyright 2026 The eventseries Authors.
# SPDX-License-Identifier: Apache-2.0
#
# usage: run.sh [FLAG OF GO TEST...]
# Runs every scenario on a real control plane, and prints the accounts: half an hour.
set -eu
cd "$(dirname "$0")"
sh ../../controlplane/build.sh
export KUBEBUILDER_ASSETS="${KUBEBUILDER_ASSETS:-$(cd ../../.. && pwd)/bin/controlplane}"
exec go test -count=1 -v -timeout 60m "$@" .
