// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package count

import (
	"bufio"
	"bytes"
	"io"
	"path"
	"regexp"
)

var (
	// structured is a line of StartStructuredLogging, plain one of StartLogging.
	structured = regexp.MustCompile(`\] "Event occurred" (?:logger="[^"]*" )?object="(?P<name>[^"]*)".*? kind="(?P<kind>[^"]*)".*? reason="(?P<reason>[^"]*)"`)
	plain      = regexp.MustCompile(`\] Event\(v1\.ObjectReference\{Kind:"(?P<kind>[^"]*)", Namespace:"[^"]*", Name:"(?P<name>[^"]*)".*?\): ` +
		`type: '[^']*' reason: '(?P<reason>[^']*)'`)
	// elected are lines of the leader election. The scheduler has no others for its Events.
	elected = regexp.MustCompile(`\] "(Successfully acquired lease|Requested to terminate, exiting|Leaderelection lost)"`)
	// ending is the line of a kubelet whose recorder is shut down while it still records.
	ending = []byte(`] "The kubelet ends"`)
)

// Occurrence is one call of a recorder.
type Occurrence struct {
	Subject
	Late bool // it was logged after the recorder was told to end
}

// Occurrences returns what was recorded, by the log of a component. The scheduler does not log the Events of its leader
// election.
func Occurrences(log io.Reader, component string) (all []Occurrence, err error) {
	late := false
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		line := lines.Bytes()
		for _, pattern := range []*regexp.Regexp{structured, plain} {
			match := pattern.FindSubmatch(line)
			if match == nil {
				continue
			}
			group := func(name string) string { return string(match[pattern.SubexpIndex(name)]) }
			subject := Subject{component, object(group("kind"), path.Base(group("name"))), group("reason")}
			all = append(all, Occurrence{subject, late})
		}
		if component == Scheduler && elected.Match(line) {
			all = append(all, Occurrence{Subject{component, object("Lease", Scheduler), "LeaderElection"}, late})
		}
		late = late || bytes.Contains(line, ending)
	}
	return all, lines.Err()
}
