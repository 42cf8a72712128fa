package main

import (
	"fmt"
	"hash/fnv"
	"math/rand"
	"reflect"
	"time"

	argo "github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const randomSamples = 6

// sample is one filled message; value is a pointer to its Go type.
type sample struct {
	name  string
	value any
}

// samplesOf is what the codec has to get right for one message: nothing set, everything set, chance, and what is known to be hard.
func samplesOf(name string, kind reflect.Type) []sample {
	empty := reflect.New(kind)
	fillRequired(empty.Elem())
	full := reflect.New(kind)
	fill(full.Elem(), kind.Name(), 0, &everything{})
	samples := []sample{{"empty", empty.Interface()}, {"full", full.Interface()}}
	seed := fnv.New32a()
	seed.Write([]byte(name))
	for i := range randomSamples {
		value := reflect.New(kind)
		fill(value.Elem(), kind.Name(), 0, chance{rand.New(rand.NewSource(int64(seed.Sum32()) + int64(i)))})
		samples = append(samples, sample{fmt.Sprintf("random %d", i+1), value.Interface()})
	}
	return append(samples, handMade[name]...)
}

// A message that lacks a required field does not go on the wire at all, so the emptiest one holds zero values there.
type onlyRequired struct{ everything }

func (*onlyRequired) keep() bool          { return false }
func (*onlyRequired) length() int         { return 0 }
func (*onlyRequired) truth() bool         { return false }
func (*onlyRequired) text(string) string  { return "" }
func (*onlyRequired) integer(int64) int64 { return 0 }
func (*onlyRequired) moment() time.Time   { return time.Time{} }
func (*onlyRequired) document() string    { return "" }
func fillRequired(value reflect.Value)    { fill(value, "", 0, &onlyRequired{}) }
func at(text string) meta.Time            { return meta.NewTime(must(time.Parse(time.RFC3339Nano, text))) }
func microAt(text string) meta.MicroTime {
	return meta.NewMicroTime(must(time.Parse(time.RFC3339Nano, text)))
}
func raw(text string) runtime.RawExtension { return runtime.RawExtension{Raw: []byte(text)} }

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func fieldsOf(text string) *meta.FieldsV1 {
	fields := &meta.FieldsV1{}
	fields.SetRawBytes([]byte(text))
	return fields
}

// handMade holds, by message, the shapes that chance is unlikely to meet.
var handMade = map[string][]sample{
	"k8s.meta.v1.Time": {
		{"a zero time", &meta.Time{}},
		{"the epoch", ref(at("1970-01-01T00:00:00Z"))},
		{"one second before the epoch", ref(at("1969-12-31T23:59:59Z"))},
		{"parts of a second are dropped", ref(at("2024-05-06T07:08:09.987654321Z"))},
		{"another time zone", ref(at("2024-05-06T07:08:09+05:30"))},
		{"the year 1", ref(at("0001-01-02T00:00:00Z"))},
		{"the last second of the year 9999", ref(at("9999-12-31T23:59:59Z"))},
		{"after 2038", ref(at("2106-02-07T06:28:16Z"))},
	},
	"k8s.meta.v1.MicroTime": {
		{"a zero time", &meta.MicroTime{}},
		{"the epoch", ref(microAt("1970-01-01T00:00:00Z"))},
		{"whole seconds show six zeros", ref(microAt("2024-05-06T07:08:09Z"))},
		{"nanoseconds are cut", ref(microAt("2024-05-06T07:08:09.123456789Z"))},
		{"before the epoch with a fraction", ref(microAt("1969-12-31T23:59:58.25Z"))},
	},
	"k8s.intstr.IntOrString": {
		{"the number 0", ref(intstr.FromInt32(0))},
		{"a negative number", ref(intstr.FromInt32(-2147483648))},
		{"the largest number", ref(intstr.FromInt32(2147483647))},
		{"an empty string", ref(intstr.FromString(""))},
		{"a percentage", ref(intstr.FromString("25%"))},
		{"a string of digits stays a string", ref(intstr.FromString("8080"))},
	},
	"k8s.runtime.RawExtension": {
		{"an object", ref(raw(`{"kind":"ConfigMap","data":{"a":"<b>"}}`))},
		{"spaces inside", ref(raw("{ \"a\" :\n [ 1 , 2 ] }"))},
		{"a number beyond 2^53 in a string", ref(raw(`{"n":"9007199254740993"}`))},
		{"a list", ref(raw(`[1,2]`))},
	},
	"k8s.apiextensions.v1.JSON": {
		{"an object", &apiextensions.JSON{Raw: []byte(`{"a":[true,null]}`)}},
		{"a string", &apiextensions.JSON{Raw: []byte(`"text"`)}},
		{"a number", &apiextensions.JSON{Raw: []byte(`1.5`)}},
	},
	"k8s.meta.v1.FieldsV1": {
		{"managed fields", fieldsOf(`{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"k:{\"name\":\"x\"}":{}}}`)},
	},
	"k8s.meta.v1.LabelSelector": {
		{"labels and expressions", &meta.LabelSelector{
			MatchLabels:      map[string]string{"app.kubernetes.io/name": "guestbook", "": "", "__proto__": "kept", "constructor": "kept"},
			MatchExpressions: []meta.LabelSelectorRequirement{{Key: "tier", Operator: meta.LabelSelectorOpExists}, {Key: "env", Operator: meta.LabelSelectorOpIn, Values: []string{"a", ""}}},
		}},
	},
	"k8s.meta.v1.ObjectMeta": {
		{"managed fields", &meta.ObjectMeta{Name: "guestbook", UID: types.UID("b7e0"), ManagedFields: []meta.ManagedFieldsEntry{
			{Manager: "kubectl", Operation: meta.ManagedFieldsOperationApply, APIVersion: "v1", Time: ref(at("2024-05-06T07:08:09Z")), FieldsType: "FieldsV1", FieldsV1: fieldsOf(`{"f:spec":{}}`)},
			{Manager: "controller", Operation: meta.ManagedFieldsOperationUpdate, FieldsV1: fieldsOf(`{}`), Subresource: "status"},
		}}},
		{"being deleted at once", &meta.ObjectMeta{DeletionTimestamp: ref(at("2024-05-06T07:08:09Z")), DeletionGracePeriodSeconds: ref(int64(0)), Finalizers: []string{""}}},
		{"owners", &meta.ObjectMeta{OwnerReferences: []meta.OwnerReference{{Kind: "Set", Controller: ref(false), BlockOwnerDeletion: ref(true)}, {}}}},
		{"a deletion time that is zero", &meta.ObjectMeta{DeletionTimestamp: &meta.Time{}}},
		{"control characters", &meta.ObjectMeta{Name: "\u0000\u0001\u001f\u007f\u0085"}},
		{"keys that mean something to JavaScript", &meta.ObjectMeta{Annotations: map[string]string{"__proto__": "a", "constructor": "b", "toString": "c", "": "d"}}},
	},
	"argoproj.v1alpha1.ApplicationSourcePluginParameter": {
		{"an empty map is not an absent one", &argo.ApplicationSourcePluginParameter{Name: "p", OptionalMap: &argo.OptionalMap{Map: map[string]string{}}}},
		{"a map", &argo.ApplicationSourcePluginParameter{Name: "p", OptionalMap: &argo.OptionalMap{Map: map[string]string{"a": "b", "": ""}}}},
		{"an empty list is not an absent one", &argo.ApplicationSourcePluginParameter{Name: "p", OptionalArray: &argo.OptionalArray{Array: []string{}}}},
		{"a list", &argo.ApplicationSourcePluginParameter{Name: "p", OptionalArray: &argo.OptionalArray{Array: []string{"", "b"}}}},
		{"an empty string is not an absent one", &argo.ApplicationSourcePluginParameter{Name: "p", String_: ref("")}},
	},
	"argoproj.v1alpha1.ApplicationSet": {
		{"generators in generators", nestedGenerators()},
	},
	"argoproj.v1alpha1.SyncOperationResource": {
		{"an excluded resource", &argo.SyncOperationResource{Kind: "Service", Name: "a", Exclude: true}},
	},
}

func ref[Value any](value Value) *Value { return &value }

// nestedGenerators is a matrix of a merge of lists, as deep as the type allows.
func nestedGenerators() *argo.ApplicationSet {
	list := func(text string) argo.ApplicationSetNestedGenerator {
		return argo.ApplicationSetNestedGenerator{List: &argo.ListGenerator{Elements: []apiextensions.JSON{{Raw: []byte(text)}}}}
	}
	merge := `{"mergeKeys":["cluster"],"generators":[{"list":{"elements":[{"cluster":"a"}]}},{"clusters":{}}]}`
	return &argo.ApplicationSet{
		ObjectMeta: meta.ObjectMeta{Name: "nested"},
		Spec: argo.ApplicationSetSpec{
			GoTemplate: true,
			Generators: []argo.ApplicationSetGenerator{{
				Selector: &meta.LabelSelector{MatchLabels: map[string]string{"a": "b"}},
				Matrix:   &argo.MatrixGenerator{Generators: []argo.ApplicationSetNestedGenerator{list(`{"url":"{{.x}}"}`), {Merge: &apiextensions.JSON{Raw: []byte(merge)}}}},
			}},
			SyncPolicy: &argo.ApplicationSetSyncPolicy{},
		},
	}
}
