package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// source is what only the Go source of k8s.io/api tells.
type source struct {
	enums map[string]map[string][]string // values by definition and field
	lives map[groupVersionKind]life
}

// life says in which minor version 1.N an API version is deprecated, and in which it is gone. Kubernetes' own
// prerelease-lifecycle-gen makes these from tags at the types.
type life struct {
	deprecated, removed int
	successor           groupVersionKind
}

// selectorOperators are validated like an enumeration, and not marked as one.
var selectorOperators = []string{"", "DoesNotExist", "Exists", "In", "NotIn"}

// closed are types without the mark of an enumeration whose values the API server's validation nevertheless refuses
// unless they are among the constants.
var closed = []string{
	"io.k8s.api.autoscaling.v2.HPAScalingPolicyType",
	"io.k8s.api.autoscaling.v2.MetricSourceType",
	"io.k8s.api.autoscaling.v2.MetricTargetType",
	"io.k8s.api.autoscaling.v2.ScalingPolicySelect",
}

// readSource reads every GROUP/VERSION folder of the module.
func readSource(dir string) (*source, error) {
	folders, err := filepath.Glob(filepath.Join(dir, "*", "v[0-9]*"))
	if err != nil {
		return nil, err
	}
	var packages []*goPackage
	enumsByType, constants := map[string][]string{}, map[string]string{}
	s := &source{map[string]map[string][]string{}, map[groupVersionKind]life{}}
	for _, folder := range folders {
		p, err := readPackage(folder)
		if err != nil {
			return nil, err
		}
		packages = append(packages, p)
		p.collectConstants(constants)
	}
	for _, p := range packages {
		p.collectEnums(enumsByType, constants)
		p.collectLives(s.lives)
	}
	for _, p := range packages {
		p.collectFields(enumsByType, s.enums)
	}
	s.enums[meta+"LabelSelectorRequirement"] = map[string][]string{"operator": selectorOperators}
	return s, nil
}

// goPackage is the source of the types of one API version.
type goPackage struct {
	name  string // apps/v1
	group string // the group's name, empty for the core
	files []*ast.File
}

func readPackage(folder string) (*goPackage, error) {
	p := &goPackage{name: path.Join(filepath.Base(filepath.Dir(folder)), filepath.Base(folder))}
	entries, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		base := filepath.Base(entry)
		relevant := strings.HasSuffix(base, "types.go") || base == "register.go" ||
			strings.HasSuffix(base, ".prerelease-lifecycle.go")
		if !relevant {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), entry, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, file)
	}
	p.eachConstant(nil, func(name, typeName, value string, known bool) {
		if name == "GroupName" {
			p.group = value
		}
	})
	return p, nil
}

// definitionName is the name that OpenAPI gives a type of a package of k8s.io/api.
func definitionName(packageName, typeName string) string {
	return "io.k8s.api." + strings.ReplaceAll(packageName, "/", ".") + "." + typeName
}

func (p *goPackage) collectConstants(constants map[string]string) {
	p.eachConstant(nil, func(name, _, value string, known bool) {
		if known {
			constants[definitionName(p.name, name)] = value
		}
	})
}

// collectEnums finds the values of enumerations. One with a value that cannot be told is left out: the rest of its
// values would be taken for all.
func (p *goPackage) collectEnums(byType map[string][]string, constants map[string]string) {
	marked, unknown := map[string]bool{}, map[string]bool{}
	p.eachType(func(spec *ast.TypeSpec, doc *ast.CommentGroup) {
		if hasLine(doc, "+enum") || slices.Contains(closed, definitionName(p.name, spec.Name.Name)) {
			marked[spec.Name.Name] = true
		}
	})
	p.eachConstant(constants, func(_, typeName, value string, known bool) {
		if marked[typeName] {
			name := definitionName(p.name, typeName)
			byType[name] = append(byType[name], value)
			if !known {
				unknown[typeName] = true
			}
		}
	})
	for typeName := range marked {
		name := definitionName(p.name, typeName)
		if unknown[typeName] {
			delete(byType, name)
			continue
		}
		values := append(byType[name], "")
		slices.Sort(values)
		byType[name] = slices.Compact(values)
	}
}

// collectFields finds the fields whose type, or whose entries' type, is an enumeration.
func (p *goPackage) collectFields(byType map[string][]string, enums map[string]map[string][]string) {
	structures := map[string]*ast.StructType{}
	imports := map[string]string{}
	for _, file := range p.files {
		maps.Copy(imports, importedPackages(file))
	}
	p.eachType(func(spec *ast.TypeSpec, _ *ast.CommentGroup) {
		if structure, ok := spec.Type.(*ast.StructType); ok {
			structures[spec.Name.Name] = structure
		}
	})
	for name, structure := range structures {
		fields := map[string][]string{}
		p.addFields(structure, structures, imports, byType, fields)
		if len(fields) > 0 {
			enums[definitionName(p.name, name)] = fields
		}
	}
}

// addFields looks into embedded structs as well, for their fields are fields of the one that embeds them.
func (p *goPackage) addFields(
	structure *ast.StructType, structures map[string]*ast.StructType, imports map[string]string,
	byType, fields map[string][]string,
) {
	for _, field := range structure.Fields.List {
		if embedded, ok := field.Type.(*ast.Ident); ok && len(field.Names) == 0 && structures[embedded.Name] != nil {
			p.addFields(structures[embedded.Name], structures, imports, byType, fields)
			continue
		}
		values, name := byType[p.typeName(field.Type, imports)], jsonName(field)
		if len(values) > 1 && name != "" {
			fields[name] = values
		}
	}
}

