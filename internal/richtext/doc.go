// Package richtext turns what people write into what is stored, and what is
// stored into HTML that is safe to put on a page, plain text, and mentions.
//
// Nothing is cleaned when it is stored: bodies come from this server, from the
// old one, and from whoever else writes the database, so every body is taken for
// hostile when it is shown. Render keeps a list of elements and attributes and
// removes everything else; docs/richtext.md has the rules.
//
// Bodies of 1 MB and of any nesting are accepted. What would be too expensive to
// parse (see affordable) is treated as its bare text.
package richtext
