#!/bin/sh
# Copyright 2026 The eventseries Authors.
# SPDX-License-Identifier: Apache-2.0
#
# usage: binaries.sh
# Builds eventsmigrate and kubectl-eventseries for each system, SBOMs of their modules, and checksums, in bin/release.
set -eu
platforms='linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64'
cd "$(dirname "$0")/../.."
root=$(pwd)
rm -rf bin/release bin/plugin
mkdir -p bin/release
for platform in $platforms; do
	echo "build $platform"
	system=$(echo "$platform" | tr / -)
	exe=
	case $system in windows-*) exe=.exe ;; esac
	export CGO_ENABLED=0 GOOS="${platform%/*}" GOARCH="${platform#*/}"
	plugin=bin/plugin/$system
	mkdir -p "$plugin"
	cp LICENSE tools/kubectl-eventseries/kubectl_complete-eventseries "$plugin"
	go -C tools/eventsmigrate build -trimpath -o "$root/bin/release/eventsmigrate-$system$exe" .
	go -C tools/kubectl-eventseries build -trimpath -ldflags '-s -w' -o "$root/$plugin/kubectl-eventseries$exe" .
	tar -czf "bin/release/kubectl-eventseries-$system.tar.gz" -C "$plugin" $(ls "$plugin")
done
unset CGO_ENABLED GOOS GOARCH
for binary in bin/release/eventsmigrate-linux-amd64 bin/plugin/linux-amd64/kubectl-eventseries; do
	name=$(basename "$binary")
	go run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0 bin -json \
		-output "bin/release/${name%-linux-amd64}.cdx.json" "$binary"
done
cd bin/release
sha256sum * >SHA256SUMS
