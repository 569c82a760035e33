package deployment

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// projects reports Applications whose project does not allow their repository or destination, where the AppProject is in
// the repository (AppProject.IsSourcePermitted and IsDestinationPermitted of Argo CD).
func (r *review) projects() {
	told := map[written]bool{}
	for _, d := range r.set.Deployments {
		if len(d.Sources) == 0 || d.ID.Kind != "Application" {
			continue
		}
		name := value(d.Object.Node, "spec", "project")
		project := r.set.projects[ID{"AppProject", d.ID.Namespace, name.Value}]
		if project == nil || name.Node == nil || name.Node.Line == 0 || told[writtenAt(name.Node)] {
			continue
		}
		if reason, at := d.deniedBy(project); reason != "" {
			told[writtenAt(name.Node)] = true
			p := builder.Problem{Code: DeniedByProject, Node: name.Node, Message: fmt.Sprintf("the project %s does not allow %s", name.Value, reason),
				Help: "add it to the AppProject, or choose another project"}
			if at != nil && at.Line != 0 {
				p.Related = []builder.Related{{Node: at, Message: "these are allowed"}}
			}
			r.report(d, p)
		}
	}
}

// deniedBy says what of an Application its project does not allow, and where the project says what it does.
func (d *Deployment) deniedBy(project *resource.Resource) (reason string, at *yaml.Node) {
	_, in := syntax.Field(project.Node, "spec")
	_, repositories := syntax.Field(in, "sourceRepos")
	for _, source := range d.Sources {
		if source.URL != "" && !isPermitted(repositories, normalURL(source.URL)) {
			return "the repository " + source.URL, repositories
		}
	}
	server, name := value(d.Object.Node, "spec", "destination", "server").Value, value(d.Object.Node, "spec", "destination", "name").Value
	if strings.Contains(server+name+d.DestinationNamespace, "{{") {
		return "", nil
	}
	_, destinations := syntax.Field(in, "destinations")
	if destinations == nil || destinations.Kind != yaml.SequenceNode {
		return "any destination", in
	}
	for _, allowed := range destinations.Content {
		byServer, byName := value(allowed, "server").Value, value(allowed, "name").Value
		isCluster := server != "" && byServer != "" && matchesProject(byServer, server, 0) || name != "" && byName != "" && matchesProject(byName, name, 0) ||
			server != "" && byServer == "" || name != "" && byName == "" // which cluster has that name or URL is not known
		namespace := value(allowed, "namespace").Value
		if strings.HasPrefix(namespace, "!") || strings.HasPrefix(byServer+byName, "!") {
			return "", nil // what is denied is combined with what is allowed: too much is said rather than too little
		}
		if isCluster && matchesProject(namespace, d.DestinationNamespace, 0) {
			return "", nil
		}
	}
	where := server
	if where == "" {
		where = name
	}
	return fmt.Sprintf("the namespace %s of %s", d.DestinationNamespace, where), destinations
}

// isPermitted tells whether an entry of a list of URLs matches, and none that denies.
func isPermitted(list *yaml.Node, url string) bool {
	if list == nil || list.Kind != yaml.SequenceNode {
		return false
	}
	permitted := false
	for _, entry := range list.Content {
		if denied, ok := strings.CutPrefix(entry.Value, "!"); ok {
			if matchesProject(normalPattern(denied), url, '/') {
				return false
			}
			continue
		}
		permitted = permitted || matchesProject(normalPattern(entry.Value), url, '/')
	}
	return permitted
}

// normalPattern is a pattern for URLs in the form in which these are compared.
func normalPattern(pattern string) string {
	if pattern == "*" {
		return pattern
	}
	return normalURL(pattern)
}

// matchesProject matches a pattern of an AppProject: * stops at the separator, ** does not; a * alone matches everything.
func matchesProject(pattern, text string, separator byte) bool {
	if pattern == "*" {
		return true
	}
	any := "."
	if separator != 0 {
		any = "[^" + regexp.QuoteMeta(string(separator)) + "]"
	}
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch {
		case strings.HasPrefix(pattern[i:], "**"):
			b.WriteString(".*")
			i++
		case pattern[i] == '*':
			b.WriteString(any + "*")
		case pattern[i] == '?':
			b.WriteString(any)
		default:
			b.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		}
	}
	matched, err := regexp.MatchString("^(?s:"+b.String()+")$", text)
	return matched && err == nil
}
