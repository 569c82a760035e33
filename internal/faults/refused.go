package main

import "strings"

// refusedKinds are mistakes that are in no schema: the API server's own code refuses
// them, or they name what is there as something else.
func refusedKinds() []kind {
	return []kind{
		{"a letter missing in the group of an apiVersion", in("resources/*", "apiVersion"), edited(shorterGroup), false},
		{"a schedule that lacks a field", in("resources/*", "spec/schedule"), edited(withoutLastField), false},
		{"a port that is too great", known(in("resources/*", "spec/ports/*/port")), plain("808080"), false},
		{"half of the group in the role of a binding", in("resources/*", "roleRef/apiGroup"), edited(withoutDomain), false},
		{"typing mistake in the kind of a subject", in("resources/*", "subjects/*/kind"), mistypeValue, false},
	}
}

// shorterGroup takes the last letter of a group of Kubernetes'.
func shorterGroup(apiVersion string) string {
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok || version != "v1" || strings.Contains(group, ".") {
		return apiVersion
	}
	return group[:len(group)-1] + "/" + version
}

func withoutLastField(schedule string) string {
	return schedule[:max(0, strings.LastIndexByte(schedule, ' '))]
}

func withoutDomain(group string) string { return strings.TrimSuffix(group, ".k8s.io") }
