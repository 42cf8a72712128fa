// The Jsonnet oracle runs programs with go-jsonnet, which is what Argo CD renders them with. It reads one JSON question per line and
// writes one JSON answer per line, in the same order.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/google/go-jsonnet"
)

// The program's own file, beside those that it may import.
const program = "main.jsonnet"

type argument struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Code  bool   `json:"code"`
}

type question struct {
	Text              string            `json:"text"`
	Files             map[string]string `json:"files"`
	ExternalVariables []argument        `json:"externalVariables"`
	Arguments         []argument        `json:"arguments"`
}

type answer struct {
	Output string `json:"output"`
	Error  string `json:"error,omitempty"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
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
	output, err := run(asked)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Output: output}
}

func run(asked question) (string, error) {
	vm := jsonnet.MakeVM()
	vm.SetTraceOut(io.Discard)
	files := map[string]jsonnet.Contents{program: jsonnet.MakeContents(asked.Text)}
	for path, text := range asked.Files {
		files[path] = jsonnet.MakeContents(text)
	}
	vm.Importer(&jsonnet.MemoryImporter{Data: files})
	for _, variable := range asked.ExternalVariables {
		if variable.Code {
			vm.ExtCode(variable.Name, variable.Value)
		} else {
			vm.ExtVar(variable.Name, variable.Value)
		}
	}
	for _, given := range asked.Arguments {
		if given.Code {
			vm.TLACode(given.Name, given.Value)
		} else {
			vm.TLAVar(given.Name, given.Value)
		}
	}
	return vm.EvaluateFile(program)
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
