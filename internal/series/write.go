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

// Write is one request for an Event, and the count that its acknowledgement records.
type Write struct {
	request.Info
	Event *eventsv1.Event
	// Patch is the body of a Patch.
	Patch []byte
	Count int64
	// To is the sink to send it to, if that is not the broadcaster's. Package correlator sets it.
	To   Sink
	Sent time.Time

	// annotations are the changed ones.
	annotations map[string]string
	// frozen marks a Create that may have been applied, so that it must be repeated unchanged. Nobody
	// may change its Event.
	frozen bool
}

// begin returns the next write. It is in flight from now on, until [Series.end].
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

// next returns the write that brings the server up to date, or the empty patch that must come
// before it.
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
	// If something is recorded, the Event was stored before, and is not there any more. An Event that
	// the Create finds nevertheless is an earlier attempt that has arrived late, with an older count.
	// So it must be read, as the Event of another process must be.
	w.Request = request.Request{
		Op:     request.Create,
		Shared: shared != nil || s.recorded > 0,
	}
	return w
}

// readVersion returns a write that asks for the Event as it is stored. The server answers a patch
// without effect with the object, writes nothing (GuaranteedUpdate returns early), and wants no
// permission beyond patch. The Event has no series, since none is written.
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

// Event returns the Event as it should be on the server. It shares nothing with the series except
// strings.
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
	if count > 1 { // the server refuses a series of one (API validation of series.count)
		e.Series = &eventsv1.EventSeries{Count: wireCount(count), LastObservedTime: microTime(s.lastWall)}
	}
	return e
}

// patch returns the strategic merge patch of an Event that the server has. Through events.k8s.io/v1
// only series and metadata may change (API validation, update rules). The resourceVersion keeps a
// delayed older patch from lowering the count.
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
	data, _ := json.Marshal(body) // strings, an int32 and a MicroTime: nothing that can fail
	return data
}

// maxVersion bounds the text that each series keeps of an answer. Versions of the API server have at
// most 20 digits. Without a version patches are unconditional.
const maxVersion = 128

// versionOf returns the resourceVersion of a stored Event.
func versionOf(stored *eventsv1.Event) string {
	if stored == nil || len(stored.ResourceVersion) > maxVersion {
		return ""
	}
	return stored.ResourceVersion
}

// lastOf returns when a stored Event was last observed.
func lastOf(e *eventsv1.Event) time.Time {
	if e.Series != nil {
		return e.Series.LastObservedTime.Time
	}
	return e.EventTime.Time
}

// wireCount returns n as the API's int32 can say it.
func wireCount(n int64) int32 { return int32(min(n, math.MaxInt32)) }

func microTime(unix int64) metav1.MicroTime { return metav1.NewMicroTime(time.UnixMicro(unix)) }
