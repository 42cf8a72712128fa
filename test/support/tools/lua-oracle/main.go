// The Lua oracle runs scripts with gopher-lua, the Lua that health rules and actions are written for. It reads one JSON question per line
// and writes one JSON answer per line, in the same order: what the script returns, each value as its type and its text.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	lua "github.com/yuin/gopher-lua"
)

const limit = 2 * time.Second

type question struct {
	Text string `json:"text"`
	Data any    `json:"data"`
}

type answer struct {
	Values []string `json:"values"`
	Error  string   `json:"error,omitempty"`
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
	state := lua.NewState()
	defer state.Close()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	state.SetContext(ctx)
	state.SetGlobal("obj", toLua(state, asked.Data))
	if err := state.DoString(asked.Text); err != nil {
		return answer{Error: err.Error()}
	}
	given.Values = []string{}
	for at := 1; at <= state.GetTop(); at++ {
		value := state.Get(at)
		given.Values = append(given.Values, describe(value))
	}
	return given
}

func describe(value lua.LValue) string {
	switch value.Type() {
	case lua.LTNil, lua.LTBool, lua.LTNumber, lua.LTString:
		return fmt.Sprintf("%s %s", value.Type(), value.String())
	default:
		return value.Type().String()
	}
}

func toLua(state *lua.LState, value any) lua.LValue {
	switch value := value.(type) {
	case bool:
		return lua.LBool(value)
	case float64:
		return lua.LNumber(value)
	case string:
		return lua.LString(value)
	case []any:
		table := state.NewTable()
		for _, item := range value {
			table.Append(toLua(state, item))
		}
		return table
	case map[string]any:
		table := state.NewTable()
		for name, item := range value {
			table.RawSetString(name, toLua(state, item))
		}
		return table
	default:
		return lua.LNil
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
