// Bytes and JSON of the API's messages as the stock client's own types make and read them.
//
//	golden produce   reads message names, one on each line; prints one JSON record for each sample of each message
//	golden verify    reads "<message name> <base64>" lines; prints the JSON of each, as the stock client reads it
//	golden reread    reads "<message name> <JSON>" lines; prints the JSON of each after it was read and sent over the wire
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	gogo "github.com/gogo/protobuf/proto"
)

// record is one sample: what the stock types put on the wire, and what they show of it as JSON.
type record struct {
	Message string `json:"message"`
	Sample  string `json:"sample"`
	Bytes   []byte `json:"bytes"`
	// JSON of the message after it was read back from Bytes; absent where the Go type has no JSON form.
	JSON json.RawMessage `json:"json,omitempty"`
	// JSON after JSON itself was read into the Go type and went over the wire once more.
	Reread json.RawMessage `json:"reread,omitempty"`
}

type wireMessage interface {
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

func main() {
	modes := map[string]func(string, *json.Encoder) error{"produce": produce, "verify": verify, "reread": rereadLine}
	var work func(string, *json.Encoder) error
	if len(os.Args) == 2 {
		work = modes[os.Args[1]]
	}
	if work == nil {
		fmt.Fprintln(os.Stderr, "usage: golden produce|verify|reread")
		os.Exit(2)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		if err := work(in.Text(), out); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if err := in.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func produce(name string, out *json.Encoder) error {
	kind, err := goType(name)
	if err != nil {
		return err
	}
	for _, sample := range samplesOf(name, kind) {
		made, err := makeRecord(name, sample, kind)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", name, sample.name, err)
		}
		if err := out.Encode(made); err != nil {
			return err
		}
	}
	return nil
}

func makeRecord(name string, sample sample, kind reflect.Type) (*record, error) {
	bytes, err := marshal(sample.value)
	if err != nil {
		return nil, err
	}
	made := &record{Message: name, Sample: sample.name, Bytes: bytes}
	if hasOneof(kind) {
		return made, nil
	}
	read, err := unmarshal(kind, bytes)
	if err != nil {
		return nil, err
	}
	if made.JSON, err = json.Marshal(read); err != nil {
		return nil, err
	}
	made.Reread, err = reread(kind, made.JSON)
	return made, err
}

// reread reads JSON as the stock types do and sends it over the wire. It gives nothing where the wire refuses the result: JSON leaves out
// an empty value even where the message requires it.
func reread(kind reflect.Type, text []byte) ([]byte, error) {
	value := reflect.New(kind).Interface()
	if err := json.Unmarshal(text, value); err != nil {
		return nil, fmt.Errorf("own JSON %s: %w", text, err)
	}
	bytes, err := marshal(value)
	var notSet *gogo.RequiredNotSetError
	if errors.As(err, &notSet) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	read, err := unmarshal(kind, bytes)
	if err != nil {
		return nil, err
	}
	return json.Marshal(read)
}

func rereadLine(line string, out *json.Encoder) error {
	name, text, _ := strings.Cut(line, " ")
	kind, err := goType(name)
	if err != nil {
		return err
	}
	result, err := reread(kind, []byte(text))
	if err != nil {
		return out.Encode(map[string]string{"unreadable": err.Error()})
	}
	return out.Encode(json.RawMessage(result))
}

func verify(line string, out *json.Encoder) error {
	name, encoded, _ := strings.Cut(line, " ")
	kind, err := goType(name)
	if err != nil {
		return err
	}
	bytes, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return err
	}
	// A message that cannot be read is an answer, not a failure: the caller compares it.
	read, err := unmarshal(kind, bytes)
	if err != nil {
		return out.Encode(map[string]string{"unreadable": err.Error()})
	}
	return out.Encode(read)
}

func marshal(value any) ([]byte, error) {
	if message, ok := value.(wireMessage); ok {
		return message.Marshal()
	}
	return marshalByLibrary(value)
}

func unmarshal(kind reflect.Type, bytes []byte) (any, error) {
	value := reflect.New(kind).Interface()
	if message, ok := value.(wireMessage); ok {
		return value, message.Unmarshal(bytes)
	}
	return value, unmarshalByLibrary(value, bytes)
}
