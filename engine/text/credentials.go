package text

import "strings"

var (
	// userInfo is what stands before the host of an address. That of git over SSH is
	// the same for everybody.
	userInfo = Regexp(`([a-zA-Z][a-zA-Z0-9+.-]*://)([^\s/"'<>]*)@`)
	// secretParameter is a parameter of an address that lets somebody in.
	secretParameter = Regexp(`(?i)([?&](?:[a-z_-]*(?:token|secret|password|passwd|signature|credential|sshkey|apikey|api_key|access_key)|sig|key|auth)=)([^\s&"'<>#]+)`)
)

// WithoutCredentials returns a text in which the addresses have neither the names nor the
// passwords nor the tokens of those who use them.
func WithoutCredentials(s string) string {
	return hideCredentials(s, func(string) string { return "xxxxx" })
}

// MaskCredentials is WithoutCredentials for what has to keep its length.
func MaskCredentials(s string) string {
	return hideCredentials(s, func(secret string) string { return strings.Repeat("x", len(secret)) })
}

func hideCredentials(s string, hidden func(string) string) string {
	if !strings.Contains(s, "://") {
		return s
	}
	s = userInfo().ReplaceAllStringFunc(s, func(found string) string {
		begin := strings.Index(found, "://") + len("://")
		if secret := found[begin : len(found)-1]; secret != "git" && secret != "" {
			return found[:begin] + hidden(secret) + "@"
		}
		return found
	})
	return secretParameter().ReplaceAllStringFunc(s, func(found string) string {
		begin := strings.IndexByte(found, '=') + 1
		return found[:begin] + hidden(found[begin:])
	})
}
