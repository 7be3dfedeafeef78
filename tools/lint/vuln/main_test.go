// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// database serves one report, on a function of the standard library that the command itself calls, or none.
func database(t *testing.T, reported bool) string {
	files := map[string]string{"/index/db.json": `{"modified": "2026-01-01T00:00:00Z"}`, "/index/modules.json": `[]`}
	if reported {
		files["/index/modules.json"] = `[{"path": "stdlib", "vulns": [
			{"id": "GO-2026-0001", "modified": "2026-01-01T00:00:00Z"}]}]`
		files["/ID/GO-2026-0001.json"] = `{"schema_version": "1.3.1", "id": "GO-2026-0001",
			"modified": "2026-01-01T00:00:00Z", "published": "2026-01-01T00:00:00Z", "summary": "A test", "details": "A test",
			"affected": [{"package": {"name": "stdlib", "ecosystem": "Go"},
				"ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}],
				"ecosystem_specific": {"imports": [{"path": "net/http", "symbols": ["Client.Get"]}]}}],
			"database_specific": {"url": "https://example.com/GO-2026-0001"}}`
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, packed := strings.CutSuffix(r.URL.Path, ".gz")
		content, found := files[name]
		if !found {
			http.NotFound(w, r)
			return
		}
		if !packed {
			_, _ = w.Write([]byte(content))
			return
		}
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte(content))
		_ = z.Close()
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Caught: no Wait for the command, which makes every module a good one.
func TestCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("govulncheck takes half a minute for a module")
	}
	for _, reported := range []bool{false, true} {
		var out strings.Builder
		err := check(database(t, reported), "..", &out)
		if (err != nil) != reported || strings.Contains(out.String(), "GO-2026-0001") != reported {
			t.Errorf("reported: %v, and yet: %v\n%s", reported, err, out.String())
		}
	}
}
