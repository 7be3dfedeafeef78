#!/bin/sh
# Copyright 2026 The eventseries Authors.
# SPDX-License-Identifier: Apache-2.0
#
# usage: run.sh [-list | ROW...]
# Tests the SDK with the client-go, or against the kube-apiserver, of each row of matrix.txt, or of those that are named,
# as client-go-0.36. A row of client-go is the SDK, contrib and the drop-in tests under a go.mod of their own, by go's
# -modfile, so nothing in the tree changes. A row of kube-apiserver is the core cases of test/e2e.
set -eu
cd "$(dirname "$0")/../.."
export GOWORK=off

# The cases of test/e2e that each take a part of the delivery of Events to a real server: series, fall back, RBAC, repair,
# switch, conformance, namespaces that end, an answer that lies, reading, validation, and drain.
core='TestFiftyIdenticalAreOneEvent TestDeletedEventIsRecreatedWithTheFullCount
TestClusterWithoutEventsV1 TestAccessInOneNamespace TestOddEventsAreAccepted TestLiveSwitchInMidSeries TestSinksConform
TestTerminatingNamespaceIsQuiet TestAppliedCreateAnsweredWith500 TestDrainAgainstASlowServer
TestReadingWithoutManagedFields TestRules TestManagerDrainsAfterItsControllers'

# run COMMAND... says what is run.
run() {
	echo "compat: $row: $*"
	"$@"
}

# with DIR VERSIONS PACKAGES tests packages of a module with these versions of its requirements.
with() {
	mkdir -p "$work/$1"
	# What go get names is left out, and what that required: go get does not make others older.
	sed '/ \/\/ indirect$/d; /^\t\(k8s.io\/\(api\|apimachinery\|client-go\)\|sigs.k8s.io\/controller-runtime\) /d' \
		"$1/go.mod" >"$work/$1/go.mod"
	cp "$1/go.sum" "$work/$1"
	(
		cd "$1"
		export GOFLAGS="${GOFLAGS:-} -modfile=$work/$1/go.mod"
		run go get $2
		run go mod tidy
		run go vet $3
		run go test -short -count=1 -shuffle=on $3 # no client-go makes a longer simulation worth its time
	)
}

client_go() { # MINOR CONTROLLER-RUNTIME
	k8s="k8s.io/api@v$1 k8s.io/apimachinery@v$1 k8s.io/client-go@v$1"
	with . "$k8s" "$(go list ./... | grep -v /test/repository)" # client-go is nothing to the repository's files
	runtime=
	[ "$2" = - ] || runtime=sigs.k8s.io/controller-runtime@v$2
	for module in contrib/*; do
		if grep -q controller-runtime "$module/go.mod"; then # which does not compile with a newer client-go than its own
			with "$module" "$k8s $runtime" ./...
		else
			with "$module" "$k8s" ./...
		fi
	done
	[ -z "$runtime" ] || with test/compat "$k8s $runtime" ./...
}

kube_apiserver() { # MINOR
	minor=
	[ ! -d "test/controlplane/$1" ] || minor=$1 # the others are that of test/controlplane/go.mod
	run sh test/controlplane/build.sh $minor
	assets=$(pwd)/bin/controlplane${minor:+-$minor}
	"$assets/kube-apiserver" --version | grep "v$1\."
	cases="^($(echo $core | tr ' ' '|'))\$"
	cd test/e2e
	[ "$(go test -list "$cases" . | grep -c '^Test')" = "$(echo $core | wc -w)" ] || { echo "compat: a case was renamed"; exit 1; }
	KUBEBUILDER_ASSETS=$assets run go test -count=1 -timeout 10m -run "$cases" .
}

rows=$(sed -n 's/^\([a-z][a-z-]*\)  *\([0-9.]*\) .*/\1-\2/p' test/compat/matrix.txt)
case ${1:-} in
-list)
	echo "$rows"
	;;
-row)
	row=$2
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	set -- $(sed -n "s/^\([a-z][a-z-]*\)  *\([0-9.]*\)  */\1-\2 \2 /p" test/compat/matrix.txt | grep "^$row ")
	[ $# -gt 0 ] || { echo "compat: no row $row; there are" $rows >&2; exit 1; }
	case $row in
	client-go-*) client_go "$2" "$3" ;;
	kube-apiserver-*) kube_apiserver "$2" ;;
	esac
	;;
*)
	failed=
	for row in ${*:-$rows}; do
		sh test/compat/run.sh -row "$row" || failed="$failed $row"
	done
	[ -z "$failed" ] || { echo "compat: failed:$failed" >&2; exit 1; }
	;;
esac
