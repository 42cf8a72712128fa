// So many clients list applications, each asking again as soon as it has been answered. Bodies are read into room that is used again and again: a client
// that makes garbage of them would measure its own collector.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"sync"
	"time"
)

const (
	warmUpCalls = 5
	callsMin    = 40
	callLimit   = 5 * time.Minute
	bufferBytes = 1 << 20
)

type order struct {
	Transport  string
	Clients    int
	URL        string
	Token      string
	DurationMs int
	// So many names every answer must hold.
	Applications int
}

type result struct {
	P50Ms              float64 `json:"p50Ms"`
	P99Ms              float64 `json:"p99Ms"`
	MegabytesPerSecond float64 `json:"megabytesPerSecond"`
	// All that were asked, those that only warm up among them.
	Calls int `json:"calls"`
}

func main() {
	var wanted order
	err := json.NewDecoder(os.Stdin).Decode(&wanted)
	var seen result
	if err == nil {
		seen, err = run(wanted)
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(seen)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(wanted order) (result, error) {
	clients := make([]*client, wanted.Clients)
	for index := range clients {
		clients[index] = newClient(wanted)
		if err := clients[index].check(); err != nil {
			return result{}, err
		}
	}
	if err := together(clients, func(each *client) error { return each.listUntil(func(calls int) bool { return calls == warmUpCalls }) }); err != nil {
		return result{}, err
	}
	for _, each := range clients {
		each.durations, each.bytes = nil, 0
	}
	start := time.Now()
	end := start.Add(time.Duration(wanted.DurationMs) * time.Millisecond)
	enough := (callsMin + wanted.Clients - 1) / wanted.Clients
	err := together(clients, func(each *client) error {
		return each.listUntil(func(calls int) bool { return calls >= enough && time.Now().After(end) })
	})
	return summarize(clients, time.Since(start)), err
}

func summarize(clients []*client, spent time.Duration) result {
	var durations []float64
	var total int64
	for _, each := range clients {
		durations = append(durations, each.durations...)
		total += each.bytes
	}
	slices.Sort(durations)
	at := func(share float64) float64 {
		return durations[min(len(durations)-1, int(share*float64(len(durations))))]
	}
	return result{
		P50Ms:              at(0.5),
		P99Ms:              at(0.99),
		MegabytesPerSecond: float64(total) / 1e6 / spent.Seconds(),
		Calls:              len(durations) + len(clients)*(warmUpCalls+1),
	}
}

func together(clients []*client, work func(*client) error) error {
	errors := make([]error, len(clients))
	var group sync.WaitGroup
	for index, each := range clients {
		group.Go(func() { errors[index] = work(each) })
	}
	group.Wait()
	for _, err := range errors {
		if err != nil {
			return err
		}
	}
	return nil
}

// One with a connection of its own.
type client struct {
	wanted    order
	http      http.Client
	buffer    []byte
	durations []float64
	bytes     int64
}

func newClient(wanted order) *client {
	transport := &http.Transport{DisableCompression: true, MaxConnsPerHost: 1}
	if wanted.Transport == "gRPC" {
		transport.Protocols = new(http.Protocols)
		transport.Protocols.SetUnencryptedHTTP2(true)
	}
	return &client{wanted: wanted, http: http.Client{Transport: transport, Timeout: callLimit}, buffer: make([]byte, bufferBytes)}
}

func (each *client) listUntil(isOver func(calls int) bool) error {
	for !isOver(len(each.durations)) {
		start := time.Now()
		if err := each.list(nil); err != nil {
			return err
		}
		each.durations = append(each.durations, float64(time.Since(start))/float64(time.Millisecond))
	}
	return nil
}

func (each *client) check() error {
	var body bytes.Buffer
	if err := each.list(&body); err != nil {
		return err
	}
	names := map[string]struct{}{}
	for _, name := range regexp.MustCompile(`member-\d{4}`).FindAllString(body.String(), -1) {
		names[name] = struct{}{}
	}
	if len(names) != each.wanted.Applications {
		return fmt.Errorf("a list over %s has %d of %d applications", each.wanted.Transport, len(names), each.wanted.Applications)
	}
	return nil
}

// Asks once and reads the whole answer, which is kept where somebody wants it.
func (each *client) list(kept *bytes.Buffer) error {
	request, err := each.request()
	if err != nil {
		return err
	}
	answer, err := each.http.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("a list answers %d", answer.StatusCode)
	}
	for {
		count, err := answer.Body.Read(each.buffer)
		each.bytes += int64(count)
		if kept != nil {
			kept.Write(each.buffer[:count])
		}
		if err == io.EOF {
			return each.statusOf(answer)
		}
		if err != nil {
			return err
		}
	}
}

func (each *client) request() (*http.Request, error) {
	if each.wanted.Transport != "gRPC" {
		request, err := http.NewRequest(http.MethodGet, each.wanted.URL+"/api/v1/applications", nil)
		if err == nil {
			request.Header.Set("authorization", "Bearer "+each.wanted.Token)
			request.Header.Set("accept", "application/json")
		}
		return request, err
	}
	// An empty message: no flags, and no length.
	request, err := http.NewRequest(http.MethodPost, each.wanted.URL+"/application.ApplicationService/List", bytes.NewReader(make([]byte, 5)))
	if err == nil {
		request.Header.Set("content-type", "application/grpc")
		request.Header.Set("te", "trailers")
		request.Header.Set("token", each.wanted.Token)
	}
	return request, err
}

func (each *client) statusOf(answer *http.Response) error {
	if each.wanted.Transport != "gRPC" {
		return nil
	}
	status := answer.Trailer.Get("grpc-status")
	if status == "" {
		status = answer.Header.Get("grpc-status")
	}
	if status != "0" {
		return fmt.Errorf("a list answers with status %q", status)
	}
	return nil
}
