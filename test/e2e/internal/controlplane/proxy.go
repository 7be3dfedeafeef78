// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// Toxic is a fault of the network. The README of Toxiproxy describes its types.
type Toxic struct {
	// Type is latency, bandwidth, reset_peer, timeout, limit_data, ...
	Type string `json:"type"`
	// Stream is the direction: upstream, to the server, or downstream.
	Stream string `json:"stream"`
	// Attributes depend on the type.
	Attributes map[string]int `json:"attributes"`
}

// openProxy returns the address of a proxy in front of kube-apiserver.
func (h *host) openProxy() (address string, err error) {
	if h.proxy == nil {
		zerolog.SetGlobalLevel(zerolog.Disabled)
		server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
		upstream := h.ControlPlane.APIServer.SecureServing.HostPort()
		proxy := toxiproxy.NewProxy(server, "kube-apiserver", "127.0.0.1:0", upstream)
		if err := proxy.Start(); err != nil {
			return "", err
		}
		h.proxy = proxy
	}
	return h.proxy.Listen, nil
}

var errNoProxy = errors.New("there is no proxy, call Proxy first")

func (h *host) addToxic(toxic *Toxic) error {
	if h.proxy == nil {
		return errNoProxy
	}
	description, err := json.Marshal(toxic)
	if err != nil {
		return err
	}
	_, err = h.proxy.Toxics.AddToxicJson(bytes.NewReader(description))
	return err
}

func (h *host) removeToxics() error {
	if h.proxy == nil {
		return errNoProxy
	}
	h.proxy.Toxics.ResetToxics(context.Background())
	return nil
}
