package main

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func checkSchema(request Request) Answer {
	external := &apiextensionsv1.JSONSchemaProps{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(request.Schema, external); err != nil {
		return fail(err)
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, internal, nil); err != nil {
		return fail(err)
	}
	structural, err := structuralschema.NewStructural(internal)
	if err != nil {
		return fail(err)
	}
	switch request.Op {
	case "structural":
		return Answer{Causes: causes(structuralschema.ValidateStructural(nil, structural))}
	case "prune":
		options := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
		unknown := pruning.PruneWithOptions(request.Object, structural, true, options)
		return Answer{Object: request.Object, Unknown: unknown}
	case "default":
		defaulting.PruneNonNullableNullsWithoutDefaults(request.Object, structural)
		defaulting.Default(request.Object, structural)
		return Answer{Object: request.Object}
	case "validate":
		validator, _, err := validation.NewSchemaValidator(internal)
		if err != nil {
			return fail(err)
		}
		errs := validation.ValidateCustomResource(nil, request.Object, validator)
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, request.Object)...)
		return Answer{Causes: causes(errs)}
	}
	return Answer{Failure: &Failure{Message: "unknown op " + request.Op}}
}

func causes(errs field.ErrorList) []Cause {
	result := []Cause{}
	for _, err := range errs {
		result = append(result, Cause{Reason: string(err.Type), Message: err.ErrorBody(), Field: err.Field})
	}
	return result
}
