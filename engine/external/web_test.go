package external_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/external"
)

// web answers for files: /cm.yaml and the like.
type web struct {
	requests atomic.Int64
	// hang, where it is not nil, keeps /slow from being answered.
	hang chan struct{}
}

var webFiles = map[string]string{
	"/cm.yaml":          "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: far}\n",
	"/org/repo/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: deep}\n",
	"/patch.yaml":       "- {op: add, path: /data, value: {patched: yes please}}\n",
	"/values.env":       "A=1\nB=2\n",
	"/broken.yaml":      "a: [\n",
	"/org/repo/page":    "<html>\n<body>: {</body>\n",
	"/empty":            "",
}

func (w *web) ServeHTTP(out http.ResponseWriter, request *http.Request) {
	w.requests.Add(1)
	if request.URL.Path == "/slow" {
		<-w.hang
	}
	content, ok := webFiles[request.URL.Path]
	if !ok {
		http.Error(out, "no", http.StatusNotFound)
		return
	}
	fmt.Fprint(out, content)
}

func TestRemoteFiles(t *testing.T) {
	server := httptest.NewServer(&web{})
	defer server.Close()
	config := allowed(t)
	for _, test := range []struct {
		kustomization string
		refused       bool
	}{
		{`resources: [$WEB/cm.yaml]`, false},
		{`resources: ["$WEB/org/repo/cm.yaml?x=y"]`, false},
		{`{resources: [$WEB/cm.yaml, "$WEB/org/repo/cm.yaml?ref=v1"], buildMetadata: [originAnnotations], namePrefix: a-}`, false},
		{`{resources: [$WEB/cm.yaml], patches: [{path: $WEB/patch.yaml, target: {kind: ConfigMap}}]}`, false},
		{`configMapGenerator: [{name: a, files: [$WEB/patch.yaml], envs: [$WEB/values.env]}]`, false},
		{`{resources: [$WEB/empty], namePrefix: a-}`, false},
		{`resources: [$WEB/none.yaml]`, true},
		{`resources: [$WEB/broken.yaml]`, true},
		{`resources: [$WEB/cm.yaml, $WEB/cm.yaml]`, true},
		{`resources: [$WEB/org/repo/page]`, true},
		{`resources: ["http://127.0.0.1:1/cm.yaml"]`, true},
		{`configMapGenerator: [{name: a, files: [$WEB/none]}]`, true},
		{`components: [$WEB/cm.yaml]`, true},
	} {
		t.Run(test.kustomization, func(t *testing.T) {
			here := tree(t, "-- kustomization.yaml --\n"+test.kustomization+"\n", "$WEB", server.URL)
			same(t, ours(t, here, config, builder.Options{}), theirs(t, here, nil), test.refused)
		})
	}
}

// kustomize cannot be given a certificate: what it would print is known from http.
func TestRemoteFileOverTLS(t *testing.T) {
	plain, secure := httptest.NewServer(&web{}), httptest.NewUnstartedServer(&web{})
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer plain.Close()
	defer secure.Close()
	kustomization := "-- kustomization.yaml --\n{resources: [$WEB/cm.yaml], nameSuffix: -x}\n"
	want := theirs(t, tree(t, kustomization, "$WEB", plain.URL), nil)
	here := tree(t, kustomization, "$WEB", secure.URL)
	config := allowed(t)
	config.HTTPClient = secure.Client()
	same(t, ours(t, here, config, builder.Options{}), want, false)

	config = allowed(t)
	config.HTTPClient = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: x509.NewCertPool()}}}
	if o := ours(t, here, config, builder.Options{}); !o.refused || !strings.Contains(o.why, "certificate") {
		t.Errorf("a certificate that nobody vouches for: %+v", o)
	}
}

func TestRemoteFileStatusAndTimeout(t *testing.T) {
	handler := &web{hang: make(chan struct{})}
	server := httptest.NewServer(handler)
	defer server.Close()
	defer close(handler.hang)
	hasty := allowed(t)
	hasty.Timeout = 300 * time.Millisecond
	for _, test := range []struct {
		path, message string
		config        external.Config
	}{
		{"/slow", "did not answer within 300ms", hasty},
		{"/none.yaml", "404 (Not Found)", allowed(t)},
	} {
		here := tree(t, "-- kustomization.yaml --\nresources: ["+server.URL+test.path+"]\n")
		if o := ours(t, here, test.config, builder.Options{}); !o.refused || !strings.Contains(o.why, test.message) {
			t.Errorf("%s: %+v", test.path, o)
		}
	}
}

func TestRemoteFileIsCached(t *testing.T) {
	handler := &web{}
	server := httptest.NewServer(handler)
	here := tree(t, "-- kustomization.yaml --\nresources: ["+server.URL+"/cm.yaml]\n")
	config := allowed(t)
	var progress strings.Builder
	config.Progress = &progress
	runner := external.New(config)
	first := oursWith(t, here, runner, builder.Options{})
	oursWith(t, here, runner, builder.Options{})
	if got := handler.requests.Load(); got != 1 {
		t.Errorf("one runner asked %d times", got)
	}
	if want := "fetching " + server.URL + "/cm.yaml\n"; progress.String() != want {
		t.Errorf("progress %q, want %q", progress.String(), want)
	}
	server.Close()
	if o := ours(t, here, config, builder.Options{}); !o.refused {
		t.Errorf("a new runner asks again: %+v", o)
	}
	config.Offline = true
	if o := ours(t, here, config, builder.Options{}); o.output == "" || o.output != first.output {
		t.Errorf("offline: %+v", o)
	}
	other := tree(t, "-- kustomization.yaml --\nresources: ["+server.URL+"/other.yaml]\n")
	if o := ours(t, other, config, builder.Options{}); !o.unknown || o.refused {
		t.Errorf("offline and not in the cache: %+v", o)
	}
}
