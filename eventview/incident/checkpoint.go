// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package incident

import (
	"bytes"
	"encoding/gob"
	"errors"
	"time"
)

// checkpointFormat is the first byte of a checkpoint. It changes whenever the format or the rules
// change.
const checkpointFormat = 1

var errCheckpoint = errors.New(
	"incident: this is no checkpoint of a Tracker, or a part of one; begin with a new Tracker")

// checkpoint is the content of a checkpoint.
type checkpoint struct {
	Now       time.Time
	Number    uint32
	Incidents map[uint32]*entry
	Roots     map[uint64]uint32
	Places    map[uint64]place
	Changes   []change
}

// MarshalBinary returns a checkpoint of the tracker. It implements [encoding.BinaryMarshaler].
func (t *Tracker) MarshalBinary() ([]byte, error) {
	b := bytes.NewBuffer([]byte{checkpointFormat})
	err := gob.NewEncoder(b).Encode(checkpoint{
		Now:       t.now,
		Number:    t.number,
		Incidents: t.incidents,
		Roots:     t.roots,
		Places:    t.places,
		Changes:   t.changes,
	})
	return b.Bytes(), err
}

// UnmarshalBinary restores a checkpoint of [Tracker.MarshalBinary]. The checkpoint replaces
// everything in the tracker. After an error the tracker is unchanged. UnmarshalBinary implements
// [encoding.BinaryUnmarshaler].
func (t *Tracker) UnmarshalBinary(b []byte) error {
	if len(b) == 0 || b[0] != checkpointFormat {
		return errCheckpoint
	}
	c := checkpoint{
		Incidents: map[uint32]*entry{},
		Roots:     map[uint64]uint32{},
		Places:    map[uint64]place{},
	}
	if err := gob.NewDecoder(bytes.NewReader(b[1:])).Decode(&c); err != nil {
		return errors.Join(errCheckpoint, err)
	}
	*t = Tracker{
		now:       c.Now,
		number:    c.Number,
		incidents: c.Incidents,
		roots:     c.Roots,
		places:    c.Places,
		changes:   c.Changes,
	}
	return nil
}
