// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// answers is a transport that has one for each request.
type answers []int

func (a *answers) RoundTrip(*http.Request) (*http.Response, error) {
	code := (*a)[0]
	*a = (*a)[1:]
	if code == 0 {
		return nil, errors.New("no connection")
	}
	return &http.Response{StatusCode: code}, nil
}

// Caught: a refusal that counts; a quiet that ends at the first pause, that never ends, that waits on when all is
// there, or that says when it looked instead of when the last write was taken.
func TestQuiet(t *testing.T) {
	for name, row := range map[string]struct {
		want      int
		codes     []int // a second apart
		last, end time.Duration
	}{
		"all of it":  {3, []int{201, 200, 201}, 2 * time.Second, 2 * time.Second},
		"refusals":   {3, []int{201, 409, 0, 429, 201}, 4 * time.Second, 4*time.Second + 15*time.Second},
		"more to be": {9, []int{201, 201}, time.Second, time.Second + 15*time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				m := &meter{next: (*answers)(&row.codes)}
				go func() {
					for i := range len(row.codes) {
						time.Sleep(time.Duration(min(i, 1)) * time.Second)
						_, _ = m.RoundTrip(nil)
					}
				}()
				last, err := m.quiet(t.Context(), row.want, patience)
				if err != nil {
					t.Fatal(err)
				}
				if got := last.Sub(begin); got != row.last {
					t.Errorf("the last was taken after %v, want %v", got, row.last)
				}
				if got := time.Since(begin); got < row.end || got > row.end+100*time.Millisecond {
					t.Errorf("quiet after %v, want %v", got, row.end)
				}
			})
		})
	}
}
