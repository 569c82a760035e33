package external

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// guarded returns a client for one request that follows no redirect from a public server
// to an address that only this machine or its network can reach: a stranger's URL would
// make kls ask what the stranger cannot.
func guarded(client *http.Client) *http.Client {
	g := &redirectGuard{}
	next := &http.Client{}
	if client != nil {
		*next = *client
	}
	next.CheckRedirect = g.check
	if next.Transport == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.DisableKeepAlives = true // a connection belongs to one request
		transport.DialContext = g.dial
		next.Transport = transport
	}
	return next
}

// redirectGuard is for one request and the redirects from it.
type redirectGuard struct {
	redirected atomic.Bool
	// local is true once the request itself went to a local address.
	local atomic.Bool
}

var errLocalRedirect = errors.New("a server of the internet redirects to an address of this network, which is not followed")

// maxRedirects is what net/http follows by itself.
const maxRedirects = 10

func (g *redirectGuard) check(request *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects {
		return fmt.Errorf("it redirects more than %d times", maxRedirects)
	}
	g.redirected.Store(true)
	if !hasLocalName(via[0].URL) && hasLocalName(request.URL) {
		return errLocalRedirect
	}
	return nil
}

// dial judges the address that a name stands for at that moment, so that a name server
// cannot say one thing first and another then.
func (g *redirectGuard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	dialer.Control = func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		switch local := isLocal(to.Addr()); {
		case !g.redirected.Load():
			g.local.Store(local)
		case local && !g.local.Load():
			return errLocalRedirect
		}
		return nil
	}
	return dialer.DialContext(ctx, network, address)
}

// hasLocalName is true for a URL that says by itself that it is local; what a proxy makes
// of a name is not known here.
func hasLocalName(u *url.URL) bool {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if address, err := netip.ParseAddr(host); err == nil {
		return isLocal(address)
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".internal") || strings.HasSuffix(host, ".local")
}

// isLocal is true for addresses that are not of the internet.
func isLocal(a netip.Addr) bool {
	a = a.Unmap()
	shared := netip.MustParsePrefix("100.64.0.0/10") // of providers and clouds
	return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsLinkLocalMulticast() || a.IsInterfaceLocalMulticast() ||
		a.IsMulticast() || a.IsUnspecified() || a.Is4() && shared.Contains(a)
}

// gitService is what git asks of a repository first, and what it follows redirects of.
const gitService = "/info/refs?service=git-upload-pack"

// finalAddress returns where a repository has moved to: git itself is not allowed to follow
// redirects, since it goes wherever they lead. Whatever else is wrong with the address is
// for git to say.
func (r *Runner) finalAddress(ctx context.Context, clone string) (string, error) {
	if !strings.HasPrefix(clone, "http://") && !strings.HasPrefix(clone, "https://") {
		return clone, nil
	}
	limited, cancel := context.WithTimeout(ctx, orDefault(r.config.Timeout, fetchTimeout))
	defer cancel()
	request, err := http.NewRequestWithContext(limited, http.MethodGet, strings.TrimSuffix(clone, "/")+gitService, nil)
	if err != nil {
		return clone, nil
	}
	response, err := guarded(r.config.HTTPClient).Do(request)
	switch {
	case errors.Is(err, errLocalRedirect):
		return "", err
	case err != nil:
		return clone, nil
	}
	defer response.Body.Close()
	moved, ok := strings.CutSuffix(response.Request.URL.String(), gitService)
	if response.Request.Response == nil || !ok {
		return clone, nil // there was no redirect
	}
	return moved, nil
}
