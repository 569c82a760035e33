package external

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// File returns what an http(s) URL holds, as kustomize's loader gets it
// (FileLoader.httpClientGetContent), once in the life of the runner.
func (r *Runner) File(ctx context.Context, address string) ([]byte, error) {
	if !r.config.EnableRemote {
		return nil, load.ErrSwitchedOff
	}
	_, files := r.memos()
	return files.get(ctx, address, func() ([]byte, error) { return r.download(ctx, address) })
}

func (r *Runner) download(ctx context.Context, address string) ([]byte, error) {
	cache, err := r.cacheDir()
	if err != nil {
		return nil, err
	}
	if r.config.Offline {
		return storedFile(cache, address)
	}
	r.progress("fetching %s", redact(address))
	content, err := r.request(ctx, address)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	name := hex.EncodeToString(sum[:])
	if err := keepFile(cache, filepath.Join(cache, "contents", name), content); err != nil {
		return nil, err
	}
	return content, keepFile(cache, nameFile(cache, address), []byte(name+"\n"))
}

// storedFile returns what the URL held when it was last asked.
func storedFile(cache, address string) ([]byte, error) {
	name, err := readName(nameFile(cache, address))
	if err != nil {
		return nil, err
	}
	if name == "" || !filepath.IsLocal(name) {
		return nil, notCached()
	}
	content, err := os.ReadFile(filepath.Join(cache, "contents", name))
	if errors.Is(err, os.ErrNotExist) {
		return nil, notCached()
	}
	return content, err
}

func nameFile(cache, address string) string { return filepath.Join(cache, "files", hashed(address)) }

// request asks the server.
func (r *Runner) request(ctx context.Context, address string) ([]byte, error) {
	parsed, err := url.ParseRequestURI(address)
	if err != nil {
		return nil, err
	}
	timeout := orDefault(r.config.Timeout, fetchTimeout)
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(limited, http.MethodGet, parsed.String(), nil)
	if err != nil {
		return nil, err
	}
	content, err := answer(guarded(r.config.HTTPClient), request)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, fmt.Errorf("the server did not answer within %s", timeout)
	}
	return content, err
}

func answer(client *http.Client, request *http.Request) ([]byte, error) {
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return nil, fmt.Errorf("the server answers with status %d (%s)", response.StatusCode, http.StatusText(response.StatusCode))
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, vfs.MaxFileSize+1))
	if len(content) > vfs.MaxFileSize {
		return nil, fmt.Errorf("it holds more than %d bytes", vfs.MaxFileSize)
	}
	return content, err
}
