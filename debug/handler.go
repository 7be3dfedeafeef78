// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed" // for markup and style
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Source is what a page shows: an [*adapter.Adapter], the Broadcaster of package recordevents or
// the Set of package clusters, whose page has the sums, and links to that of each cluster. It is an
// interface so that a program can show less than these hold. It must be safe for
// concurrent use.
type Source interface {
	// Snapshot returns at most n series of each kind and n namespaces with a queue. The result
	// is the handler's.
	Snapshot(n int) adapter.Snapshot
}

// Handler returns a handler that shows source, at whatever path it is served. It does
// not authenticate its clients. It may be called before the source is started.
func Handler(source Source) http.Handler {
	return &handler{source: source, turn: make(chan struct{}, 1)}
}

// rows bounds each list. Fifty are more than anybody reads, and few enough that the page of
// a full cache takes milliseconds.
const rows = 50

type handler struct {
	source Source
	turn   chan struct{} // held by the request that looks at the source: one at a time
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
	contentType, encode := "text/html; charset=utf-8", asHTML
	if wantsJSON(r) {
		contentType = "application/json"
		encode = asJSON
	}
	// The whole answer, so that nothing is held while it is sent.
	var body bytes.Buffer
	p, err := h.look(r.Context(), r.URL.Query().Get("cluster"))
	if err == nil {
		err = encode(&body, p)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	text := usercode.Escape(body.String(), isShown)
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(text)))
	_, _ = w.Write([]byte(text)) // the client may be gone
}

// isShown reports whether a person sees r. Others, such as those that turn the direction of what
// follows, are escaped: texts come from the component, from names of objects and from the server.
func isShown(r rune) bool { return r == '\n' || unicode.IsPrint(r) }

// wantsJSON reports what the client wants. The parameter is for links and for clients that
// cannot set a header; kubectl get --raw accepts JSON and anything, and a browser names HTML.
func wantsJSON(r *http.Request) bool {
	if format := r.URL.Query().Get("format"); format == "json" || format == "html" {
		return format == "json"
	}
	accept := strings.Join(r.Header.Values("Accept"), ",")
	return strings.Contains(accept, "application/json") && !strings.Contains(accept, "text/html")
}

func asHTML(body *bytes.Buffer, p *page) error { return pageTemplate().Execute(body, p) }

func asJSON(body *bytes.Buffer, p *page) error {
	encoder := json.NewEncoder(body)
	encoder.SetIndent("", "  ")
	return encoder.Encode(p)
}

// look asks the source. A nil one, such as what a failed constructor returned, panics: the
// client learns that. While a source does not answer, other requests wait until their clients give up.
func (h *handler) look(ctx context.Context, cluster string) (p *page, err error) {
	select {
	case h.turn <- struct{}{}:
		defer func() { <-h.turn }()
	case <-ctx.Done():
		return nil, fmt.Errorf("debug: another request still waits for the source: %w", ctx.Err())
	}
	if panicked := usercode.Call(func() { p = newPage(h.source.Snapshot(rows), cluster) }); panicked != nil {
		return nil, errors.New("debug: the source panicked; pass Handler the adapter that its constructor returned")
	}
	return p, nil
}

// markup is the template of the page, and style its style sheet, which the page has within.
var (
	//go:embed page.html.tmpl
	markup string
	//go:embed page.css
	style string
)

// contentSecurityPolicy allows the style sheet of the page, and nothing else: no script, no
// request, no frame around it. The style sheet is allowed by its hash, so attributes called
// style are not, and an attacker who could insert markup could not even move anything.
var contentSecurityPolicy = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
})

// pageTemplate is parsed when the first page is asked for: importing the package runs
// nothing.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"style": func() template.CSS { return template.CSS(style) },
		"count": count,
		"share": share,
	}).Parse(markup))
})