// typeName returns the definition of a type, of what it points to, or of its entries.
func (p *goPackage) typeName(expression ast.Expr, imports map[string]string) string {
	switch e := expression.(type) {
	case *ast.Ident:
		return definitionName(p.name, e.Name)
	case *ast.StarExpr:
		return p.typeName(e.X, imports)
	case *ast.ArrayType:
		return p.typeName(e.Elt, imports)
	case *ast.SelectorExpr:
		if from, ok := e.X.(*ast.Ident); ok && imports[from.Name] != "" {
			return definitionName(imports[from.Name], e.Sel.Name)
		}
	}
	return ""
}

// importedPackages returns the packages of k8s.io/api that a file imports, by the name it gives them.
func importedPackages(file *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		if name, ok := strings.CutPrefix(imported, "k8s.io/api/"); ok {
			local := path.Base(name)
			if spec.Name != nil {
				local = spec.Name.Name
			}
			imports[local] = name
		}
	}
	return imports
}

func jsonName(field *ast.Field) string {
	if field.Tag == nil {
		return ""
	}
	tag, _ := strconv.Unquote(field.Tag.Value)
	name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return name
}

// collectLives evaluates the functions that prerelease-lifecycle-gen wrote.
func (p *goPackage) collectLives(lives map[groupVersionKind]life) {
	for _, file := range p.files {
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok || function.Recv == nil || !strings.HasPrefix(function.Name.Name, "APILifecycle") {
				continue
			}
			kind := groupVersionKind{p.group, path.Base(p.name), receiver(function)}
			l := lives[kind]
			returned := function.Body.List[0].(*ast.ReturnStmt).Results
			switch function.Name.Name {
			case "APILifecycleDeprecated":
				l.deprecated = number(returned[1])
			case "APILifecycleRemoved":
				l.removed = number(returned[1])
			case "APILifecycleReplacement":
				l.successor = literalKind(returned[0])
			}
			lives[kind] = l
		}
	}
}

func receiver(function *ast.FuncDecl) string {
	return function.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
}

func number(expression ast.Expr) int {
	n, _ := strconv.Atoi(expression.(*ast.BasicLit).Value)
	return n
}

func literalKind(expression ast.Expr) (kind groupVersionKind) {
	for _, element := range expression.(*ast.CompositeLit).Elts {
		pair := element.(*ast.KeyValueExpr)
		value, _ := strconv.Unquote(pair.Value.(*ast.BasicLit).Value)
		switch pair.Key.(*ast.Ident).Name {
		case "Group":
			kind.Group = value
		case "Version":
			kind.Version = value
		case "Kind":
			kind.Kind = value
		}
	}
	// One tag in Kubernetes names the list of what it means.
	kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	return kind
}

func (p *goPackage) eachType(use func(*ast.TypeSpec, *ast.CommentGroup)) {
	for _, file := range p.files {
		eachTypeOf(file, use)
	}
}

func eachTypeOf(file *ast.File, use func(*ast.TypeSpec, *ast.CommentGroup)) {
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok || general.Tok != token.TYPE {
			continue
		}
		for _, spec := range general.Specs {
			typeSpec := spec.(*ast.TypeSpec)
			doc := typeSpec.Doc
			if doc == nil {
				doc = general.Doc
			}
			use(typeSpec, doc)
		}
	}
}

// eachConstant gives the constants that have a type or a text, and their texts as far as they are known: of constants
// of other packages these are.
func (p *goPackage) eachConstant(constants map[string]string, use func(name, typeName, value string, known bool)) {
	for _, file := range p.files {
		imports := importedPackages(file)
		for _, declaration := range file.Decls {
			general, ok := declaration.(*ast.GenDecl)
			if !ok || general.Tok != token.CONST {
				continue
			}
			for _, spec := range general.Specs {
				constant := spec.(*ast.ValueSpec)
				for i, value := range constant.Values {
					typeName, value := typed(constant.Type, value)
					text, ok := constantString(value, imports, constants)
					if ok || typeName != "" {
						use(constant.Names[i].Name, typeName, text, ok)
					}
				}
			}
		}
	}
}

// typed takes `T = v`, `= T(v)` and `= v` apart.
func typed(declared, value ast.Expr) (typeName string, inner ast.Expr) {
	if conversion, isCall := value.(*ast.CallExpr); isCall && len(conversion.Args) == 1 {
		declared, value = conversion.Fun, conversion.Args[0]
	}
	if identifier, named := declared.(*ast.Ident); named {
		typeName = identifier.Name
	}
	return typeName, value
}

// constantString evaluates `"text"` and `package.Constant`.
func constantString(value ast.Expr, imports, constants map[string]string) (text string, ok bool) {
	switch e := value.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.SelectorExpr:
		if from, named := e.X.(*ast.Ident); named && imports[from.Name] != "" {
			text, ok = constants[definitionName(imports[from.Name], e.Sel.Name)]
		}
	}
	return text, ok
}

func hasLine(doc *ast.CommentGroup, wanted string) bool {
	if doc == nil {
		return false
	}
	return slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		return strings.TrimSpace(strings.TrimPrefix(c.Text, "//")) == wanted
	})
}
