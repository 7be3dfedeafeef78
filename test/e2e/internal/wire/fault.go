// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"io"
	"net/http"
	"time"
)

// Fault handles a request in place of, or around, next.
type Fault func(req *http.Request, next http.RoundTripper) (*http.Response, error)

// Delay delays the request by one half of d, and the answer by the other half.
func Delay(d time.Duration) Fault {
	return func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		if err := pause(req, d/2); err != nil {
			drain(req.Body)
			return nil, err
		}
		res, err := next.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		if err := pause(req, d/2); err != nil {
			drain(res.Body)
			return nil, err
		}
		return res, nil
	}
}

func pause(req *http.Request, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-req.Context().Done():
		return req.Context().Err()
	}
}

// drain reads body to its end, so that its connection can be used again.
func drain(body io.ReadCloser) {
	if body == nil {
		return
	}
	_, _ = io.Copy(io.Discard, body)
	_ = body.Close()
}
