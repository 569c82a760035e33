package main

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// The plot has logarithmic axes, in which a straight line is a power law. Lengths are in the SVG's own units.
const (
	plotWidth, plotHeight = 720.0, 420.0
	marginLeft            = 70.0
	marginRight           = 150.0
	marginBottom          = 50.0
	marginTop             = 20.0
)

// line is one line of the plot.
type line struct {
	name, color string
	points      []point
}

type point struct{ resources, seconds float64 }

// plotted draws the times of one series over the number of resources.
func plotted(s series) string {
	lines := []line{{name: "kustomize build", color: "#d1242f"}, {name: "kls build", color: "#1a7f37"}, {name: "read and print", color: "#7d8590"}}
	for _, r := range s.rows {
		add := func(i int, took time.Duration) {
			lines[i].points = append(lines[i].points, point{float64(r.resources), took.Seconds()})
		}
		if r.kustomize != nil {
			add(0, r.kustomize.theirs)
		}
		add(1, r.floor.ours)
		add(2, r.floor.theirs)
	}
	a := newAxes(lines)
	var svg strings.Builder
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="12">`+"\n", plotWidth, plotHeight)
	// GitHub shows the picture on white and on black.
	fmt.Fprintf(&svg, `<rect width="%g" height="%g" fill="#ffffff"/>`+"\n", plotWidth, plotHeight)
	a.draw(&svg)
	for _, l := range lines {
		a.drawLine(&svg, l)
	}
	svg.WriteString("</svg>\n")
	return svg.String()
}

// axes are the decades that the plot spans.
type axes struct{ left, right, bottom, top int }

func newAxes(lines []line) axes {
	a := axes{math.MaxInt, math.MinInt, math.MaxInt, math.MinInt}
	for _, l := range lines {
		for _, p := range l.points {
			x, y := math.Log10(p.resources), math.Log10(p.seconds)
			a.left, a.right = min(a.left, int(math.Floor(x))), max(a.right, int(math.Ceil(x)))
			a.bottom, a.top = min(a.bottom, int(math.Floor(y))), max(a.top, int(math.Ceil(y)))
		}
	}
	return a
}

func (a axes) x(resources float64) float64 {
	return marginLeft + (math.Log10(resources)-float64(a.left))/float64(max(a.right-a.left, 1))*(plotWidth-marginLeft-marginRight)
}

func (a axes) y(seconds float64) float64 {
	return plotHeight - marginBottom - (math.Log10(seconds)-float64(a.bottom))/float64(max(a.top-a.bottom, 1))*(plotHeight-marginBottom-marginTop)
}

func (a axes) draw(svg *strings.Builder) {
	for decade := a.left; decade <= a.right; decade++ {
		x := a.x(math.Pow10(decade))
		fmt.Fprintf(svg, `<line x1="%.1f" y1="%g" x2="%.1f" y2="%g" stroke="#e0e0e0"/>`+"\n", x, marginTop, x, plotHeight-marginBottom)
		fmt.Fprintf(svg, `<text x="%.1f" y="%g" text-anchor="middle">%.0f</text>`+"\n", x, plotHeight-marginBottom+18, math.Pow10(decade))
	}
	for decade := a.bottom; decade <= a.top; decade++ {
		y := a.y(math.Pow10(decade))
		fmt.Fprintf(svg, `<line x1="%g" y1="%.1f" x2="%g" y2="%.1f" stroke="#e0e0e0"/>`+"\n", marginLeft, y, plotWidth-marginRight, y)
		fmt.Fprintf(svg, `<text x="%g" y="%.1f" text-anchor="end">%g s</text>`+"\n", marginLeft-8, y+4, math.Pow10(decade))
	}
	fmt.Fprintf(svg, `<text x="%g" y="%g" text-anchor="middle">rendered resources</text>`+"\n", (marginLeft+plotWidth-marginRight)/2, plotHeight-12)
}

func (a axes) drawLine(svg *strings.Builder, l line) {
	if len(l.points) == 0 {
		return
	}
	var path []string
	for _, p := range l.points {
		path = append(path, fmt.Sprintf("%.1f,%.1f", a.x(p.resources), a.y(p.seconds)))
		fmt.Fprintf(svg, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", a.x(p.resources), a.y(p.seconds), l.color)
	}
	last := l.points[len(l.points)-1]
	fmt.Fprintf(svg, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.Join(path, " "), l.color)
	fmt.Fprintf(svg, `<text x="%.1f" y="%.1f" fill="%s">%s</text>`+"\n", a.x(last.resources)+8, a.y(last.seconds)+4, l.color, l.name)
}
