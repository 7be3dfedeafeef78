// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// tab is one page of a browser.
type tab struct {
	*chromium
	session string
}

// view is how a page is looked at.
type view struct {
	width  int
	scheme string // light or dark
}

func (v view) String() string { return fmt.Sprintf("%d-%s", v.width, v.scheme) }

type params map[string]any

// open opens a tab of the width and the color scheme.
func (c *chromium) open(v view) (*tab, error) {
	target, err := decode[struct{ TargetID string }](c.call("", "Target.createTarget", params{"url": "about:blank"}))
	if err != nil {
		return nil, err
	}
	attached, err := decode[struct{ SessionID string }](
		c.call("", "Target.attachToTarget", params{"targetId": target.TargetID, "flatten": true}))
	if err != nil {
		return nil, err
	}
	t := &tab{c, attached.SessionID}
	for _, call := range []struct {
		method string
		params params
	}{
		{"Page.enable", nil}, {"Runtime.enable", nil}, {"Log.enable", nil}, {"Accessibility.enable", nil},
		{"Emulation.setDeviceMetricsOverride", params{
			"width": v.width, "height": 900, "deviceScaleFactor": 1, "mobile": v.width < 600,
		}},
		{"Emulation.setEmulatedMedia", params{
			"features": []params{{"name": "prefers-color-scheme", "value": v.scheme}},
		}},
	} {
		if _, err := t.call(t.session, call.method, call.params); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// load opens an address, and returns when everything is there.
func (t *tab) load(ctx context.Context, address string) error {
	if _, err := t.call(t.session, "Page.navigate", params{"url": address}); err != nil {
		return err
	}
	select {
	case <-t.loaded:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// complaints are what the browser has against the page: lines of its console, errors of scripts, dialogs.
func (t *tab) complaints() (all []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.events {
		against := []string{"Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Page.javascriptDialogOpening"}
		if e.SessionID == t.session && slices.Contains(against, e.Method) {
			text, _ := json.Marshal(e.Params)
			all = append(all, e.Method+" "+string(text))
		}
	}
	return all
}

// evaluate returns the value of an expression of JavaScript. The page's policy does not apply to it.
func evaluate[T any](t *tab, expression string) (value T, err error) {
	answer, err := decode[struct {
		Result           struct{ Value T }
		ExceptionDetails json.RawMessage
	}](t.call(t.session, "Runtime.evaluate", params{"expression": expression, "returnByValue": true}))
	if err == nil && answer.ExceptionDetails != nil {
		err = fmt.Errorf("%s", answer.ExceptionDetails)
	}
	return answer.Result.Value, err
}

// roles counts the elements by what assistive technology takes them for.
func (t *tab) roles() (map[string]int, error) {
	tree, err := decode[struct {
		Nodes []struct {
			Ignored bool
			Role    struct{ Value string }
		}
	}](t.call(t.session, "Accessibility.getFullAXTree", nil))
	roles := map[string]int{}
	for _, node := range tree.Nodes {
		if !node.Ignored {
			roles[strings.ToLower(node.Role.Value)]++
		}
	}
	return roles, err
}

// picture returns a part of the page as PNG.
func (t *tab) picture(width, top, height int) ([]byte, error) {
	shot, err := decode[struct{ Data []byte }](t.call(t.session, "Page.captureScreenshot", params{
		"format": "png", "captureBeyondViewport": true,
		"clip": params{"x": 0, "y": top, "width": width, "height": height, "scale": 1},
	}))
	return shot.Data, err
}

func decode[T any](data json.RawMessage, err error) (value T, _ error) {
	if err != nil {
		return value, err
	}
	return value, json.Unmarshal(data, &value)
}
