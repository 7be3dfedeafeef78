// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Source is what a page shows: an [*adapter.Adapter] or an [*adapter.RecordBroadcaster]. It is an
// interface so that a program can show less than these hold. It must be safe for
// concurrent use.
type Source interface {
	// Inspect returns at most n series of each kind and n namespaces. The result is the
	// handler's.
	Inspect(n int) adapter.Inspection
}

// Handler returns a handler that shows source, at whatever path it is served. It does
// not authenticate its clients. It may be called before the source is started.
func Handler(source Source) http.Handler {
	return &handler{source: source, program: thisProgram()}
}

// rows bounds each list. Fifty are more than anybody reads, and few enough that the page of
// a full cache takes milliseconds.
const rows = 50

type handler struct {
	source     Source
	program    program
	inspecting sync.Mutex // lets one request at a time inspect the source
}

// ServeHTTP implements [http.Handler].
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Content-Security-Policy", contentSecurityPolicy())
	header.Set("Vary", "Accept")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "this page is read only: GET or HEAD", http.StatusMethodNotAllowed)
		return
	}
	format, problem := formatOf(r)
	if problem != "" {
		http.Error(w, problem, http.StatusNotAcceptable)
		return
	}
	body, err := h.render(format)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	header.Set("Content-Type", contentTypes[format])
	header.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the client may be gone
}

// render returns the whole answer, so that nothing is held while it is sent.
func (h *handler) render(f format) ([]byte, error) {
	i, err := h.inspect()
	if err != nil {
		return nil, err
	}
	p := newPage(i, h.program)
	var body bytes.Buffer
	if f == asHTML {
		err = pageTemplate().Execute(&body, p)
		return body.Bytes(), err
	}
	encoder := json.NewEncoder(&body)
	encoder.SetIndent("", "  ")
	err = encoder.Encode(p)
	return body.Bytes(), err
}

// inspect asks the source. A nil one, such as what a failed constructor returned, panics: the
// client learns that.
func (h *handler) inspect() (i *adapter.Inspection, err error) {
	h.inspecting.Lock()
	defer h.inspecting.Unlock()
	panicked := usercode.Call(func() {
		inspected := h.source.Inspect(rows)
		i = &inspected
	})
	if panicked != nil {
		return nil, errNoSource
	}
	return i, nil
}

var errNoSource = errors.New("debug: the source panicked; pass Handler the adapter that its constructor returned")
