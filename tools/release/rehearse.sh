#!/usr/bin/env bash
# Copyright 2026 The eventseries Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Does what a release of VERSION does, but for the tag: it packs the modules of HEAD as a module proxy would, and uses them
# from empty directories as users would. It leaves nothing behind, also not in the module cache. It needs unzip.
#
#   tools/release/rehearse.sh v0.1.0
set -euo pipefail
cd "$(dirname "$0")/../.."
version=${1:?usage: rehearse.sh v0.1.0}
sdk=github.com/eventseries/eventseries
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

step() { echo "== $*"; }
fail() { echo "   FAILED: $*"; failed=1; }
quiet() { "$@" >"$work/output" 2>&1 || { sed 's/^/   /' "$work/output"; return 1; }; }
most() { if (($2 > $3)); then fail "$1: $2, the bound is $3"; else echo "   $1: $2"; fi; }

# What is checked in.

step "the version is new, and CHANGELOG.md has it"
[[ $version =~ ^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$ ]] || fail "$version is no version like v1.2.3"
[ -z "$(git status --porcelain)" ] || fail "the working tree is not HEAD, which alone is packed"
[ -z "$(git tag --list "$version" --no-contains HEAD)" ] || fail "$version is a tag of another commit: take the next one"
newest=$(git show HEAD:CHANGELOG.md | grep -m2 '^## \[' | tr '\n' ' ')
[[ $newest =~ \[${version#v}\]\ -\ [0-9]{4}-[0-9]{2}-[0-9]{2} ]] || fail "no section \"## [${version#v}] - date\" is the newest of CHANGELOG.md"
if [ -n "$(git show HEAD:CHANGELOG.md | awk '/^## /{on = /Unreleased/} on && /^[-*] /')" ]; then
  fail "[Unreleased] has entries, which HEAD would release: move them to [${version#v}]"
fi

step "the API is as it was promised"
make -s api-check || fail "make api-check"

# The proxy is a directory (go help goproxy).

step "pack the modules of HEAD"
modules=(. tools/eventsmigrate $(git ls-tree --name-only HEAD contrib/))
modules=($(for m in "${modules[@]}"; do if git cat-file -e "HEAD:${m#./}/go.mod" 2>/dev/null || [ "$m" = . ]; then echo "$m"; fi; done))
nested=($(git ls-files --full-name '*/go.mod' | xargs -n1 dirname))
for dir in "${modules[@]}"; do
  module=$sdk; prefix=
  if [ "$dir" != . ]; then module=$sdk/$dir; prefix=$dir/; fi
  at=$work/proxy/$module/@v
  mkdir -p "$at"
  others=()
  for n in "${nested[@]}"; do
    if [[ $n/ == "$prefix"* && $n/ != "$prefix" ]]; then others+=(":(exclude)${n#"$prefix"}"); fi
  done
  tree=HEAD; if [ -n "$prefix" ]; then tree=HEAD:$dir; fi
  git archive --format=zip --prefix="$module@$version/" -o "$at/$version.zip" "$tree" . "${others[@]+"${others[@]}"}"
  git show "HEAD:${prefix}go.mod" >"$at/$version.mod"
  echo "$version" >"$at/list"
  echo "{\"Version\":\"$version\",\"Time\":\"$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ)\"}" >"$at/$version.info"
  for file in README.md go.mod go.sum; do
    unzip -l "$at/$version.zip" "$module@$version/$file" >/dev/null || fail "$module has no $file"
  done
  if grep '^replace\|^	.* => ' "$at/$version.mod" | grep -v "$sdk"; then fail "$module replaces modules, which users do not see"; fi
  if grep "^require\|^	" "$at/$version.mod" | grep -v "=>" | grep -E "$sdk(/[^ ]+)? v" | grep -v "$version"; then
    fail "$module requires another version of this repository"
  fi
  echo "   $module: $(($(stat -c %s "$at/$version.zip") / 1024)) KiB"
done
# What the SDK's module costs a user at most. Whoever raises a bound says in CHANGELOG.md what it buys.
most "KiB of the SDK's zip" $(($(stat -c %s "$work/proxy/$sdk/@v/$version.zip") / 1024)) 1792
most "files in it" "$(unzip -Z1 "$work/proxy/$sdk/@v/$version.zip" | grep -vc '/$')" 900

# The go command finds these modules first, then what its proxies have. What it downloads goes with the rehearsal: this
# machine's cache must not keep the version. GONOPROXY is empty, since with any value go asks the modules that it has before
# the proxies, and misses nested ones.
export GOPROXY="file://$work/proxy,$(go env GOPROXY)"
export GONOSUMDB=$sdk GOPRIVATE='' GONOPROXY='' GOWORK=off GOMODCACHE=$work/modules
export GOFLAGS='-mod=mod -modcacherw -trimpath -buildvcs=false'

# user makes a project of the files that are given, with a dependency, and goes there.
user() {
  mkdir -p "$work/users/$1"
  cd "$work/users/$1"
  if [ $# -gt 2 ]; then cp "${@:3}" .; fi
  quiet go mod init "example.com/$1" && quiet go get "$2" && quiet go mod tidy
}

# program DIR is the program of its README: the first in it, or the one that it links.
program() {
  local linked
  linked=$(sed -n 's/.*](\([^)]*example\/main\.go\)).*/\1/p' "$1/README.md" | head -n 1)
  if [ -n "$linked" ]; then cat "$1/$linked"; return; fi
  awk '/^```/ {if (on) exit} on {print} /^```go/ {getline; if ($0 == "package main") {on = 1; print}}' "$1/README.md"
}

for dir in "${modules[@]}"; do
  if [ "$dir" = tools/eventsmigrate ]; then continue; fi
  step "build the program of $dir/README.md"
  name=hello-${dir//[.\/]/-}
  module=$sdk; if [ "$dir" != . ]; then module=$sdk/$dir; fi
  mkdir -p "$work/users/$name"
  program "$here/$dir" >"$work/users/$name/main.go"
  (user "$name" "$module@$version" && quiet go build -o hello .) || fail "it does not build"
  if [ "$dir" = . ]; then
    most "modules in the program" "$(cd "$work/users/$name" && go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}' . | sort -u | grep -c .)" 40
  fi
done

projects=$here/tools/release/testdata
clientgo=$(awk '$1 == "k8s.io/client-go" {print $1 "@" $2}' "$here/go.mod")

step "a test with eventstest in another module"
(user controller "$sdk@$version" "$projects"/controller/* && quiet go test ./...) || fail "it fails"

step "the migration, by go run"
(
  user record "$clientgo" "$projects"/record/* || exit 1
  diff=$(go run "$sdk/tools/eventsmigrate@$version" -diff ./... 2>/dev/null) || true # 1: there is something to do
  grep -q "^+	\"$sdk" <<<"$diff"
) || fail "it would not edit the code"

step "what it adds to a module with client-go: itself and nothing else"
added=$(
  user clientgo "$clientgo" "$projects"/clientgo/* || echo "go get failed"
  go list -m all | sort >"$work/before"
  printf 'package main\n\nimport _ "%s/adapter"\n' "$sdk" >use.go
  { quiet go get "$sdk@$version" && quiet go mod tidy; } || echo "go get failed"
  go list -m all | sort | comm -13 "$work/before" - | grep -v "^$sdk $version\$" || true
)
if [ -n "$added" ]; then fail "it adds or raises" $added; fi

if ((failed)); then echo "$version cannot be released as it is"; exit 1; fi
echo "$version can be released: tag HEAD as VERSIONING.md says"
