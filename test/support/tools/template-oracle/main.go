// The template oracle answers, with Go's own text/template, sprig and gojq, the questions that src/template answers in TypeScript. It
// reads one JSON question per line and writes one JSON answer per line, in the same order.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type question struct {
	Operation string   `json:"operation"`
	Text      string   `json:"text"`
	Options   []string `json:"options"`
	Data      any      `json:"data"`
}

type answer struct {
	Result any    `json:"result"`
	Error  string `json:"error,omitempty"`
}

var operations = map[string]func(question) (any, error){
	"template": renderTemplate,
	"jq":       runQuery,
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
			given = answer{Error: fmt.Sprintf("panic: %v", cause)}
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
