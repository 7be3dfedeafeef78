// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package fakekept

import (
	"fmt"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/stretchr/testify/assert"
	"k8s.io/client-go/tools/record"
)

type (
	embeds  struct{ *record.FakeRecorder }          // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API"
	Exports struct{ Recorder *record.FakeRecorder } // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API"
)

var shared = record.NewFakeRecorder(1) // want "the FakeRecorder of the events API" "fakekept_test\\.go:21 has no \\*testing\\.T in scope: it stays a FakeRecorder, which blocks its caller when its channel is full"

func collect(source <-chan string) []string { return nil }

func generic[T any](value T) T { return value }

func first(recorder *record.FakeRecorder) string { return <-recorder.Events } // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API"

func TestKept(t *testing.T) {
	_ = embeds{record.NewFakeRecorder(1)}                 // want "the FakeRecorder of the events API" "fakekept_test\\.go:30 hands the fake to what is not followed: it stays a FakeRecorder, which blocks its caller when its channel is full"
	_ = Exports{Recorder: record.NewFakeRecorder(2)}      // want "the FakeRecorder of the events API" "fakekept_test\\.go:18 exports Recorder, so that other packages may use it: it stays a FakeRecorder, which blocks its caller when its channel is full"
	_ = Driver{Fake: record.NewFakeRecorder(3)}           // want "the FakeRecorder of the events API" "fakekept\\.go:15 is no test: it stays a FakeRecorder, which blocks its caller when its channel is full"
	_ = []*record.FakeRecorder{record.NewFakeRecorder(4)} // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API" "the FakeRecorder of the events API" "fakekept_test\\.go:33 hands the fake to what is not followed: it stays a FakeRecorder, which blocks its caller when its channel is full"
	_ = generic(record.NewFakeRecorder(5))                // want "the FakeRecorder of the events API" "fakekept_test\\.go:34 hands the fake on as something else than a recorder: it stays a FakeRecorder, which blocks its caller when its channel is full"
	fmt.Println(record.NewFakeRecorder(6))                // want "the FakeRecorder of the events API" "fakekept_test\\.go:35 hands the fake on as something else than a recorder: it stays a FakeRecorder, which blocks its caller when its channel is full"
	collected := record.NewFakeRecorder(7)                // want "the FakeRecorder of the events API" "fakekept_test\\.go:37 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	collect(collected.Events)
	ptr := record.NewFakeRecorder(8) // want "the FakeRecorder of the events API" "fakekept_test\\.go:39 does with the fake what has no counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	_ = *ptr
	use := func(recorder *record.FakeRecorder) { _ = &reconciler{recorder} } // want "record\\.FakeRecorder is eventstest\\.Recorder in the SDK's test kit"
	use(record.NewFakeRecorder(9))                                           // want "a Recorder of the SDK's test kit"
}

