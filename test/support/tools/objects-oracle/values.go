package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type selection struct {
	Text    string `json:"text"`
	Matches []bool `json:"matches"`
}

func matchAll(selector labels.Selector, candidates json.RawMessage) (any, error) {
	var sets []labels.Set
	if err := json.Unmarshal(candidates, &sets); err != nil {
		return nil, err
	}
	found := selection{Text: selector.String(), Matches: []bool{}}
	for _, set := range sets {
		found.Matches = append(found.Matches, selector.Matches(set))
	}
	return found, nil
}

func parseLabelSelector(asked question) (any, error) {
	selector, err := labels.Parse(asked.Text)
	if err != nil {
		return nil, err
	}
	return matchAll(selector, asked.Original)
}

func readLabelSelector(asked question) (any, error) {
	var given *meta.LabelSelector
	if err := json.Unmarshal(asked.Patch, &given); err != nil {
		return nil, err
	}
	selector, err := meta.LabelSelectorAsSelector(given)
	if err != nil {
		return nil, err
	}
	return matchAll(selector, asked.Original)
}

func parseFieldSelector(asked question) (any, error) {
	selector, err := fields.ParseSelector(asked.Text)
	if err != nil {
		return nil, err
	}
	var sets []fields.Set
	if err := json.Unmarshal(asked.Original, &sets); err != nil {
		return nil, err
	}
	found := selection{Text: selector.String(), Matches: []bool{}}
	for _, set := range sets {
		found.Matches = append(found.Matches, selector.Matches(set))
	}
	return found, nil
}

func quantity(asked question) (any, error) {
	parsed, err := resource.ParseQuantity(asked.Text)
	if err != nil {
		return nil, err
	}
	return parsed.String(), nil
}

func compareQuantities(asked question) (any, error) {
	left, err := resource.ParseQuantity(asked.Text)
	if err != nil {
		return nil, err
	}
	right, err := resource.ParseQuantity(asked.Other)
	return left.Cmp(right), err
}

func addQuantities(asked question) (any, error) {
	left, err := resource.ParseQuantity(asked.Text)
	if err != nil {
		return nil, err
	}
	right, err := resource.ParseQuantity(asked.Other)
	left.Add(right)
	return left.String(), err
}

var rules = map[string]func(string) []string{
	"dns1123Label":     utilvalidation.IsDNS1123Label,
	"dns1123Subdomain": utilvalidation.IsDNS1123Subdomain,
	"dns1035Label":     utilvalidation.IsDNS1035Label,
	"labelKey":         utilvalidation.IsQualifiedName,
	"labelValue":       utilvalidation.IsValidLabelValue,
	"pathSegment":      content.IsPathSegmentName,
}

// validate checks the text by the rule that the kind names.
func validate(asked question) (any, error) {
	return append([]string{}, rules[asked.Kind](asked.Text)...), nil
}

// validateMetadata checks the metadata of an object, namespaced if the text says so, whose name must be a DNS subdomain.
func validateMetadata(asked question) (any, error) {
	var given meta.ObjectMeta
	if err := json.Unmarshal(asked.Original, &given); err != nil {
		return nil, err
	}
	found := validation.ValidateObjectMeta(&given, asked.Text == "namespaced", validation.NameIsDNSSubdomain, field.NewPath("metadata"))
	messages := []string{}
	for _, one := range found {
		messages = append(messages, one.Error())
	}
	return messages, nil
}
