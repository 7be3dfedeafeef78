// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package command

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// A page of https is verified as the flags say, and not as the kubeconfig says of the API server. The token and the client
// certificate, with which the user reads from the API server, are not for whoever serves the page.
//
// Caught: a page with a certificate of the cluster's own that no flag made readable.
func TestDoctorVerifiesThePage(t *testing.T) {
	var asUser, foreign atomic.Int32
	api := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer secret" && len(r.TLS.PeerCertificates) == 1 {
			asUser.Add(1)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}`))
	}))
	api.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	api.StartTLS()
	defer api.Close()
	page := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" || len(r.TLS.PeerCertificates) > 0 {
			foreign.Add(1)
		}
		_, _ = w.Write([]byte(`{"refusedIn":1}`))
	}))
	page.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	page.StartTLS()
	defer page.Close()

	key, err := x509.MarshalPKCS8PrivateKey(api.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: api.Certificate().Raw}) // of both servers
	config := clientcmdapi.NewConfig()
	config.CurrentContext = "test"
	config.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: "test"}
	config.Clusters["test"] = &clientcmdapi.Cluster{Server: api.URL, CertificateAuthorityData: authority}
	config.AuthInfos["test"] = &clientcmdapi.AuthInfo{
		Token:                 "secret",
		ClientCertificateData: authority,
		ClientKeyData:         pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}),
	}
	directory := t.TempDir()
	kubeconfig := filepath.Join(directory, "kubeconfig")
	if err := clientcmd.WriteToFile(*config, kubeconfig); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(directory, "authority.pem")
	if err := os.WriteFile(file, authority, 0o600); err != nil {
		t.Fatal(err)
	}

	for name, test := range map[string]struct {
		flags   []string
		unknown string // why the page is not checked
		fix     string
	}{
		"no flags": {
			unknown: "page: Get \"" + page.URL + "/debug/events?format=json\": tls: failed to verify certificate",
		},
		"insecure": {
			flags: []string{"--insecure-skip-tls-verify"},
			fix:   "curl -s -k 'https://",
		},
		"authority": {
			flags: []string{"--certificate-authority", file},
			fix:   "curl -s --cacert '" + file + "' 'https://",
		},
		"server name": {
			flags: []string{"--certificate-authority", file, "--tls-server-name", "example.com"},
			fix:   "curl -s --cacert '" + file + "' 'https://",
		},
	} {
		t.Run(name, func(t *testing.T) {
			asUser.Store(0)
			var out, stderr bytes.Buffer
			args := append([]string{"doctor", "--kubeconfig", kubeconfig, "--page", page.URL + "/debug/events", "-o", "json"}, test.flags...)
			Run(t.Context(), args, genericiooptions.IOStreams{Out: &out, ErrOut: &stderr})
			var got struct {
				NotChecked []string
				Findings   []struct{ Check, Fix string }
			}
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatalf("%v in %q, %s", err, &out, &stderr)
			}
			isUnknown := func(reason string) bool { return strings.HasPrefix(reason, "page: ") }
			at := slices.IndexFunc(got.NotChecked, isUnknown)
			switch {
			case test.unknown == "" && at >= 0:
				t.Errorf("not checked: %s", got.NotChecked[at])
			case test.unknown != "" && (at < 0 || !strings.HasPrefix(got.NotChecked[at], test.unknown)):
				t.Errorf("not checked: %q, want %s", got.NotChecked, test.unknown)
			}
			fixed := func(f struct{ Check, Fix string }) bool {
				return f.Check == "page" && strings.HasPrefix(f.Fix, test.fix)
			}
			if test.unknown == "" && !slices.ContainsFunc(got.Findings, fixed) {
				t.Errorf("found %+v, want %s", got.Findings, test.fix)
			}
			if asUser.Load() == 0 {
				t.Error("the API server got no request with the user's credentials")
			}
		})
	}
	if n := foreign.Load(); n > 0 {
		t.Errorf("%d requests for the page had credentials", n)
	}
}
