package explain

// Encoder makes explanations ready for encoding/json. Lines and columns are 1-based,
// columns count code points. A value is null where the field is not there.
type Encoder struct {
	// File names a file, which it is given by its absolute path.
	File func(path string) string
}

// What an Encoder makes.
type (
	// JSONExplanation is an Explanation.
	JSONExplanation struct {
		Resource string     `json:"resource"`
		Field    string     `json:"field"`
		Value    any        `json:"value"`
		Written  *JSONPlace `json:"written"`
		Steps    []JSONStep `json:"steps"`
	}
	// JSONStep is a Step.
	JSONStep struct {
		Transformer string `json:"transformer"`
		File        string `json:"file"`
		Line        int    `json:"line"`
		Before      any    `json:"before"`
		After       any    `json:"after"`
		// Deployment is the one in whose object File is; Variables are those that it
		// substituted.
		Deployment string         `json:"deployment,omitempty"`
		Variables  []JSONVariable `json:"variables,omitempty"`
	}
	// JSONVariable is a Variable.
	JSONVariable struct {
		Name       string     `json:"name"`
		Expression string     `json:"expression"`
		Written    *JSONPlace `json:"written"`
		From       string     `json:"from,omitempty"`
		Deployment string     `json:"deployment,omitempty"`
	}
	// JSONPlace is a Place that is known.
	JSONPlace struct {
		File   string `json:"file"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
	}
	// JSONOrigin is an Origin.
	JSONOrigin struct {
		Resource string     `json:"resource"`
		Read     *JSONPlace `json:"read"`
		Included *JSONPlace `json:"included"`
	}
	// JSONUse is what becomes of a line in the root of a folder.
	JSONUse struct {
		Root    string            `json:"root"`
		Dropped bool              `json:"dropped,omitempty"`
		Fields  []JSONExplanation `json:"fields"`
	}
)

// Place returns nil for what was written nowhere.
func (j Encoder) Place(p Place) *JSONPlace {
	if !p.Known() {
		return nil
	}
	return &JSONPlace{j.File(p.File), p.Line, p.Column}
}

// Origins encodes a table of resources.
func (j Encoder) Origins(origins []Origin) []JSONOrigin {
	list := make([]JSONOrigin, len(origins))
	for i, o := range origins {
		list[i] = JSONOrigin{o.Resource, j.Place(o.Read), j.Place(o.Included)}
	}
	return list
}

// Explanation encodes one.
func (j Encoder) Explanation(e *Explanation) JSONExplanation {
	encoded := JSONExplanation{e.Resource, e.Field, e.Value.Data(), j.Place(e.Written), []JSONStep{}}
	for _, s := range e.Steps {
		step := JSONStep{Transformer: s.Transformer, Line: s.Place.Line, Before: s.Before.Data(), After: s.After.Data(),
			Deployment: s.Deployment, Variables: j.Variables(s.Variables)}
		if s.Place.Known() {
			step.File = j.File(s.Place.File)
		}
		encoded.Steps = append(encoded.Steps, step)
	}
	return encoded
}

// Variables encodes variables; nil for none.
func (j Encoder) Variables(variables []Variable) []JSONVariable {
	var list []JSONVariable
	for _, v := range variables {
		list = append(list, JSONVariable{v.Name, v.Expression, j.Place(v.Written), v.From, v.Deployment})
	}
	return list
}

// Uses encodes what becomes of a line in each root.
func (j Encoder) Uses(uses []*Use) []JSONUse {
	list := make([]JSONUse, len(uses))
	for i, u := range uses {
		list[i] = JSONUse{j.File(u.Dir), u.Dropped, []JSONExplanation{}}
		for _, e := range u.Fields {
			list[i].Fields = append(list[i].Fields, j.Explanation(e))
		}
	}
	return list
}
