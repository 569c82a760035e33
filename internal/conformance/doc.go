// Command conformance runs kustomize's own tests against the engine.
//
// It copies the module sigs.k8s.io/kustomize/api, at the version that go.mod names, out of the module cache into a
// temporary folder, replaces the one file krusty/kustomizer.go by a wrapper around package adapter, which calls our
// engine in the same process, and runs the tests of package krusty there. Nothing of upstream is kept in this
// repository, and no test is edited.
//
// # Classes
//
// baseline.txt says what the real kustomizer.go makes of every test, one test a line, in one of three classes:
//
//	passes       it passes, and does not look at the wording of an error
//	wording      it passes, and fails once every error text is replaced by another one
//	environment  it fails or is skipped here, since it needs docker, helm, the network or a compiled plugin
//
// The classes are found by running, not by reading: `conformance -baseline` runs the tests with the real file, then
// again with the real file behind a wrapper that replaces the text of every error, and writes the file anew.
//
// # What is held
//
// The tests run three times. The first run is the engine as it is. In the second, `lent`, a build that both the engine and
// the real kustomizer refuse returns the error of the real one, so that a test of class wording passes exactly if the
// engine refuses what it asks to be refused; our own words are our own business.
//
// In a third run each tree that is built is built by the real kustomizer too, with transformer annotations, and what
// analysis/explain says of every resource is held against them; the outcomes of the tests do not count.
//
// A test of class passes has to pass in the first run, one of class wording in the second, unless
// expected-failures.txt names it with a reason. A test that is named there and passes is an error as well. Tests of
// class environment are counted and never judged.
package main
