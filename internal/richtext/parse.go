package richtext

import (
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxBody is the longest body that is parsed as markup: what a form may send,
// twice over because escaping makes it longer. The rest is shown as bare text.
const maxBody = 2 << 20

var errTooExpensive = errors.New("richtext: body is too deep or too tangled to parse")

// parse returns a node whose children are the body, read as a browser reads the
// inside of <body>. Whatever the body, it takes time in proportion to its length.
func parse(body string) (root *html.Node, err error) {
	if !affordable(body) {
		return nil, errTooExpensive
	}
	defer func() {
		if recover() != nil { // the parser's answer to more than 512 open elements
			root, err = nil, errTooExpensive
		}
	}()
	context := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(body), context)
	if err != nil {
		return nil, err
	}
	root = &html.Node{Type: html.DocumentNode}
	for _, node := range nodes {
		root.AppendChild(node)
	}
	return root, nil
}

// mustParse is parse, with the bare text in place of what can't be parsed.
func mustParse(body string) *html.Node {
	root, err := parse(body)
	if err != nil {
		root = &html.Node{Type: html.DocumentNode}
		root.AppendChild(&html.Node{Type: html.TextNode, Data: bareText(body)})
	}
	return root
}

// valid replaces what is not UTF-8: foreign writers may store anything.
func valid(body string) string {
	if utf8.ValidString(body) {
		return body
	}
	return strings.ToValidUTF8(body, "\uFFFD")
}

// Below these nothing can become expensive, whatever it is.
const (
	cheapBytes = 8 << 10
	cheapTags  = 200
)

// maxCost bounds the steps of the parser, and the elements it opens again.
const maxCost = 400_000

// affordable reports whether building a tree of this body takes bounded time.
// The HTML algorithm is quadratic in places: each tag may search the stack of
// open elements, unclosed formatting is opened again in every new block, and
// repeated formatting compares all attributes with each other. So we count,
// without a tree, what is open at each tag.
func affordable(body string) bool {
	if len(body) <= cheapBytes && strings.Count(body, "<") <= cheapTags {
		return true
	}
	if len(body) > maxBody {
		return false
	}
	var meter costMeter
	tokens := html.NewTokenizer(strings.NewReader(body))
	for {
		kind := tokens.Next()
		switch kind {
		case html.ErrorToken:
			return true
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := tokens.TagName()
			attributes := 0
			tag := string(name)
			for more {
				_, _, more = tokens.TagAttr()
				attributes++
			}
			meter.open(tag, attributes)
		case html.EndTagToken:
			name, _ := tokens.TagName()
			meter.close(string(name))
		}
		meter.cost += meter.depth + meter.formatting
		if meter.cost > maxCost || meter.hopeless {
			return false
		}
	}
}

type costMeter struct {
	cost       int
	depth      int // open elements
	formatting int // open formatting elements
	sticky     bool
	hopeless   bool
	opened     map[string]int
}

func (m *costMeter) open(tag string, attributes int) {
	switch tagCosts[tag] {
	case hopelessTag:
		m.hopeless = true
	case stickyTag:
		m.sticky = true
	case voidTag:
		return
	case selfEndingTag:
		// A sibling ends it, so that it nests only as deep as other elements let it.
		return
	case formattingTag:
		m.cost += m.formatting * attributes * attributes
		m.formatting++
	}
	m.depth++
	if m.opened == nil {
		m.opened = map[string]int{}
	}
	m.opened[tag]++
}

// close lowers the counts. That of depth may end too low, where a cell keeps a
// closing tag from what it would close outside; the parser's own limit of 512
// open elements bounds that. That of formatting may not: nothing else bounds it.
func (m *costMeter) close(tag string) {
	if m.opened[tag] == 0 {
		return
	}
	if tagCosts[tag] == formattingTag {
		if m.sticky {
			return
		}
		m.formatting--
	}
	m.opened[tag]--
	m.depth--
}

type tagCost int

const (
	ordinaryTag   tagCost = iota
	formattingTag         // goes to the list that is opened again
	voidTag
	selfEndingTag
	stickyTag   // hides formatting from closing tags
	hopelessTag // changes how everything after it is read
)

var tagCosts = map[string]tagCost{}

func init() {
	for cost, tags := range map[tagCost]string{
		formattingTag: "a b big code em font i nobr s small strike strong tt u",
		voidTag:       "area base br col embed hr img input link meta param source track wbr",
		selfEndingTag: "p li dt dd option optgroup",
		stickyTag:     "applet button caption marquee object table tbody td tfoot th thead tr",
		hopelessTag:   "body frameset head html math plaintext select svg template",
	} {
		for _, tag := range strings.Fields(tags) {
			tagCosts[tag] = cost
		}
	}
}

// bareText returns the text between a body's tags, without scripts and styles.
func bareText(body string) string {
	var text strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(body))
	skip := false
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return text.String()
		case html.TextToken:
			if !skip {
				text.Write(tokens.Text())
			}
			skip = false
		case html.StartTagToken:
			name, _ := tokens.TagName()
			skip = string(name) == "script" || string(name) == "style"
		}
	}
}

// attribute returns the first attribute of that name.
func attribute(n *html.Node, name string) string {
	value, _ := lookup(n, name)
	return value
}

func lookup(n *html.Node, name string) (value string, found bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == name && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

func isElement(n *html.Node, name string) bool {
	return n.Type == html.ElementNode && n.Namespace == "" && n.Data == name
}
