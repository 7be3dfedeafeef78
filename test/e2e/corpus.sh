#!/bin/sh
# Copyright 2026 The eventseries Authors.
# SPDX-License-Identifier: Apache-2.0
#
# usage: corpus.sh
# Records eventview/corpus again, from client-go, the SDK and a kubelet on a real API server, and reads it.
set -eu
cd "$(dirname "$0")"
sh ../controlplane/build.sh
export KUBEBUILDER_ASSETS="${KUBEBUILDER_ASSETS:-$(cd ../.. && pwd)/bin/controlplane}"
go test -vet=off -count=1 -run '^TestCorpus$' . -update
go test -vet=off -count=1 -run '^TestCorpus$' ./kubernetes -update
cd ../..
go test -vet=off -run Corpus ./eventview
