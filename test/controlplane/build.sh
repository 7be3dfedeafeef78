#!/bin/sh
# Copyright 2026 The eventseries Authors.
# SPDX-License-Identifier: Apache-2.0
#
# usage: build.sh [MINOR]
# Builds the programs that the end-to-end tests run against: kube-apiserver,
# kubectl and etcd, at the versions in go.mod, into bin/controlplane at the root
# of the repository. It needs Go and nothing else, and does nothing when the
# programs are up to date or KUBEBUILDER_ASSETS names a directory that has them.
# With MINOR, 1.35 say, the versions are those of 1.35/go.mod, the directory is
# bin/controlplane-1.35, and KUBEBUILDER_ASSETS changes nothing.
set -eu

say() { echo "controlplane: $*"; }
die() { echo "controlplane: $*" >&2; exit 1; }
now() { date +%s; }

minor=${1:-}
if [ -z "$minor" ] && [ -n "${KUBEBUILDER_ASSETS:-}" ]; then
	say "nothing to build, KUBEBUILDER_ASSETS is $KUBEBUILDER_ASSETS"
	exit 0
fi

CDPATH= cd -- "$(dirname -- "$0")"
here=$(pwd)
out=$(cd ../.. && pwd)/bin/controlplane${minor:+-$minor}
[ -f "./$minor/go.mod" ] ||
	die "no versions for Kubernetes $minor; there are:" */go.mod "(and those of go.mod without an argument)"
cd "./$minor"

# The stamp is what the programs were made from. Contents are compared and not
# times, because a fresh checkout next to a restored CI cache makes go.mod the
# newer file. The platform is in it for a tree that a container shares.
stamp=$(cat go.mod go.sum "$here/build.sh" | cksum)" $(uname -sm)"
if [ -x "$out/etcd" ] && [ -x "$out/kubectl" ] && [ -x "$out/kube-apiserver" ] &&
	[ "$(cat "$out/.stamp" 2>/dev/null)" = "$stamp" ]; then
	say "up to date in $out"
	exit 0
fi

# A go.work above this directory would drop the replace directives of go.mod.
export GOWORK=off
# Static programs, as upstream releases them: no C compiler is needed.
export CGO_ENABLED=0

want=$(sed -n 's/^go \([0-9]*\.[0-9]*\).*/\1/p' go.mod)
command -v go >/dev/null 2>&1 ||
	die "go is not on the PATH; install Go $want or newer (https://go.dev/dl/)"
# With GOTOOLCHAIN=auto an older go fetches the one go.mod asks for right here.
have=$(go env GOVERSION) || die "go does not run; Go $want or newer is needed"
printf '%s\n' "$have" | sed 's/^.*go\([0-9]*\)\.\([0-9]*\).*$/\1 \2/' | {
	read -r major minor
	[ "$major" -gt "${want%.*}" ] ||
		{ [ "$major" -eq "${want%.*}" ] && [ "$minor" -ge "${want#*.}" ]; }
} 2>/dev/null || die "$have is too old; install Go $want or newer (https://go.dev/dl/)"

mkdir -p "$out"
log=$out/.log.$$
tmp=$out/.tmp.$$
child=
cleanup() {
	status=$?
	trap - EXIT
	if [ -n "$child" ]; then
		# An interrupted go removes its work directory, a terminated one does not.
		kill -INT "$child" 2>/dev/null || true
		wait "$child" 2>/dev/null || true
	fi
	rm -f "$log" "$tmp"
	exit "$status"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# run WHAT COMMAND... runs the command, says that it is still running, and shows
# what it printed only if it fails.
run() {
	what=$1
	shift
	began=$(now)
	[ -t 1 ] || say "$what"
	"$@" >"$log" 2>&1 </dev/null &
	child=$!
	beat=30
	while sleep 1 && kill -0 "$child" 2>/dev/null; do
		took=$(($(now) - began))
		if [ -t 1 ]; then
			printf '\rcontrolplane: %s, %d s ' "$what" "$took"
		elif [ "$took" -ge "$beat" ]; then
			say "$what, $took s so far"
			beat=$((took + 30))
		fi
	done
	pid=$child child=
	status=0
	wait "$pid" || status=$?
	if [ -t 1 ]; then printf '\r'; fi
	if [ "$status" -ne 0 ]; then
		cat "$log" >&2
		die "$what failed with status $status"
	fi
	say "$what, done in $(($(now) - began)) s"
}

# build NAME PACKAGE LDFLAGS
build() {
	run "building $1" go build -mod=readonly -buildvcs=false -p 2 -trimpath \
		-tags "$tags" -ldflags "-s -w $3" -o "$tmp" "$2"
	mv -f "$tmp" "$out/$1"
}

etcd=go.etcd.io/etcd/server/v3
kubectl=k8s.io/kubernetes/cmd/kubectl
apiserver=k8s.io/kubernetes/cmd/kube-apiserver

# As in upstream's release builds: without it grpc links x/net/trace, whose
# templates keep the linker from dropping unused methods.
tags=grpcnotrace

start=$(now)
say "building kube-apiserver, kubectl and etcd; about four minutes cold on two cores"
run "fetching modules" go list -mod=readonly -tags "$tags" -deps "$etcd" "$kubectl" "$apiserver"

# Unset, the version is v0.0.0-master and the commit a git placeholder that ends
# up in user agents. Upstream sets the same variables in hack/lib/version.sh.
version=$(go list -mod=readonly -m -f '{{.Version}}' k8s.io/kubernetes)
major=${version%%.*}
rest=${version#v*.}
flags=
for pkg in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
	flags="$flags -X $pkg.gitVersion=$version -X $pkg.gitMajor=${major#v}"
	flags="$flags -X $pkg.gitMinor=${rest%%.*} -X $pkg.gitCommit="
done

rm -f "$out/.stamp"
build etcd "$etcd" ""
build kubectl "$kubectl" "$flags"
build kube-apiserver "$apiserver" "$flags"
echo "$stamp" >"$out/.stamp"
say "done in $(($(now) - start)) s, in $out"
