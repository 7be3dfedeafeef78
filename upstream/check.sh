#!/bin/sh
# Copyright 2026 The eventseries Authors.
# SPDX-License-Identifier: Apache-2.0
#
# usage: check.sh [PATCH...]
# Checks the patches of this directory, or those that are named, against the source of Kubernetes as the module proxy
# has it. Each patch is applied alone: its tests fail without the rest of it, all tests of the changed packages pass
# with it, and the patch can be taken back. Then all are applied, and Kubernetes' integration test of Events runs with
# them. That compiles a kube-apiserver, so it takes long, and it needs the etcd of KUBEBUILDER_ASSETS.
#
#   KUBERNETES=v1.38.0-beta.0   another version than v1.37.2
#   COMMUNITY=DIR               a clone of kubernetes/community, for the patch of its style guide
#   INTEGRATION=no              without the last step
set -eu

version=${KUBERNETES:-v1.37.2}
staging=v0.${version#v1.} # of the modules that are published from staging/
patched='client-go kubectl' # those that patches change
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
assets=${KUBEBUILDER_ASSETS:-$(dirname "$here")/bin/controlplane}

# The flags of test/controlplane/build.sh, so that what is compiled is shared. A go.work above would drop replacements.
export GOWORK=off CGO_ENABLED=0 GOFLAGS='-buildvcs=false -trimpath -tags=grpcnotrace -mod=mod'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
tree=$work/kubernetes
log=$work/log
table=$work/table
failed=$work/failed
began=$(date +%s)

say() { printf '%4d s  %-24s %s\n' $(($(date +%s) - began)) "$1" "$2"; }
die() { echo "upstream: $*" >&2; exit 1; }

# problem PATCH TEXT: says what is wrong with a patch, and what the last command has printed.
problem() {
	say "$1" "FAILED: $2"
	tail -n 40 "$log" >&2
	echo "$1: $2" >>"$failed"
}

module() {
	(cd "$work" && GOFLAGS= go mod download -json "$1") | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p'
}

# copy MODULE DIRECTORY
copy() {
	source=$(module "$1")
	[ -d "$source" ] || die "$1 cannot be downloaded"
	mkdir -p "$2"
	cp -R "$source/." "$2"
	chmod -R u+w "$2"
}

# use_staging MODULES: go.mod of the tree uses these modules of staging/ as they are in the tree, and the others as
# published.
use_staging() {
	git checkout -q -- go.mod
	sed -E "s#=> \./staging/src/(\S+)\$#=> \1 $staging#" go.mod >"$work/go.mod"
	for name in $1; do
		sed -E "s#=> k8s.io/$name $staging\$#=> ./staging/src/k8s.io/$name#" "$work/go.mod" >"$work/go.mod.new"
		mv "$work/go.mod.new" "$work/go.mod"
	done
	cp "$work/go.mod" go.mod
}

# files PATCH, tests PATCH: the Go files, and those of tests. packages FILES...: their directories.
files() { sed -n 's|^+++ b/\(.*\.go\)$|\1|p' "$1"; }
packages() { xargs -n 1 dirname | sort -u; }

# run_tests: runs the tests of the packages on its input, each in its module.
run_tests() {
	cat >"$work/packages"
	: >"$log"
	result=0
	for name in $patched; do
		in_module=$(sed -n "s|^staging/src/k8s.io/$name/|./|p" "$work/packages")
		[ -z "$in_module" ] && continue
		# shellcheck disable=SC2086
		(cd "staging/src/k8s.io/$name" && go test -vet=off $in_module) >>"$log" 2>&1 || result=1
	done
	in_root=$(sed -n '/^staging/!s|^|./|p' "$work/packages")
	if [ -n "$in_root" ]; then
		# shellcheck disable=SC2086
		go test -vet=off $in_root >>"$log" 2>&1 || result=1
	fi
	return $result
}

reset() {
	git checkout -q -- .
	git clean -qfd
	use_staging ''
}

# check_alone PATCH FILE
check_alone() {
	reset
	lines=$(git apply --numstat --exclude='*_test.go' "$2" | awk '{n += $1} END {print n + 0}')
	git apply --check "$2" >"$log" 2>&1 || { problem "$1" 'does not apply'; return; }
	if [ -z "$(files "$2")" ]; then
		say "$1" 'applies'
		echo "$1|$lines|yes|–|–" >>"$table"
		return
	fi

	git apply --include='*_test.go' "$2"
	if files "$2" | grep '_test\.go$' | packages | run_tests; then
		problem "$1" 'its tests pass without it'
		return
	fi
	without=$(sed -n 's/^--- FAIL: \([A-Za-z0-9_]*\).*/\1/p' "$log" | sort -u | tr '\n' ' ')
	for name in $without; do
		grep -q "func $name(" "$2" || { problem "$1" "without it $name fails, which it does not change"; return; }
	done
	if [ -z "$without" ]; then
		grep -q '_test\.go:.*undefined' "$log" || { problem "$1" 'its tests do not run without it'; return; }
		without='does not compile '
	fi
	say "$1" "fails without it: $without"

	git apply --exclude='*_test.go' "$2"
	files "$2" | packages | run_tests || { problem "$1" 'tests fail with it'; return; }
	ran=$(grep -c '^ok ' "$log" || true)
	say "$1" "passes with it: all tests of the packages that it changes ($ran)"

	git apply -R "$2"
	if ! git diff --quiet -- ':!go.mod' ':!go.sum' || [ -n "$(git ls-files -o)" ]; then
		problem "$1" 'cannot be taken back'
		return
	fi
	say "$1" 'is taken back'
	echo "$1|$lines|yes|${without% }|all tests, packages: $ran" >>"$table"
}

# check_together: all patches, with the patched modules.
check_together() {
	reset
	for patch in $go_patches; do
		git apply "$here/$patch.patch" >"$log" 2>&1 || { problem "$patch" 'does not apply after those before it'; return; }
	done
	use_staging "$patched"
	for patch in $go_patches; do files "$here/$patch.patch"; done | packages >"$work/all"
	say together "tests $(wc -l <"$work/all") packages"
	run_tests <"$work/all" || { problem together 'tests fail'; return; }
	ran=$(grep -c '^ok ' "$log" || true)
	say together "passes: all tests of these packages ($ran)"
	integration='–'
	if [ "${INTEGRATION:-yes}" != no ]; then
		[ -x "$assets/etcd" ] || die "there is no etcd in $assets; make controlplane builds it"
		say together 'tests test/integration/events, with an API server of these sources'
		# The test finds the files of its server by the paths of the sources, which -trimpath removes.
		PATH=$assets:$PATH GOFLAGS="-buildvcs=false -tags=grpcnotrace -mod=mod" \
			go test -vet=off -count=1 -v ./test/integration/events >"$log" 2>&1 ||
			{ problem together 'the integration test fails'; return; }
		integration=$(sed -n 's/^--- PASS: \([A-Za-z]*\).*/\1/p' "$log" | tr '\n' ' ')
		say together "passes: $integration"
	fi
	echo "together||yes||all tests, packages: $ran; $integration" >>"$table"
}

: >"$table"
: >"$failed"
if [ $# -eq 0 ]; then
	for file in "$here"/*.patch; do set -- "$@" "$(basename "$file" .patch)"; done
	all=yes
fi
say "$version" "copies Kubernetes, and $patched $staging, into a temporary directory"
copy "k8s.io/kubernetes@$version" "$tree"
rm -rf "$tree/vendor" "$tree/go.work" "$tree/go.work.sum"
for name in $patched; do copy "k8s.io/$name@$staging" "$tree/staging/src/k8s.io/$name"; done
cd "$tree"
git init -q
git config core.autocrlf false
git config core.safecrlf false # Kubernetes has files with CRLF
git add -A -f
git -c user.name=upstream -c user.email=upstream@example.com commit -q -m "$version"

go_patches=
for patch; do
	file=$here/$patch.patch
	[ -f "$file" ] || die "there is no $file"
	if [ -n "$(files "$file")" ]; then
		go_patches="$go_patches $patch"
		check_alone "$patch" "$file"
	elif [ -n "${COMMUNITY:-}" ]; then
		git -C "$COMMUNITY" apply --check "$file" >"$log" 2>&1 || { problem "$patch" 'does not apply'; continue; }
		say "$patch" 'applies'
		echo "$patch|$(git -C "$COMMUNITY" apply --numstat "$file" | cut -f 1)|yes|–|–" >>"$table"
	else
		say "$patch" 'is left out: COMMUNITY names no clone of kubernetes/community'
	fi
done
if [ -n "${all:-}" ]; then check_together; fi

echo
printf '%-26s %5s  %-8s %-50s %s\n' "$version" lines applies 'fails without it' 'passes with it'
awk -F'|' '{printf "%-26s %5s  %-8s %-50s %s\n", $1, $2, $3, $4, $5}' "$table"
if [ -s "$failed" ]; then
	echo
	cat "$failed"
	exit 1
fi
