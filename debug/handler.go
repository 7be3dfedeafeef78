// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
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

// Source provides the data of a page. It is implemented by [*adapter.Adapter], by the Broadcaster
// of package recordevents, and by the Set of package clusters. The page of a Set shows the sums
// over its clusters, and has a link to the page of each cluster.
//
// Source is an interface so that a program can pass a Snapshot with less data, for example without
// notes. A Source must be safe for concurrent use.
type Source interface {
	// Snapshot returns at most n series in each list and at most n namespaces with a queue. The
	// handler may change the result.
	Snapshot(n int) adapter.Snapshot
}

// Handler returns a handler that shows source. It can be served at any path. It does not
// authenticate its clients. It may be called before the source is started.
//
// If source is nil, as after a constructor that failed, each request is answered with an error.
func Handler(source Source) http.Handler {
	return &handler{source: source, turn: make(chan struct{}, 1)}
}

// rows is the maximum length of each list. Nobody reads more than fifty rows, and a page with fifty
// rows is rendered within milliseconds even if the cache is full.
const rows = 50

type handler struct {
	source Source
	// turn is held by the request that takes a snapshot, so that only one request at a time takes a
	// snapshot. It is a channel and not a mutex, so that a request can stop waiting when its
	// context ends.
	turn chan struct{}
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
	// The whole response is made in memory before it is sent, so that an error of encode can still
	// be answered with the status 500.
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
	// An error is ignored, because it means that the client is gone.
	_, _ = w.Write([]byte(text))
}

// isShown reports whether r is shown unescaped. This is true for printable characters and for line
// feeds. The texts on the page come from the component, from the names of objects and from the
// server, and may contain characters that, for example, reverse the direction of the text that
// follows.
func isShown(r rune) bool { return r == '\n' || unicode.IsPrint(r) }

// wantsJSON reports whether the client wants JSON. The query parameter format decides if it is set;
// it is for links, and for clients that cannot set a header. Otherwise the header Accept decides:
// kubectl get --raw accepts JSON and everything else, and a browser asks for HTML.
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

// look waits until no other request is taking a snapshot, takes a snapshot of the source, and
// returns the page for it. It returns an error if ctx ends while another request is still taking a
// snapshot, for example because the source hangs. It also returns an error if the source panics, as
// a nil adapter does.
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

// markup is the template of the page. style is its style sheet, which becomes a part of the page.
var (
	//go:embed page.html.tmpl
	markup string
	//go:embed page.css
	style string
)

// contentSecurityPolicy returns a policy that allows the style sheet of the page and nothing else:
// no script, no request, and no frame around the page. It allows the style sheet by its hash, and
// therefore no style attributes, so an attacker who could insert markup could not even move a part
// of the page.
var contentSecurityPolicy = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
})

// pageTemplate returns the parsed template. The first call parses it, so that importing the package
// costs nothing.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"style":  func() template.CSS { return template.CSS(style) },
		"count":  count,
		"share":  share,
		"plural": counted[int],
	}).Parse(markup))
})
