package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

var started = time.Now().Add(-time.Minute)

var builtin = applyconfigurations.NewTypeConverter(scheme.Scheme)

func manageFields(request Request) Answer {
	object := &unstructured.Unstructured{Object: request.Object}
	kind := object.GroupVersionKind()
	live := &unstructured.Unstructured{Object: request.Live}
	if request.Live == nil {
		live = empty(kind)
	}
	manager, err := fieldManager(request, kind)
	if err != nil {
		return fail(err)
	}
	if request.Op == "create" {
		return createTyped(request, kind, manager)
	}
	var result runtime.Object
	if request.Op == "apply" {
		result, err = manager.Apply(live, object, request.Manager, request.Force)
	} else {
		result, err = manager.Update(live, object, request.Manager)
	}
	if err != nil {
		return fail(err)
	}
	return Answer{Object: withTime(result.(*unstructured.Unstructured), request.Now)}
}

// createTyped does what a create of a built-in kind does: the object passes through its Go type.
func createTyped(request Request, kind schema.GroupVersionKind, manager *managedfields.FieldManager) Answer {
	live, err := scheme.Scheme.New(kind)
	if err != nil {
		return fail(err)
	}
	live.GetObjectKind().SetGroupVersionKind(kind)
	object := live.DeepCopyObject()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(request.Object, object); err != nil {
		return fail(err)
	}
	result, err := manager.Update(live, object, request.Manager)
	if err != nil {
		return fail(err)
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(result)
	if err != nil {
		return fail(err)
	}
	return Answer{Object: withTime(&unstructured.Unstructured{Object: content}, request.Now)}
}

// withTime puts the request's time where the packages wrote the real one.
func withTime(object *unstructured.Unstructured, now string) map[string]interface{} {
	entries := object.GetManagedFields()
	parsed, err := time.Parse(time.RFC3339, now)
	if err != nil {
		panic(err)
	}
	for i := range entries {
		if entries[i].Time != nil && entries[i].Time.After(started) {
			entries[i].Time = &metav1.Time{Time: parsed}
		}
	}
	object.SetManagedFields(entries)
	return object.Object
}

func fieldManager(request Request, kind schema.GroupVersionKind) (*managedfields.FieldManager, error) {
	reset := fieldpath.NewSet()
	for _, names := range request.ResetFields {
		path := fieldpath.Path{}
		for _, name := range names {
			path = append(path, fieldpath.FieldNameElement(name))
		}
		reset.Insert(path)
	}
	filters := fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{
		fieldpath.APIVersion(kind.GroupVersion().String()): reset,
	})
	types := builtin
	if request.CRD != nil {
		converter, err := customTypes(request.CRD)
		if err != nil {
			return nil, err
		}
		types = converter
	} else if kind.Group == "free.example.com" {
		types = managedfields.NewDeducedTypeConverter()
	}
	return managedfields.NewDefaultCRDFieldManager(types, convertor{}, defaulter{}, creater{}, kind, kind.GroupVersion(), request.Subresource, filters)
}

// converters has what was made of each definition: a sequence of requests asks about the same one.
var converters = map[string]managedfields.TypeConverter{}

func customTypes(object map[string]interface{}) (managedfields.TypeConverter, error) {
	key, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	if known, ok := converters[string(key)]; ok {
		return known, nil
	}
	converter, err := makeTypes(object)
	if err == nil {
		converters[string(key)] = converter
	}
	return converter, err
}

func makeTypes(object map[string]interface{}) (managedfields.TypeConverter, error) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, crd); err != nil {
		return nil, err
	}
	spec, err := builder.BuildOpenAPIV3(crd, crd.Spec.Versions[0].Name, builder.Options{})
	if err != nil {
		return nil, err
	}
	return managedfields.NewTypeConverter(spec.Components.Schemas, crd.Spec.PreserveUnknownFields)
}

func fail(err error) Answer {
	failure := &Failure{Message: err.Error(), Code: 500}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		failure.Code = status.Status().Code
		failure.Reason = string(status.Status().Reason)
		if details := status.Status().Details; details != nil {
			for _, cause := range details.Causes {
				failure.Causes = append(failure.Causes, Cause{Reason: string(cause.Type), Message: cause.Message, Field: cause.Field})
			}
		}
	}
	return Answer{Failure: failure}
}

func empty(kind schema.GroupVersionKind) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]interface{}{}}
	object.SetGroupVersionKind(kind)
	return object
}

type convertor struct{}

func (convertor) Convert(in, out, context interface{}) error { return fmt.Errorf("not supported") }

func (convertor) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	object := in.DeepCopyObject()
	version, ok := target.(schema.GroupVersion)
	if !ok {
		return nil, fmt.Errorf("unknown version %v", target)
	}
	kind := object.GetObjectKind().GroupVersionKind()
	object.GetObjectKind().SetGroupVersionKind(version.WithKind(kind.Kind))
	return object, nil
}

func (convertor) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

type defaulter struct{}

func (defaulter) Default(runtime.Object) {}

type creater struct{}

func (creater) New(kind schema.GroupVersionKind) (runtime.Object, error) { return empty(kind), nil }
