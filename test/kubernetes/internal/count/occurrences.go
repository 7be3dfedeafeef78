// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package count

import (
	"bufio"
	"io"
	"regexp"
)

var (
	// structured is a line of StartStructuredLogging, plain one of StartLogging.
	structured = regexp.MustCompile(`\] "Event occurred" .*?\breason="([^"]*)"`)
	plain      = regexp.MustCompile(`\] Event\(v1\.ObjectReference\{.*?\): type: '[^']*' reason: '([^']*)'`)
	// elected is a line of the leader election. The scheduler has no other one for its Event.
	elected = regexp.MustCompile(`\] "Successfully acquired lease"`)
)

// Occurrences returns how often each reason was recorded, by the log of a component. The scheduler does not log the
// Events of its leader election.
func Occurrences(log io.Reader, scheduler bool) (map[string]int, error) {
	reasons := map[string]int{}
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		line := lines.Bytes()
		for _, pattern := range []*regexp.Regexp{structured, plain} {
			if match := pattern.FindSubmatch(line); match != nil {
				reasons[string(match[1])]++
			}
		}
		if scheduler && elected.Match(line) {
			reasons["LeaderElection"]++
		}
	}
	return reasons, lines.Err()
}
