package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

func applyStrategic(asked question) (any, error) {
	object, err := newObject(asked.Kind)
	if err != nil {
		return nil, err
	}
	return raw(strategicpatch.StrategicMergePatch(asked.Original, asked.Patch, object))
}

func createStrategic(asked question) (any, error) {
	object, err := newObject(asked.Kind)
	if err != nil {
		return nil, err
	}
	return raw(strategicpatch.CreateTwoWayMergePatch(asked.Original, asked.Modified, object))
}

func createThreeWayStrategic(asked question) (any, error) {
	object, err := newObject(asked.Kind)
	if err != nil {
		return nil, err
	}
	meta, err := strategicpatch.NewPatchMetaFromStruct(object)
	if err != nil {
		return nil, err
	}
	return raw(strategicpatch.CreateThreeWayMergePatch(asked.Original, asked.Modified, asked.Current, meta, true))
}

func applyMerge(asked question) (any, error) {
	return raw(jsonpatch.MergePatch(asked.Original, asked.Patch))
}

func createMerge(asked question) (any, error) {
	return raw(jsonpatch.CreateMergePatch(asked.Original, asked.Modified))
}

func createThreeWayMerge(asked question) (any, error) {
	return raw(jsonmergepatch.CreateThreeWayJSONMergePatch(asked.Original, asked.Modified, asked.Current))
}

func applyJSON(asked question) (any, error) {
	patch, err := jsonpatch.DecodePatch(asked.Patch)
	if err != nil {
		return nil, err
	}
	return raw(patch.Apply(asked.Original))
}

func raw(result []byte, err error) (any, error) {
	return json.RawMessage(result), err
}

// patchFields lists every field of a kind, however deep, that merges in a way of its own, as `<path> <strategies> <merge key>`.
func patchFields(asked question) (any, error) {
	object, err := newObject(asked.Kind)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	walkFields(reflect.TypeOf(object).Elem(), nil, nil, found)
	fields := make([]string, 0, len(found))
	for field := range found {
		fields = append(fields, field)
	}
	sort.Strings(fields)
	return fields, nil
}

func walkFields(kind reflect.Type, path []string, above []reflect.Type, found map[string]bool) {
	for kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice || kind.Kind() == reflect.Map {
		kind = kind.Elem()
	}
	if kind.Kind() != reflect.Struct {
		return
	}
	for _, other := range above {
		if other == kind {
			return
		}
	}
	above = append(above[:len(above):len(above)], kind)
	for i := range kind.NumField() {
		field := kind.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if name == "" {
			if field.Anonymous {
				walkFields(field.Type, path, above, found)
			}
			continue
		}
		here := append(path[:len(path):len(path)], name)
		if strategy := field.Tag.Get("patchStrategy"); strategy != "" {
			found[fmt.Sprintf("%s %s %s", strings.Join(here, "."), strategy, field.Tag.Get("patchMergeKey"))] = true
		}
		walkFields(field.Type, here, above, found)
	}
}
