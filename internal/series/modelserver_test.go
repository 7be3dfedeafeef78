// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/eventseries/eventseries/internal/request"
)

// object is an Event on the modelled server.
type object struct {
	count   int64 // of the newest object of this name, live or expired
	version int
	live    bool
}

// apply does what the API server does with a write.
func (m *model) apply(f modelWrite) answer {
	name := f.w.Event.Name
	o := m.server[name]
	if f.w.Op == request.Create {
		if o != nil && o.live {
			return answer{Verdict: request.Verdict{Action: request.Stored, Exists: true}} // 409 AlreadyExists
		}
		if o == nil {
			o = &object{}
			m.server[name] = o
		}
		o.live = true
	} else {
		if o == nil || !o.live {
			return answer{Verdict: request.Verdict{Action: request.Recreate}}
		}
		if f.w.ReadVersion {
			return answer{Verdict: request.Verdict{Action: request.Stored}, version: strconv.Itoa(o.version)}
		}
		if f.w.Unconditional {
			m.t.Errorf("I3: a patch of %s could lower its count if it came late", name)
		}
		if v := version(f.w); v != strconv.Itoa(o.version) {
			return answer{Verdict: request.Verdict{Action: request.Resend}}
		}
	}
	if f.w.Count < o.count {
		m.t.Errorf("I3: the count of %s goes from %d to %d", name, o.count, f.w.Count)
	}
	o.count = f.w.Count
	o.version++
	return answer{Verdict: request.Verdict{Action: request.Stored}, version: strconv.Itoa(o.version)}
}

// version is the resourceVersion that a patch insists on.
func version(w *Write) string {
	if w.Unconditional {
		return ""
	}
	var body struct {
		Metadata struct{ ResourceVersion string }
	}
	_ = json.Unmarshal(w.Patch, &body)
	return body.Metadata.ResourceVersion
}

// arriveLate lets a write arrive that the client has given up waiting for, but
// for the Create of an Event that has expired since: nothing in the API stops it.
func (m *model) arriveLate() {
	f, ok := pick(m, &m.late)
	if !ok {
		return
	}
	m.did = fmt.Sprintf("count %d of %s arrives late", f.w.Count, ownName(f.s))
	known := m.server[f.w.Event.Name] != nil
	if f.w.Op == request.Create && known && !m.server[f.w.Event.Name].live {
		return
	}
	m.apply(f)
}

func (m *model) expireObject() {
	for _, name := range slices.Sorted(maps.Keys(m.server)) {
		if o := m.server[name]; o.live && m.rand.IntN(4) == 0 {
			m.did = "the server forgets " + name
			o.live = false
			return
		}
	}
}

// meddle changes an object so that its resourceVersion is another one.
func (m *model) meddle() {
	for _, name := range slices.Sorted(maps.Keys(m.server)) {
		if o := m.server[name]; o.live && m.rand.IntN(4) == 0 {
			m.did = "somebody annotates " + name
			o.version++
			return
		}
	}
}
