package main

import (
	"regexp"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"sigs.k8s.io/yaml"
)

var outside = regexp.MustCompile(`[^-a-z0-9.]`)

func functions() template.FuncMap {
	known := sprig.TxtFuncMap()
	for _, name := range []string{"env", "expandenv", "getHostByName"} {
		delete(known, name)
	}
	known["normalize"] = func(name string) string {
		name = outside.ReplaceAllString(strings.ToLower(name), "-")
		if len(name) > 253 {
			name = name[:253]
		}
		return strings.Trim(name, "-.")
	}
	known["toYaml"] = func(value any) (string, error) {
		data, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(data), "\n"), err
	}
	known["fromYaml"] = func(text string) (map[string]any, error) {
		value := map[string]any{}
		err := yaml.Unmarshal([]byte(text), &value)
		return value, err
	}
	known["fromYamlArray"] = func(text string) ([]any, error) {
		value := []any{}
		err := yaml.Unmarshal([]byte(text), &value)
		return value, err
	}
	// A value that can be called, which JSON cannot bring.
	known["greeter"] = func() func(string) string {
		return func(name string) string { return "hello " + name }
	}
	return known
}

func renderTemplate(asked question) (any, error) {
	parsed, err := template.New("base").Funcs(functions()).Parse(asked.Text)
	if err != nil {
		return nil, err
	}
	parsed.Option(asked.Options...)
	var out strings.Builder
	if err := parsed.Execute(&out, asked.Data); err != nil {
		return nil, err
	}
	return out.String(), nil
}
