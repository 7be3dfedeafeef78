// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"encoding/json"
	"maps"
	"math"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/eventlabels"
	"github.com/eventseries/eventseries/internal/request"
)

// Write is one request for an Event, together with the count that becomes the recorded count when
// the request succeeds.
type Write struct {
	request.Info
	Event *eventsv1.Event
	// Patch is the body of the request if it is a Patch.
	Patch []byte
	Count int64
	// To is the sink that gets the write, or nil for the sink of the broadcaster. Only package
	// correlator sets it.
	To   Sink
	Sent time.Time

	// annotations are the annotations that this write changes.
	annotations map[string]string
	// frozen is true for a Create that may have been applied. It must be repeated unchanged, so its
	// Event must not be modified.
	frozen bool
}

// begin returns the next write, which is in flight until [Series.end].
func (s *Series) begin() *Write {
	w := s.next()
	s.attempts = saturatingInc(s.attempts)
	w.Attempt = int(s.attempts)
	w.Delta = w.Count - s.recorded
	w.Total = w.Count + s.countedElsewhere()
	s.inFlight = true
	s.write = w
	return w
}

// next returns the write that brings the server up to date. If the Event must be read first, next
// returns an empty patch, which reads it.
func (s *Series) next() *Write {
	switch {
	case s.write != nil:
		return s.write
	case s.exists && s.versionState&versionUnknown != 0:
		return s.readVersion()
	}
	w := &Write{
		Event:       s.Event(),
		Count:       s.count(),
		annotations: maps.Clone(s.extras().changed),
	}
	shared := s.sharing()
	if shared != nil {
		shared.addShare(w)
	}
	if s.exists {
		w.Request = request.Request{
			Op:            request.Patch,
			Unconditional: s.resourceVersion() == "",
		}
		w.Patch = s.patch(w)
		return w
	}
	// If something is recorded, the Event existed before and has disappeared. If the Create finds
	// an Event all the same, a delayed earlier attempt has stored it with an older count. So this
	// Event must be read, like the Event of another process.
	w.Request = request.Request{
		Op:     request.Create,
		Shared: shared != nil || s.recorded > 0,
	}
	return w
}

// readVersion returns a request that reads the stored Event by means of an empty patch. The server
// answers with the stored Event and writes nothing (GuaranteedUpdate returns early). Unlike a GET,
// the request needs no permission other than patch. The field Event of the result has no series,
// because the patch does not contain one.
func (s *Series) readVersion() *Write {
	w := &Write{
		Info: request.Info{Request: request.Request{
			Op:            request.Patch,
			Unconditional: true,
			ReadVersion:   true,
		}},
		Event: s.Event(),
		Count: s.recorded,
		Patch: []byte("{}"),
	}
	w.Event.Series = nil
	return w
}

// Event returns the Event as the server should store it. It shares no memory with s except strings.
func (s *Series) Event() *eventsv1.Event {
	o := s.First()
	name := s.eventName(&o)
	e := &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Name:        name,
			Namespace:   o.Namespace,
			Labels:      eventlabels.Parse(o.Labels),
			Annotations: maps.Clone(s.extras().annotations),
		},
		EventTime:           microTime(s.firstWall),
		ReportingController: o.ReportingController,
		ReportingInstance:   o.ReportingInstance,
		Action:              o.Action,
		Reason:              o.Reason,
		Regarding:           o.Regarding.ObjectReference(),
		Note:                o.Note,
		Type:                o.Type,
	}
	if o.HasRelated {
		related := o.Related.ObjectReference()
		e.Related = &related
	}
	count := s.count() + s.countedElsewhere()
	if count > 1 { // the server refuses a series with the count 1 (API validation)
		e.Series = &eventsv1.EventSeries{Count: wireCount(count), LastObservedTime: microTime(s.lastWall)}
	}
	return e
}

// patch returns a strategic merge patch for the stored Event. It contains only the series and
// metadata, because the API server lets an update change nothing else in an Event of
// events.k8s.io/v1 (API validation, update rules). The metadata includes the resourceVersion, if it
// is known, so that an older patch that was delayed cannot lower the count.
func (s *Series) patch(w *Write) []byte {
	type metadata struct {
		ResourceVersion string            `json:"resourceVersion,omitempty"`
		Annotations     map[string]string `json:"annotations,omitempty"`
	}
	body := struct {
		Metadata *metadata             `json:"metadata,omitempty"`
		Series   *eventsv1.EventSeries `json:"series"`
	}{Series: w.Event.Series}
	meta := metadata{ResourceVersion: s.resourceVersion(), Annotations: w.annotations}
	if meta.ResourceVersion != "" || len(meta.Annotations) > 0 {
		body.Metadata = &meta
	}
	data, _ := json.Marshal(body) // strings, an int32 and a MicroTime cannot fail
	return data
}

// maxVersion is the maximum length of a resourceVersion that a series keeps. Versions of the API
// server have at most 20 digits. A longer version is ignored, and then patches are unconditional.
const maxVersion = 128

// versionOf returns the resourceVersion of a stored Event, or "" if it has none or if the version
// is too long for a series to keep.
func versionOf(stored *eventsv1.Event) string {
	if stored == nil || len(stored.ResourceVersion) > maxVersion {
		return ""
	}
	return stored.ResourceVersion
}

// lastOf returns the time of the last occurrence in a stored Event.
func lastOf(e *eventsv1.Event) time.Time {
	if e.Series != nil {
		return e.Series.LastObservedTime.Time
	}
	return e.EventTime.Time
}

// wireCount converts n to the API's int32, limited to the maximum int32.
func wireCount(n int64) int32 { return int32(min(n, math.MaxInt32)) }

func microTime(unix int64) metav1.MicroTime { return metav1.NewMicroTime(time.UnixMicro(unix)) }
