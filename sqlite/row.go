package sqlite

import (
	"fmt"
	"slices"
)

// Row is the current row of a query. Columns count from 0. A Row that is used
// after its function has returned, or asked for a column that the query does
// not have, panics: both are slips of the program.
type Row struct {
	st  *stmt
	row uint64
}

// Int returns column i as an integer: 0 for NULL, as much as looks like a
// number for text.
func (r Row) Int(i int) int64 { return r.at(i).columnInt(i) }

// Float returns column i as a float: 0 for NULL.
func (r Row) Float(i int) float64 { return r.at(i).columnFloat(i) }

// Bool reports whether column i is a number other than 0.
func (r Row) Bool(i int) bool { return r.at(i).columnInt(i) != 0 }

// Null reports whether column i is NULL.
func (r Row) Null(i int) bool { return r.at(i).columnNull(i) }

// Text returns a copy of column i: "" for NULL.
func (r Row) Text(i int) string { return r.at(i).columnText(i) }

// AppendText appends the text of column i to dst.
func (r Row) AppendText(dst []byte, i int) []byte {
	st := r.at(i)
	n := st.columnLen(i)
	dst = slices.Grow(dst, n)
	n = st.columnBytes(i, dst[len(dst):len(dst)+n])
	return dst[:len(dst)+n]
}

// Bytes returns a copy of column i: nil for NULL.
func (r Row) Bytes(i int) []byte {
	st := r.at(i)
	if st.columnNull(i) {
		return nil
	}
	b := make([]byte, st.columnLen(i))
	return b[:st.columnBytes(i, b)]
}

// Columns returns how many columns the row has.
func (r Row) Columns() int { return r.st.cols }

func (r Row) at(i int) *stmt {
	if r.row != r.st.row {
		panic("sqlite: Row used after its function returned")
	}
	if uint(i) >= uint(r.st.cols) {
		panic(fmt.Sprintf("sqlite: column %d of a row that has %d, in %q", i, r.st.cols, r.st.sql))
	}
	return r.st
}
