package main

import (
	"context"
	"errors"
	"time"

	"github.com/itchyny/gojq"
)

const resultsMax = 200

// All results of a query, in order; an error among them ends them.
func runQuery(asked question) (any, error) {
	parsed, err := gojq.Parse(asked.Text)
	if err != nil {
		return nil, err
	}
	code, err := gojq.Compile(parsed)
	if err != nil {
		return nil, err
	}
	limit, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	results := []any{}
	iterator := code.RunWithContext(limit, asked.Data)
	for range resultsMax {
		value, more := iterator.Next()
		if !more {
			break
		}
		if failure, failed := value.(error); failed {
			var halt *gojq.HaltError
			if errors.As(failure, &halt) && halt.Value() == nil {
				break
			}
			return nil, failure
		}
		results = append(results, value)
	}
	return results, nil
}
