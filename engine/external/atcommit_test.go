package external_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/external"
)

// chartReader reads a file of a chart's folder, as helm would.
type chartReader struct{ builder.Outside }

func (chartReader) Chart(_ context.Context, request builder.ChartRequest) ([]byte, error) {
	return os.ReadFile(filepath.Join(request.Dir, "cm.yaml"))
}

// TestChartsOfACommit holds that a chart of a commit is the commit's, also where
// the work tree has another.
func TestChartsOfACommit(t *testing.T) {
	dir, _ := gitRepository(t, repository)
	changed := filepath.Join(dir, "base", "cm.yaml")
	was, err := os.ReadFile(changed)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(changed, []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	commit, err := external.OpenCommit(context.Background(), dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	outside := external.NewAtCommit(chartReader{}, commit)
	got, err := outside.Chart(context.Background(), builder.ChartRequest{Dir: filepath.Join(commit.Root, "base")})
	if err != nil || string(got) != string(was) {
		t.Errorf("%q, %v", got, err)
	}
	if err := outside.Close(); err != nil {
		t.Error(err)
	}
}
