// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/client-go/tools/record"
)

func TestGomega(t *testing.T) {
	g := NewWithT(t)
	recorder := record.NewFakeRecorder(10)                                        // want "a Recorder of the SDK's test kit"
	g.Expect(recorder.Events).To(Receive(ContainSubstring("Scaled")))             // want "what the channel had is in the Recorder's Occurrences"
	g.Expect(recorder.Events).To(Receive(Equal("Normal Created made all of it"))) // want "what the channel had is in the Recorder's Occurrences"
	g.Expect(recorder.Events).To(Receive(ContainSubstring("all of it or not")))   // want "what the channel had is in the Recorder's Occurrences"
	g.Expect(<-recorder.Events).To(HavePrefix("Normal Created "))                 // want "what the channel had is in the Recorder's Occurrences"
	g.Expect(<-recorder.Events).To(Equal("Normal Created made all of it"))        // want "what the channel had is in the Recorder's Occurrences"
	g.Expect(<-recorder.Events).To(ContainSubstring("Created"))                   // want "what the channel had is in the Recorder's Occurrences"
	g.Expect(recorder.Events).To(HaveLen(1))                                      // want "what the channel had is in the Recorder's Occurrences"
	g.Expect(recorder.Events).To(Receive())                                       // want "what the channel had is in the Recorder's Occurrences"
	g.Expect(recorder.Events).NotTo(Receive())                                    // want "what the channel had is in the Recorder's Occurrences"
}

func TestNone(t *testing.T) {
	g := NewWithT(t)
	recorder := record.NewFakeRecorder(10)                          // want "a Recorder of the SDK's test kit"
	g.Consistently(recorder.Events).ShouldNot(Receive())            // want "what the channel had is in the Recorder's Occurrences"
	g.Eventually(recorder.Events).WithTimeout(1).Should(HaveLen(0)) // want "what the channel had is in the Recorder's Occurrences"
}

var _ = Describe("a reconciler", func() {
	var recorder *record.FakeRecorder        // want "record\\.FakeRecorder is eventstest\\.Recorder in the SDK's test kit"
	var another, unused *record.FakeRecorder // want "record\\.FakeRecorder is eventstest\\.Recorder in the SDK's test kit"

	BeforeEach(func() {
		recorder = record.NewFakeRecorder(10) // want "a Recorder of the SDK's test kit"
		unused = record.NewFakeRecorder(1)    // want "a Recorder of the SDK's test kit"
		another = record.NewFakeRecorder(10)  // want "a Recorder of the SDK's test kit"
	})

	It("scales", func() {
		_ = &reconciler{unused}
		Expect(recorder.Events).To(Receive(ContainSubstring("Scaled")))      // want "what the channel had is in the Recorder's Occurrences"
		Expect(<-recorder.Events).To(Equal("Normal Created made all of it")) // want "what the channel had is in the Recorder's Occurrences"
	})

	It("scales in a while", func() {
		Eventually(another.Events).Should(Receive(ContainSubstring("Scaled")))             // want "what the channel had is in the Recorder's Occurrences"
		Eventually(another.Events).Should(Receive(Equal("Normal Created made all of it"))) // want "what the channel had is in the Recorder's Occurrences"
	})
})
