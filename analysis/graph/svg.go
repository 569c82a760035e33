package graph

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
)

// WriteSVG writes the graph as a picture, which goes with a light or dark page.
func (g *Graph) WriteSVG(out io.Writer) error {
	l := g.Arrange()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img" aria-label="Include graph of kustomizations">`+"\n",
		l.Width, l.Height, l.Width, l.Height)
	b.WriteString(svgStyle)
	fmt.Fprintf(&b, `<rect class="page" width="%.0f" height="%.0f"/>`+"\n", l.Width, l.Height)
	for _, link := range l.Links {
		link.write(&b)
	}
	for _, c := range l.Cards {
		c.write(&b)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(out, b.String())
	return err
}

const svgStyle = `<style>
text { font: 11px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2937 }
.title { font-size: 12px; font-weight: 600 }
.heading { font-size: 9.5px; fill: #6b7280; letter-spacing: .03em }
.page { fill: #ffffff }
.card { fill: #f9fafb; stroke: #9ca3af }
.kustomization { fill: #dbeafe; stroke: #3b82f6 }
.component { fill: #ede9fe; stroke: #8b5cf6 }
.deployment { fill: #ccfbf1; stroke: #0d9488 }
.remote { fill: #f3f4f6; stroke: #6b7280; stroke-dasharray: 4 3 }
.missing { fill: #fee2e2; stroke: #ef4444 }
.dot-resource { fill: #9ca3af } .dot-patch { fill: #f59e0b } .dot-input { fill: #22c55e }
.dot-configuration { fill: #06b6d4 } .dot-remote { fill: #6b7280 } .dot-missing, .dot-error { fill: #ef4444 }
.dot-deployment { fill: #0d9488 } .dot-warning { fill: #f59e0b } .dot-kustomization { fill: #3b82f6 } .dot-component { fill: #8b5cf6 }
.link { fill: none; stroke: #9ca3af; stroke-width: 1.3 }
.link-component { stroke: #8b5cf6 }
.arrow { fill: #9ca3af } .arrow-component { fill: #8b5cf6 }
@media (prefers-color-scheme: dark) {
  text { fill: #e5e7eb } .heading { fill: #9ca3af } .page { fill: #111827 }
  .card { fill: #1f2937; stroke: #4b5563 } .kustomization { fill: #1e3a5f } .component { fill: #3b2a63 }
  .deployment { fill: #134e4a } .remote { fill: #1f2937 } .missing { fill: #551d1d } .link { stroke: #6b7280 } .link-component { stroke: #a78bfa }
}
</style>
`

func (link Link) write(b *strings.Builder) {
	x1, y1 := link.From.X+link.From.Width, link.From.Y+titleHeight/2
	x2, y2 := link.To.X, link.To.Y+link.Y
	bend := max(40, (x2-x1)/2)
	kind := ""
	if link.Field == "components" {
		kind = "component"
	}
	fmt.Fprintf(b, `<path class="link link-%s" d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f"><title>%s</title></path>`,
		kind, x1, y1, x1+bend, y1, x2-bend, y2, x2-6, y2, escape(link.From.Node.ID+" → "+link.To.Node.ID+" ("+link.Field+")"))
	fmt.Fprintf(b, `<path class="arrow arrow-%s" d="M%.1f %.1fl-7 -3.5v7z"/>`+"\n", kind, x2, y2)
}

func (c *Card) write(b *strings.Builder) {
	fmt.Fprintf(b, `<g transform="translate(%.1f %.1f)"><title>%s</title>`, c.X, c.Y, escape(c.Node.ID))
	fmt.Fprintf(b, `<rect class="card" width="%.1f" height="%.1f" rx="7"/>`, c.Width, c.Height)
	fmt.Fprintf(b, `<rect class="%s" width="%.1f" height="%.1f" rx="7"/>`, c.Node.Kind, c.Width, titleHeight)
	fmt.Fprintf(b, `<text class="title" x="%.1f" y="18">%s</text>`, padding, escape(c.Label))
	writeBadge(b, c.Node, c.Width-padding-2, titleHeight/2)
	for _, h := range c.Headings {
		fmt.Fprintf(b, `<text class="heading" x="%.1f" y="%.1f">%s</text>`, h.X, h.Y+14, escape(h.Label))
	}
	for _, r := range c.Rows {
		fmt.Fprintf(b, `<g><title>%s</title><circle class="dot-%s" cx="%.1f" cy="%.1f" r="3"/><text x="%.1f" y="%.1f">%s</text>`,
			escape(r.Node.ID), r.Node.Kind, r.X+4, r.Y+rowHeight/2, r.X+11, r.Y+13, escape(r.Label))
		writeBadge(b, r.Node, r.X+r.Width, r.Y+rowHeight/2)
		b.WriteString("</g>")
	}
	b.WriteString("</g>\n")
}

// writeBadge marks a node with an error or a warning.
func writeBadge(b *strings.Builder, n *Node, x, y float64) {
	if worst := n.Worst(); worst >= analysis.Warning {
		fmt.Fprintf(b, `<circle class="dot-%s" cx="%.1f" cy="%.1f" r="4"/>`, worst, x, y)
	}
}

// escape makes a text stand for itself in XML, which some characters cannot.
func escape(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return '�'
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
	return html.EscapeString(text)
}
