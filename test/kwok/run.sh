#!/bin/sh
# Copyright 2026 The eventseries Authors.
# SPDX-License-Identifier: Apache-2.0
#
# usage: run.sh NODES PODS_PER_SECOND
# Adds NODES nodes without kubelets to the cluster of $KUBECONFIG, whose pods kwok runs with stages.yaml. Then
# clusterloader2, which must be on the PATH, creates and deletes pods, and writes its report into ./report. With 0
# nodes, the pods run on the nodes and the kubelets of the cluster. At the end the added nodes are deleted.
set -eu
nodes=${1:?usage: run.sh NODES PODS_PER_SECOND}
rate=${2:?usage: run.sh NODES PODS_PER_SECOND}
: "${KUBECONFIG:?set KUBECONFIG to that of a test cluster}"
report=$(pwd)/report
cd "$(dirname "$0")"

if [ "$nodes" -gt 0 ]; then
	bin=$(mktemp -d)
	kwok=
	trap '[ -z "$kwok" ] || kill "$kwok"; kubectl delete nodes -l type=events-kwok --wait=false; rm -r "$bin"' EXIT
	go build -o "$bin/kwok" sigs.k8s.io/kwok/cmd/kwok
	of=$(go list -m -f '{{.Dir}}' sigs.k8s.io/kwok)/kustomize/stage/node
	i=0
	while [ "$i" -lt "$nodes" ]; do
		sed "s/NUMBER/$i/" node.yaml
		i=$((i + 1))
	done | kubectl apply --server-side -f - >/dev/null
	"$bin/kwok" --kubeconfig "$KUBECONFIG" --manage-nodes-with-label-selector type=events-kwok \
		--node-lease-duration-seconds 40 --config stages.yaml --config "$of/fast/node-initialize.yaml" \
		--config "$of/heartbeat-with-lease/node-heartbeat-with-lease.yaml" &
	kwok=$!
fi
CL2_PODS_PER_SECOND=$rate clusterloader2 --provider local --kubeconfig "$KUBECONFIG" --nodes "$nodes" \
	--enable-prometheus-server --testconfig clusterloader2/config.yaml --report-dir "$report"
