// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

// chromium is a browser that is told what to do through a pipe, in its DevTools protocol.
type chromium struct {
	command *exec.Cmd
	toIt    io.WriteCloser
	read    chan struct{} // closed when nothing comes any more

	mu      sync.Mutex // guards the rest
	calls   int
	answers map[int]chan message
	events  []message
	loaded  chan struct{} // receives when a page was loaded
}

// message is a call, an answer or an event.
type message struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    any             `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// start starts a browser without a window and with a new profile.
func start(ctx context.Context, binary, profile string) (*chromium, error) {
	theirInput, toIt, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromIt, theirOutput, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c := &chromium{
		command: exec.CommandContext(ctx, binary, "--headless", "--remote-debugging-pipe", "--user-data-dir="+profile,
			"--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--hide-scrollbars", "--force-color-profile=srgb",
			"--font-render-hinting=none", "--lang=en"),
		toIt: toIt, read: make(chan struct{}), answers: map[int]chan message{}, loaded: make(chan struct{}, 1),
	}
	c.command.ExtraFiles = []*os.File{theirInput, theirOutput} // 3 and 4, as the protocol wants them
	err = c.command.Start()
	theirInput.Close()
	theirOutput.Close()
	if err != nil {
		return nil, err
	}
	go c.receive(fromIt)
	return c, nil
}

// close ends the browser, and waits for it.
func (c *chromium) close() error {
	_, err := c.call("", "Browser.close", nil)
	c.toIt.Close()
	<-c.read
	return errors.Join(err, c.command.Wait())
}

// receive takes messages, which end with a zero byte, until the browser is gone.
func (c *chromium) receive(from io.ReadCloser) {
	defer close(c.read)
	defer from.Close()
	input := bufio.NewReader(from)
	for {
		data, err := input.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(data[:len(data)-1], &m) == nil {
			c.take(m)
		}
	}
}

func (c *chromium) take(m message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer := c.answers[m.ID]; answer != nil {
		delete(c.answers, m.ID)
		answer <- m
		return
	}
	c.events = append(c.events, m)
	if m.Method == "Page.loadEventFired" {
		c.loaded <- struct{}{}
	}
}

// call sends a call and returns the result.
func (c *chromium) call(session, method string, params any) (json.RawMessage, error) {
	answer := make(chan message, 1)
	c.mu.Lock()
	c.calls++
	data, err := json.Marshal(message{ID: c.calls, SessionID: session, Method: method, Params: params})
	if err == nil {
		c.answers[c.calls] = answer
		_, err = c.toIt.Write(append(data, 0))
	}
	c.mu.Unlock()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		return m.Result, nil
	case <-c.read:
		return nil, fmt.Errorf("%s: the browser has ended", method)
	}
}
