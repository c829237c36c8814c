package view

import (
	"embed"
	"strings"
)

//go:embed stencils/*.html
var stencilFiles embed.FS

// A stencil is HTML with holes, written [[name]]. It is for the two halves of a
// room's page, which are shown so often that html/template would be most of
// their cost. Whoever fills a hole escapes what comes from people; every hole is
// in text or in a quoted attribute, where escape suffices.
type stencil struct {
	texts []string // before each hole, and after the last one
	holes []string
}

// cut makes a stencil of a file, with the process's constants filled in.
func cut(name string, constants *strings.Replacer) stencil {
	text := strings.TrimSuffix(string(must(stencilFiles.ReadFile("stencils/"+name+".html"))), "\n")
	var st stencil
	for text = constants.Replace(text); ; {
		before, after, found := strings.Cut(text, "[[")
		st.texts = append(st.texts, before)
		if !found {
			return st
		}
		hole, rest, _ := strings.Cut(after, "]]")
		st.holes = append(st.holes, hole)
		text = rest
	}
}

// appendTo appends the stencil's text and, at each hole, what fill appends.
func (st *stencil) appendTo(dst []byte, fill func(dst []byte, hole string) []byte) []byte {
	for i, hole := range st.holes {
		dst = append(dst, st.texts[i]...)
		dst = fill(dst, hole)
	}
	return append(dst, st.texts[len(st.holes)]...)
}
