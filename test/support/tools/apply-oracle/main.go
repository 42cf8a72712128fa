// Answers, with the API server's own packages, what server-side apply and custom resource schemas do. One JSON request per line in,
// one JSON answer per line out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Request is one question; Op says which fields count.
type Request struct {
	Op          string                 `json:"op"`
	CRD         map[string]interface{} `json:"crd"`
	Live        map[string]interface{} `json:"live"`
	Object      map[string]interface{} `json:"object"`
	Manager     string                 `json:"manager"`
	Force       bool                   `json:"force"`
	Subresource string                 `json:"subresource"`
	ResetFields [][]string             `json:"resetFields"`
	Now         string                 `json:"now"`
	Schema      map[string]interface{} `json:"schema"`
}

// Failure is an error as a Status would carry it.
type Failure struct {
	Message string  `json:"message"`
	Code    int32   `json:"code"`
	Reason  string  `json:"reason"`
	Causes  []Cause `json:"causes"`
}

// Cause is one detail of a failure.
type Cause struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Field   string `json:"field"`
}

// Answer has what the request asked for; the rest stays empty.
type Answer struct {
	Object  map[string]interface{} `json:"object,omitempty"`
	Failure *Failure               `json:"failure,omitempty"`
	Causes  []Cause                `json:"causes,omitempty"`
	Unknown []string               `json:"unknown,omitempty"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			encoded, marshalErr := json.Marshal(answer(line))
			if marshalErr != nil {
				fmt.Fprintln(os.Stderr, marshalErr)
				os.Exit(1)
			}
			out.Write(encoded)
			out.WriteByte('\n')
			out.Flush()
		}
		if err != nil {
			return
		}
	}
}

func answer(line []byte) (result Answer) {
	defer func() {
		if problem := recover(); problem != nil {
			result = Answer{Failure: &Failure{Message: fmt.Sprintf("panic: %v", problem)}}
		}
	}()
	request := Request{}
	if err := utiljson.Unmarshal(line, &request); err != nil {
		return Answer{Failure: &Failure{Message: err.Error()}}
	}
	// Numbers inside objects must be integers where they can be, as the API server decodes them.
	for _, object := range []map[string]interface{}{request.CRD, request.Live, request.Object, request.Schema} {
		if err := utiljson.ConvertMapNumbers(object, 0); err != nil {
			return Answer{Failure: &Failure{Message: err.Error()}}
		}
	}
	switch request.Op {
	case "apply", "update", "create":
		return manageFields(request)
	default:
		return checkSchema(request)
	}
}
