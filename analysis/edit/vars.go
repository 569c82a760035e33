package edit

import "context"

func (x *Fixer) fixVars(ctx context.Context, f *File) ([]Step, *File, error) {
	return nil, f, nil
}
