package gentree

import (
	"fmt"
	"strings"
)

// OverlaysPerBase is how many overlays each base of a Repository has.
const OverlaysPerBase = 9

// Repository returns the files of a repository with that many bases, each with
// overlays for its environments, by path below its root with forward slashes: in all
// bases×(OverlaysPerBase+1) kustomizations. The same number gives the same bytes.
func Repository(bases int) map[string][]byte {
	files := map[string][]byte{}
	for number := range bases {
		app := fmt.Sprintf("app-%05d", number)
		for file, text := range map[string]string{
			"deployment.yaml": deployment, "service.yaml": service,
			"serviceaccount.yaml": serviceAccount, "configmap.yaml": configMap,
		} {
			files[app+"/base/"+file] = []byte(strings.ReplaceAll(text, "APP", app))
		}
		files[app+"/base/kustomization.yaml"] = []byte("resources: [deployment.yaml, service.yaml, serviceaccount.yaml, configmap.yaml]\n")
		for environment := range OverlaysPerBase {
			dir := fmt.Sprintf("%s/overlays/env-%d/", app, environment)
			files[dir+"kustomization.yaml"] = fmt.Appendf(nil, environmentOverlay, environment)
			files[dir+"resources.yaml"] = []byte(resourcesPatch)
		}
	}
	return files
}

const environmentOverlay = `resources:
- ../../base
namespace: env-%d
namePrefix: my-
images:
- name: registry.example.com/app
  newTag: "2.0"
configMapGenerator:
- name: settings
  literals: [level=info]
patches:
- path: resources.yaml
  target:
    kind: Deployment
`
