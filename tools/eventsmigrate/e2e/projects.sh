#!/bin/sh
# Copyright 2026 The eventseries Authors.
# SPDX-License-Identifier: Apache-2.0
#
# usage: [PROJECTS=DIRECTORY] projects.sh [-types-only]
# Migrates the projects that are checked out in the directory, ~/projects if none is named, with their own tests before and
# after, and writes docs/evidence/projects.md: minutes each, half an hour with an empty build cache. -types-only builds and
# tests nothing.
set -eu
projects=$(cd "${PROJECTS:-$HOME/projects}" && pwd)
cd "$(dirname "$0")"
exec go test -count=1 -v -timeout 10h -run TestProjects . -projects "$projects" "$@"
