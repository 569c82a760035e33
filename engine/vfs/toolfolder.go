package vfs

// toolFolders hold copies that tools made, which nobody edits. Other hidden
// folders are looked into: people keep deployments in .argocd and .k8s.
var toolFolders = map[string]bool{
	".git": true, ".hg": true, ".svn": true, ".jj": true,
	".terraform": true, ".terragrunt-cache": true, ".direnv": true,
	".cache": true, ".venv": true, ".tox": true, ".gradle": true, ".m2": true, ".npm": true, ".yarn": true,
	"node_modules": true,
}

// IsToolFolder tells whether a folder of that name is left out where somebody looks
// for files to work with.
func IsToolFolder(name string) bool { return toolFolders[name] }
