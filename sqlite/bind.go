package sqlite

import (
	"fmt"
	"math"
	"reflect"
)

// bind sets all parameters of st.
func (st *stmt) bind(args []any) error {
	if len(args) != st.params {
		return st.bindError(codeRange, fmt.Sprintf("%d arguments for %d parameters", len(args), st.params))
	}
	for i, arg := range args {
		if err := st.bindOne(i+1, arg); err != nil {
			return err
		}
	}
	return nil
}

func (st *stmt) bindOne(i int, arg any) error {
	switch v := arg.(type) {
	case nil:
		st.bindNull(i)
	case int64:
		st.bindInt(i, v)
	case int:
		st.bindInt(i, int64(v))
	case string:
		st.bindText(i, v)
	case []byte:
		st.bindBytes(i, v)
	case bool:
		st.bindBool(i, v)
	case float64:
		st.bindFloat(i, v)
	default:
		return st.bindKind(i, reflect.ValueOf(arg))
	}
	return nil
}

// bindKind binds values of named types, and the rarer numbers.
func (st *stmt) bindKind(i int, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		st.bindInt(i, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if v.Uint() > math.MaxInt64 {
			return st.bindError(codeRange, fmt.Sprintf("argument %d: %d is more than 63 bits", i, v.Uint()))
		}
		st.bindInt(i, int64(v.Uint()))
	case reflect.String:
		st.bindText(i, v.String())
	case reflect.Bool:
		st.bindBool(i, v.Bool())
	case reflect.Float32, reflect.Float64:
		st.bindFloat(i, v.Float())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			st.bindBytes(i, v.Bytes())
			return nil
		}
		fallthrough
	default:
		return st.bindError(codeMisuse, fmt.Sprintf("argument %d: can't store a %s", i, v.Type()))
	}
	return nil
}

func (st *stmt) bindBool(i int, v bool) {
	n := int64(0)
	if v {
		n = 1
	}
	st.bindInt(i, n)
}

func (st *stmt) bindBytes(i int, v []byte) {
	if v == nil {
		st.bindNull(i)
		return
	}
	st.bindBlob(i, v)
}

func (st *stmt) bindError(code int, message string) error {
	return &Error{Code: code, ExtendedCode: code, Op: "bind", Message: message, SQL: st.sql}
}
