package house

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// banned are phrases that do not read as English that a technical writer would write, each with what to write
// instead. docs/style.md says how messages are worded.
var banned = []struct {
	pattern, instead string
	// except are matches that are fine.
	except string
}{
	{pattern: `\b(is|are) none\b`, instead: "is not a …, or: no … matches"},
	{pattern: `\b(tells?|told) of\b`, instead: "reports, describes"},
	{pattern: `(\bthere )?\b(is|are|was|were) no ([a-z]+)`, except: `(?i)^there |no (longer|more|fewer|less|different|better|worse|such)$`, instead: "is not a …"},
	{pattern: `\bstands? behind\b`, instead: "follows, backs"},
	{pattern: `\bof (which|whom)\b`, instead: "whose, or a new sentence"},
	{pattern: `\b1 (builds?|fails?)\b`, instead: "1 built, 1 failed"},
	{pattern: `\bbroke down\b`, instead: "crashed"},
	{pattern: `\bon another way\b`, instead: "another way"},
	{pattern: `\bnothing that has\b`, instead: "no … has"},
	{pattern: `\bwhat is found of\b`, instead: "the findings"},
	{pattern: `\b(is|are|be) told\b`, instead: "is reported"},
	{pattern: `\bof a last\b`, instead: "of the last"},
	{pattern: `\b(not|no) [^.;,]{0,40}\bany more\b`, instead: "no longer"},
	{pattern: `\b(hold|holds|held) (it|them|[a-z ]{1,30}) against\b`, instead: "validate against, compare with"},
	{pattern: `\bthat there (is|are)\b`, instead: "every …, all …"},
	{pattern: `\bas bad as\b`, instead: "of this severity or higher"},
	{pattern: `\bTell (what|which|where|whether|how|why)\b`, instead: "Show, list, report"},
	{pattern: `\bmust needs\b|\bthereof\b|\bwherein\b`, instead: "today's English"},
}

// unswept are the folders and files whose words nobody has gone through yet. It only ever gets shorter: one without a
// banned phrase left is an error, too.
var unswept = []string{
	"CHANGELOG.md",
}

// TestWords finds banned phrases in what people read: the strings of the commands, the server and the engine, the
// pages, and what editors show.
func TestWords(t *testing.T) {
	root := filepath.Join("..", "..")
	left := map[string]int{}
	check := func(path string, line int, text string) {
		for _, found := range bannedIn(text) {
			if area := unsweptArea(path); area != "" {
				left[area]++
				continue
			}
			t.Errorf("%s:%d: %s", path, line, found)
		}
	}
	for _, path := range trackedFiles(t, root) {
		switch {
		case strings.HasPrefix(path, "internal/") || strings.Contains(path, "testdata/") || strings.HasSuffix(path, "_test.go"):
		case strings.HasSuffix(path, ".go"):
			goStrings(t, root, path, check)
		case strings.HasSuffix(path, ".md") && path != "docs/style.md": // which quotes what not to write
			markdownLines(t, root, path, check)
		}
	}
	for _, area := range unswept {
		if left[area] == 0 {
			t.Errorf("%s has no banned phrase left: take it off the list of what is not swept yet", area)
		}
	}
}

// TestBanned tries the patterns: a list that finds nothing would pass any text.
func TestBanned(t *testing.T) {
	for _, text := range []string{"app is no label", "there is none", "tells of a mistake", "two fields, of which one", "1 builds, 1 fails",
		"kls broke down", "Tell which roots", "is no root any more", "the error is told once"} {
		if len(bannedIn(text)) == 0 {
			t.Errorf("%q is not found", text)
		}
	}
	for _, text := range []string{"it is no longer used", "there is no such file", "There are no bases", "is not a valid label", "1 built"} {
		if found := bannedIn(text); len(found) > 0 {
			t.Errorf("%q: %v", text, found)
		}
	}
}

var bannedPatterns = func() (compiled []*regexp.Regexp) {
	for _, b := range banned {
		compiled = append(compiled, regexp.MustCompile(`(?i:`+b.pattern+`)`))
	}
	return compiled
}()

// bannedIn describes the banned phrases of a text.
func bannedIn(text string) (found []string) {
	for i, b := range banned {
		for _, match := range bannedPatterns[i].FindAllString(text, -1) {
			if b.except != "" && regexp.MustCompile(b.except).MatchString(match) {
				continue
			}
			found = append(found, strconv.Quote(match)+" in "+strconv.Quote(shortened(text))+"; rather: "+b.instead)
		}
	}
	return found
}

func shortened(text string) string {
	if len(text) > 160 {
		return text[:160] + "…"
	}
	return text
}

func unsweptArea(path string) string {
	for _, area := range unswept {
		if path == area || strings.HasPrefix(path, area+"/") {
			return area
		}
	}
	return ""
}

func trackedFiles(t *testing.T, root string) []string {
	t.Helper()
	listed, err := exec.Command("git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skip("not a git checkout: ", err) // a release's source archive has no list of files
	}
	return strings.Fields(string(listed))
}

// goStrings hands over the string literals of a file, except import paths and struct tags.
func goStrings(t *testing.T, root, path string, check func(path string, line int, text string)) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(root, path))
	if os.IsNotExist(err) {
		return // removed, and git does not know yet
	}
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				text, _ := strconv.Unquote(n.Value)
				check(path, files.Position(n.Pos()).Line, text)
			}
		}
		return true
	})
}

// markdownLines hands over the lines of a page, joined with the next one where a phrase may be broken, without what
// stands in code blocks.
func markdownLines(t *testing.T, root, path string, check func(path string, line int, text string)) {
	t.Helper()
	file, err := os.Open(filepath.Join(root, path))
	if os.IsNotExist(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var paragraph []string
	start, number, fenced := 1, 0, false
	flush := func() {
		if len(paragraph) > 0 {
			check(path, start, strings.Join(paragraph, " "))
		}
		paragraph = nil
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		number++
		line := strings.TrimSpace(lines.Text())
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			fenced = !fenced
		case fenced:
		case line == "":
			flush()
		default:
			if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#") {
				flush()
			}
			if len(paragraph) == 0 {
				start = number
			}
			paragraph = append(paragraph, line)
		}
	}
	flush()
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
