package external

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// answers gives each URL its answer: a redirect, or a text. Nothing is sent anywhere.
type answers map[string]string

func (a answers) RoundTrip(request *http.Request) (*http.Response, error) {
	response := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: request, Body: io.NopCloser(strings.NewReader("text"))}
	if to := a[request.URL.String()]; to != "" {
		response.StatusCode = http.StatusFound
		response.Header.Set("Location", to)
	}
	return response, nil
}

// TestRedirectsToThisNetwork follows redirects by what the URLs say.
func TestRedirectsToThisNetwork(t *testing.T) {
	for _, test := range []struct {
		from, to string
		refused  bool
	}{
		{"https://example.com/a", "https://example.org/b", false},
		{"https://example.com/a", "http://169.254.169.254/latest/meta-data/", true},
		{"https://example.com/a", "http://127.0.0.1:8080/", true},
		{"https://example.com/a", "http://localhost/", true},
		{"https://example.com/a", "http://10.0.0.1/", true},
		{"https://example.com/a", "http://192.168.1.1/", true},
		{"https://example.com/a", "http://[::1]/", true},
		{"https://example.com/a", "http://[fe80::1]/", true},
		{"https://example.com/a", "http://[::ffff:127.0.0.1]/", true},
		{"https://example.com/a", "http://[fd00::1]/", true},
		{"https://example.com/a", "http://0.0.0.0/", true},
		{"https://example.com/a", "http://100.100.100.200/", true},
		{"https://example.com/a", "http://metadata.google.internal/", true},
		{"http://127.0.0.1/a", "http://127.0.0.1:81/b", false},
		{"http://10.0.0.1/a", "http://10.0.0.2/b", false},
	} {
		client := guarded(&http.Client{Transport: answers{test.from: test.to}})
		request, err := http.NewRequest(http.MethodGet, test.from, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = answer(client, request)
		if errors.Is(err, errLocalRedirect) != test.refused {
			t.Errorf("from %s to %s: %v", test.from, test.to, err)
		}
	}
}

// TestNamesOfThisNetwork takes a name that leads here, as one that was public a moment ago.
func TestNamesOfThisNetwork(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("text")) }))
	defer server.Close()
	g := &redirectGuard{}
	g.redirected.Store(true)
	if _, err := g.dial(t.Context(), "tcp", server.Listener.Addr().String()); !errors.Is(err, errLocalRedirect) {
		t.Errorf("a redirect to this machine: %v", err)
	}
	direct, err := http.NewRequest(http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if content, err := answer(guarded(nil), direct); err != nil || string(content) != "text" {
		t.Errorf("asked for directly: %q, %v", content, err)
	}
}

func TestIsLocal(t *testing.T) {
	for address, want := range map[string]bool{"8.8.8.8": false, "2001:4860:4860::8888": false, "172.16.0.1": true, "172.32.0.1": false, "224.0.0.1": true, "100.128.0.1": false} {
		if got := isLocal(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}
