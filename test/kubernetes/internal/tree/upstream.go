// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package tree

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
)

// Kubernetes' integration test of both recorders, and the imports of client-go's.
const (
	upstreamDir  = "test/integration/events"
	upstreamFile = upstreamDir + "/events_test.go"
	theirs       = `"k8s.io/client-go/tools/events"`
	ours         = `events "` + sdk + `/adapter"`
	theirRecord  = `"k8s.io/client-go/tools/record"`
	ourRecord    = `record "` + sdk + `/legacy"`
)

// Upstream runs Kubernetes' integration test of recorders on the SDK, with nothing but the imports of client-go's changed. It needs etcd
// on the PATH.
func (t *Tree) Upstream(ctx context.Context) error {
	t.Say("running %s on the SDK; it builds the API server again", upstreamDir)
	source, err := Download(ctx, module) // the migration has changed more of it
	if err != nil {
		return err
	}
	test, err := os.ReadFile(filepath.Join(source, filepath.FromSlash(upstreamFile)))
	if err != nil {
		return err
	}
	if test, err = recordWithSDK(test); err != nil {
		return err
	}
	if err := os.WriteFile(t.file(upstreamFile), test, 0o600); err != nil {
		return err
	}
	return t.run(ctx, "go", "test", "-count=1", "-v", "-run=TestEvent", "./"+upstreamDir)
}

func recordWithSDK(test []byte) ([]byte, error) {
	if !bytes.Contains(test, []byte(theirs)) || !bytes.Contains(test, []byte(theirRecord)) {
		return nil, errors.New("no import of client-go's recorders")
	}
	return bytes.Replace(withSDK(test), []byte(theirRecord), []byte(ourRecord), 1), nil
}

// withSDK changes the import of client-go's newer recorder to that of the SDK.
func withSDK(source []byte) []byte { return bytes.Replace(source, []byte(theirs), []byte(ours), 1) }