func TestReads(t *testing.T) {
	waits := record.NewFakeRecorder(1) // want "the FakeRecorder of the events API" "fakekept_test\\.go:46 waits for what another goroutine may record: it stays a FakeRecorder, which blocks its caller when its channel is full"
	assert.Equal(t, "Normal Created made", <-waits.Events)
	timed := record.NewFakeRecorder(2) // want "the FakeRecorder of the events API" "fakekept_test\\.go:49 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	select {
	case e := <-timed.Events:
		t.Error(e)
	case <-time.After(time.Second):
	}
	helped := record.NewFakeRecorder(3) // want "the FakeRecorder of the events API" "fakekept_test\\.go:27 waits for what another goroutine may record: it stays a FakeRecorder, which blocks its caller when its channel is full"
	first(helped)
	uncertain := record.NewFakeRecorder(4) // want "the FakeRecorder of the events API" "fakekept_test\\.go:61 reads the channel after a number of events that is not certain: it stays a FakeRecorder, which blocks its caller when its channel is full"
	select {
	case e := <-uncertain.Events:
		t.Error(e)
	default:
	}
	_ = len(uncertain.Events)
	looped := record.NewFakeRecorder(5) // want "the FakeRecorder of the events API" "fakekept_test\\.go:65 reads the channel after a number of events that is not certain: it stays a FakeRecorder, which blocks its caller when its channel is full"
	for range 3 {
		select {
		case <-looped.Events:
		default:
		}
	}
	outside := record.NewFakeRecorder(6) // want "the FakeRecorder of the events API" "fakekept_test\\.go:72 reads the channel in another function than where the fake is made: it stays a FakeRecorder, which blocks its caller when its channel is full"
	t.Run("sub", func(t *testing.T) {
		select {
		case e := <-outside.Events:
			t.Error(e)
		default:
		}
	})
	none := &record.FakeRecorder{} // want "fakekept_test\\.go:77 makes a fake without a channel, which is read: it stays a FakeRecorder, which blocks its caller when its channel is full" "record\\.FakeRecorder is events\\.FakeRecorder in the events API"
	_ = len(none.Events)
	open := record.NewFakeRecorder(7) // want "the FakeRecorder of the events API" "fakekept_test\\.go:80 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	if e, ok := <-open.Events; ok {
		t.Error(e)
	}
	pointed := record.NewFakeRecorder(8) // want "the FakeRecorder of the events API" "fakekept_test\\.go:84 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	_ = &pointed.Events
	full := &record.FakeRecorder{Events: make(chan string, 1)} // want "fakekept_test\\.go:86 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full" "record\\.FakeRecorder is events\\.FakeRecorder in the events API"
	full.Events = nil
}

func TestPolls(t *testing.T) {
	g := NewWithT(t)
	twice := record.NewFakeRecorder(1) // want "the FakeRecorder of the events API" "fakekept_test\\.go:93 waits for events one after another: it stays a FakeRecorder, which blocks its caller when its channel is full"
	g.Eventually(twice.Events).Should(Receive(Equal("Normal Created made")))
	g.Eventually(twice.Events).Should(Receive(Equal("Normal Created made")))
	never := record.NewFakeRecorder(2) // want "the FakeRecorder of the events API" "fakekept_test\\.go:95 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	g.Consistently(never.Events).ShouldNot(Receive(Equal("Normal Created made")))
	vague := record.NewFakeRecorder(3) // want "the FakeRecorder of the events API" "fakekept_test\\.go:97 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	g.Eventually(vague.Events).Should(Receive(ContainSubstring("Create")))
	negated := record.NewFakeRecorder(7) // want "the FakeRecorder of the events API" "fakekept_test\\.go:99 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	g.Expect(negated.Events).NotTo(Receive(Equal("Normal Created made")))
	begun := record.NewFakeRecorder(5) // want "the FakeRecorder of the events API" "fakekept_test\\.go:101 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	g.Eventually(begun.Events).Should(Receive(HavePrefix("Normal Create")))
	broken := record.NewFakeRecorder(6) // want "the FakeRecorder of the events API" "fakekept_test\\.go:104 reads the channel in a way that has no clear counterpart: it stays a FakeRecorder, which blocks its caller when its channel is full"
	select {
	case e := <-broken.Events:
		if e == "" {
			break
		}
		t.Error(e)
	default:
	}
	shadowed := func(t string) { _ = &reconciler{record.NewFakeRecorder(4)} } // want "the FakeRecorder of the events API" "fakekept_test\\.go:111 has no \\*testing\\.T in scope: it stays a FakeRecorder, which blocks its caller when its channel is full"
	shadowed("")
}

func TestObjects(t *testing.T) {
	recorder := record.NewFakeRecorder(1)
	recorder.IncludeObject = true // want "the events API's FakeRecorder has no IncludeObject, so this one stays old: compare objects with the SDK's eventstest\\.NewRecorder instead"
	_ = &reconciler{recorder}     // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
}

func helper() *reconciler { return &reconciler{record.NewFakeRecorder(1)} } // want "the FakeRecorder of the events API" "fakekept_test\\.go:121 has no \\*testing\\.T in scope: it stays a FakeRecorder, which blocks its caller when its channel is full"
