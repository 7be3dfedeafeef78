// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package fakekept

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"k8s.io/client-go/tools/record"
)

type (
	embeds  struct{ *record.FakeRecorder }          // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API"
	Exports struct{ Recorder *record.FakeRecorder } // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API"
)

var shared = record.NewFakeRecorder(1) // want "the FakeRecorder of the events API" "fakekept_test\\.go:20 has no \\*testing\\.T in scope: it stays a FakeRecorder, which blocks its caller when its channel is full"

func collect(source <-chan string) []string { return nil }

func generic[T any](value T) T { return value }

func first(recorder *record.FakeRecorder) string { return <-recorder.Events } // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API"

func TestKept(t *testing.T) {
	_ = embeds{record.NewFakeRecorder(1)}                 // want "the FakeRecorder of the events API" "fakekept_test\\.go:29 hands the fake to what is not followed: it stays a FakeRecorder, which blocks its caller when its channel is full"
	_ = Exports{Recorder: record.NewFakeRecorder(2)}      // want "the FakeRecorder of the events API" "fakekept_test\\.go:17 exports Recorder, so that other packages may use it: it stays a FakeRecorder, which blocks its caller when its channel is full"
	_ = Driver{Fake: record.NewFakeRecorder(3)}           // want "the FakeRecorder of the events API" "fakekept\\.go:15 is no test: it stays a FakeRecorder, which blocks its caller when its channel is full"
	_ = []*record.FakeRecorder{record.NewFakeRecorder(4)} // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API" "the FakeRecorder of the events API" "fakekept_test\\.go:32 hands the fake to what is not followed: it stays a FakeRecorder, which blocks its caller when its channel is full"
	_ = generic(record.NewFakeRecorder(5))                // want "the FakeRecorder of the events API" "fakekept_test\\.go:33 hands the fake on as something else than a recorder: it stays a FakeRecorder, which blocks its caller when its channel is full"
	fmt.Println(record.NewFakeRecorder(6))                // want "the FakeRecorder of the events API" "fakekept_test\\.go:34 hands the fake on as something else than a recorder: it stays a FakeRecorder, which blocks its caller when its channel is full"
	collected := record.NewFakeRecorder(7)                // want "the FakeRecorder of the events API" "fakekept_test\\.go:36 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	collect(collected.Events)
	ptr := record.NewFakeRecorder(8) // want "the FakeRecorder of the events API" "fakekept_test\\.go:38 does with the fake what has no counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	_ = *ptr
	use := func(recorder *record.FakeRecorder) { _ = &reconciler{recorder} } // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API"
	use(record.NewFakeRecorder(9))                                           // want "the FakeRecorder of the events API" "fakekept_test\\.go:40 hands the fake to what is not followed: it stays a FakeRecorder, which blocks its caller when its channel is full"
}

func TestReads(t *testing.T) {
	waits := record.NewFakeRecorder(1) // want "the FakeRecorder of the events API" "fakekept_test\\.go:45 waits for what another goroutine may record: it stays a FakeRecorder, which blocks its caller when its channel is full"
	assert.Equal(t, "Normal Created made", <-waits.Events)
	timed := record.NewFakeRecorder(2) // want "the FakeRecorder of the events API" "fakekept_test\\.go:48 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	select {
	case e := <-timed.Events:
		t.Error(e)
	case <-time.After(time.Second):
	}
	helped := record.NewFakeRecorder(3) // want "the FakeRecorder of the events API" "fakekept_test\\.go:26 waits for what another goroutine may record: it stays a FakeRecorder, which blocks its caller when its channel is full"
	first(helped)
	uncertain := record.NewFakeRecorder(4) // want "the FakeRecorder of the events API" "fakekept_test\\.go:60 reads the channel after a number of events that is not certain: it stays a FakeRecorder, which blocks its caller when its channel is full"
	select {
	case e := <-uncertain.Events:
		t.Error(e)
	default:
	}
	_ = len(uncertain.Events)
	looped := record.NewFakeRecorder(5) // want "the FakeRecorder of the events API" "fakekept_test\\.go:64 reads the channel after a number of events that is not certain: it stays a FakeRecorder, which blocks its caller when its channel is full"
	for range 3 {
		select {
		case <-looped.Events:
		default:
		}
	}
	outside := record.NewFakeRecorder(6) // want "the FakeRecorder of the events API" "fakekept_test\\.go:71 reads the channel in another function than where the fake is made: it stays a FakeRecorder, which blocks its caller when its channel is full"
	t.Run("sub", func(t *testing.T) {
		select {
		case e := <-outside.Events:
			t.Error(e)
		default:
		}
	})
	none := &record.FakeRecorder{} // want "fakekept_test\\.go:76 makes a fake without a channel, which is read: it stays a FakeRecorder, which blocks its caller when its channel is full" "record\\.FakeRecorder is events\\.FakeRecorder in the events API"
	_ = len(none.Events)
	full := &record.FakeRecorder{Events: make(chan string, 1)} // want "fakekept_test\\.go:79 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full" "record\\.FakeRecorder is events\\.FakeRecorder in the events API"
	full.Events = nil
}

func TestObjects(t *testing.T) {
	recorder := record.NewFakeRecorder(1)
	recorder.IncludeObject = true // want "the events API's FakeRecorder has no IncludeObject: use eventstest\\.NewRecorder, whose Events say what they regard; until then this fake stays old"
	_ = &reconciler{recorder}     // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
}

func helper() *reconciler { return &reconciler{record.NewFakeRecorder(1)} } // want "the FakeRecorder of the events API" "fakekept_test\\.go:88 has no \\*testing\\.T in scope: it stays a FakeRecorder, which blocks its caller when its channel is full"
