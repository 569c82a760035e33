package builder

import (
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/transform"
)

// What a build hands out, under one roof: the rooms that make it are not for those who look at it.
type (
	ChartRequest    = load.ChartRequest
	Code            = problem.Code
	Feature         = trace.Feature
	Fix             = problem.Fix
	FunctionRequest = load.FunctionRequest
	FunctionResult  = load.FunctionResult
	GeneratorFact   = trace.GeneratorFact
	Guess           = problem.Guess
	ImageFact       = trace.ImageFact
	Included        = trace.Included
	Input           = trace.Input
	KeyFact         = trace.KeyFact
	Layer           = trace.Layer
	Limits          = load.Limits
	Loaded          = transform.Loaded
	Moment          = transform.Moment
	Outside         = load.Outside
	Overlay         = load.Overlay
	PatchFact       = trace.PatchFact
	Problem         = problem.Problem
	Recorder        = trace.Recorder
	Related         = problem.Related
	ReplacementFact = trace.ReplacementFact
	Root            = load.Root
	Step            = trace.Step
	VarFact         = trace.VarFact
)
