// The objects oracle answers, with Kubernetes' own packages, the questions that src/objects answers in TypeScript. It reads one JSON
// question per line and writes one JSON answer per line, in the same order.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type question struct {
	Operation string          `json:"operation"`
	Kind      string          `json:"kind"`
	Original  json.RawMessage `json:"original"`
	Modified  json.RawMessage `json:"modified"`
	Current   json.RawMessage `json:"current"`
	Patch     json.RawMessage `json:"patch"`
	Text      string          `json:"text"`
	Other     string          `json:"other"`
}

type answer struct {
	Result any    `json:"result,omitempty"`
	Error  string `json:"error,omitempty"`
	// Panic says that Kubernetes has no answer of its own: the error is a crash.
	Panic bool `json:"panic,omitempty"`
}

var operations = map[string]func(question) (any, error){
	"applyStrategic":          applyStrategic,
	"createStrategic":         createStrategic,
	"createThreeWayStrategic": createThreeWayStrategic,
	"patchFields":             patchFields,
	"applyMerge":              applyMerge,
	"createMerge":             createMerge,
	"createThreeWayMerge":     createThreeWayMerge,
	"applyJson":               applyJSON,
	"parseLabelSelector":      parseLabelSelector,
	"readLabelSelector":       readLabelSelector,
	"parseFieldSelector":      parseFieldSelector,
	"quantity":                quantity,
	"compareQuantities":       compareQuantities,
	"addQuantities":           addQuantities,
	"validate":                validate,
	"validateMetadata":        validateMetadata,
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var asked question
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			fatal(err)
		}
		if err := encoder.Encode(reply(asked)); err != nil {
			fatal(err)
		}
	}
	if err := in.Err(); err != nil {
		fatal(err)
	}
	if err := out.Flush(); err != nil {
		fatal(err)
	}
}

func reply(asked question) (given answer) {
	defer func() {
		if cause := recover(); cause != nil {
			given = answer{Error: fmt.Sprint(cause), Panic: true}
		}
	}()
	operation, known := operations[asked.Operation]
	if !known {
		fatal(fmt.Errorf("unknown operation %q", asked.Operation))
	}
	result, err := operation(asked)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Result: result}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
