package main

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// How deep messages are nested in messages: recursive types end here.
const depthMax = 9

const largestExactInteger = 1<<53 - 1

// filling decides what a field of a sample holds.
type filling interface {
	// keep says whether something optional is set at all.
	keep() bool
	// length of a list or map.
	length() int
	text(path string) string
	integer(max int64) int64
	truth() bool
	moment() time.Time
	document() string
}

// fill sets every field of a message that travels on the wire.
func fill(value reflect.Value, path string, depth int, with filling) {
	if fillSpecial(value, path, with) {
		return
	}
	switch value.Kind() {
	case reflect.String:
		value.SetString(with.text(path))
	case reflect.Bool:
		value.SetBool(with.truth())
	case reflect.Int32:
		value.SetInt(with.integer(1<<31 - 1))
	case reflect.Int64:
		value.SetInt(with.integer(largestExactInteger))
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(value.Elem(), path, depth, with)
	case reflect.Slice:
		fillSlice(value, path, depth, with)
	case reflect.Map:
		value.Set(reflect.MakeMap(value.Type()))
		for i := range with.length() {
			item := reflect.New(value.Type().Elem()).Elem()
			fill(item, fmt.Sprintf("%s{%d}", path, i), depth+1, with)
			value.SetMapIndex(reflect.ValueOf(with.text(fmt.Sprintf("%s-key-%d", path, i))).Convert(value.Type().Key()), item)
		}
	case reflect.Struct:
		fillStruct(value, path, depth, with)
	default:
		panic(fmt.Sprintf("%s: nothing fills a %s", path, value.Type()))
	}
}

func fillSlice(value reflect.Value, path string, depth int, with filling) {
	if value.Type().Elem().Kind() == reflect.Uint8 {
		value.SetBytes([]byte(with.text(path)))
		return
	}
	length := with.length()
	value.Set(reflect.MakeSlice(value.Type(), length, length))
	for i := range length {
		fill(value.Index(i), fmt.Sprintf("%s[%d]", path, i), depth+1, with)
	}
}

func fillStruct(value reflect.Value, path string, depth int, with filling) {
	for i := range value.NumField() {
		field := value.Type().Field(i)
		if _, oneof := field.Tag.Lookup("protobuf_oneof"); oneof {
			fillOneof(value, i, depth, with)
			continue
		}
		tag, onWire := field.Tag.Lookup("protobuf")
		if !onWire || tag == "-" {
			continue
		}
		required := strings.Contains(tag, ",req,")
		kind := field.Type.Kind()
		optional := kind == reflect.Pointer || kind == reflect.Slice || kind == reflect.Map
		if !required && optional && (depth >= depthMax || !with.keep()) {
			continue
		}
		fill(value.Field(i), path+"."+field.Name, depth+1, with)
	}
}

// fillOneof picks one of the wrapper types that the message's own method lists.
func fillOneof(value reflect.Value, index int, depth int, with filling) {
	listed := value.Addr().MethodByName("XXX_OneofWrappers").Call(nil)[0].Interface().([]any)
	if !with.keep() {
		return
	}
	wrapper := reflect.New(reflect.TypeOf(listed[with.length()%len(listed)]).Elem())
	fill(wrapper.Elem(), "oneof", depth+1, with)
	value.Field(index).Set(wrapper)
}

// fillSpecial sets the Kubernetes types whose Go fields are not what is on the wire.
func fillSpecial(value reflect.Value, path string, with filling) bool {
	switch special := value.Addr().Interface().(type) {
	case *meta.Time:
		special.Time = with.moment().Truncate(time.Second)
	case *meta.MicroTime:
		special.Time = with.moment().Truncate(time.Microsecond)
	case *intstr.IntOrString:
		if with.truth() {
			*special = intstr.FromInt32(int32(with.integer(1<<31 - 1)))
		} else {
			*special = intstr.FromString(with.text(path))
		}
	case *runtime.RawExtension:
		special.Raw = bytesOrNil(with.document())
	case *apiextensions.JSON:
		special.Raw = bytesOrNil(with.document())
	case *meta.FieldsV1:
		special.SetRawBytes(bytesOrNil(with.document()))
	default:
		return false
	}
	return true
}

func bytesOrNil(text string) []byte {
	if text == "" {
		return nil
	}
	return []byte(text)
}

// everything sets every field to something that is not empty.
type everything struct{ count int64 }

func (*everything) keep() bool  { return true }
func (*everything) length() int { return 2 }
func (*everything) truth() bool { return true }
func (e *everything) text(path string) string {
	return path[strings.LastIndexByte(path, '.')+1:]
}
func (e *everything) integer(max int64) int64 {
	e.count++
	return e.count
}
func (e *everything) moment() time.Time {
	e.count++
	return time.Date(2024, 2, 29, 12, 0, 0, 123456000, time.UTC).Add(time.Duration(e.count) * time.Minute)
}
func (e *everything) document() string {
	e.count++
	return fmt.Sprintf(`{"count":%d,"list":[1,"two",null],"nested":{"f:metadata":{".":{}}}}`, e.count)
}

// chance sets some fields, and those to unlikely values, the same ones for the same seed.
type chance struct{ *rand.Rand }

var unlikelyTexts = []string{"", "a", "<b>&amp;</b>", "naïve Ünïcödé", "日本語", "🚀\U0001F469\u200D\U0001F4BB", "line\nbreak\ttab", "\"quoted\\\"", "\u2028\u2029\ufeff", "null", "0", " "}
var unlikelyDocuments = []string{`{}`, `[]`, `""`, `0`, `false`, `true`, `"text"`, `-12.5e3`, `{"a":{"b":[{"c":null}]}}`, `["<&>","日本語"]`, `{"":{"__proto__":1}}`}

func (c chance) keep() bool         { return c.Intn(3) > 0 }
func (c chance) length() int        { return c.Intn(3) }
func (c chance) truth() bool        { return c.Intn(2) == 0 }
func (c chance) text(string) string { return unlikelyTexts[c.Intn(len(unlikelyTexts))] }
func (c chance) document() string   { return unlikelyDocuments[c.Intn(len(unlikelyDocuments))] }
func (c chance) integer(max int64) int64 {
	switch c.Intn(5) {
	case 0:
		return 0
	case 1:
		return max
	case 2:
		return c.Int63n(max)
	case 3:
		return -c.Int63n(max)
	default:
		return c.Int63n(300)
	}
}
func (c chance) moment() time.Time {
	if c.Intn(4) == 0 {
		return time.Time{}
	}
	return time.Unix(c.Int63n(4e9), c.Int63n(1e9))
}
