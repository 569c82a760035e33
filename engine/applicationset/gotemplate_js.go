package applicationset

// goTemplates is nothing in a browser: text/template keeps every method of every type in the binary, which would be half as
// large again.
type goTemplates struct{}

func (r *renderer) execute(string, Values) (string, error) {
	return "", unknown("Go templates are not run in the browser")
}
