// A Redis in memory, for an Argo CD that tests start: nothing of the system has to be installed for it.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alicebob/miniredis/v2"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: redis HOST:PORT")
		os.Exit(2)
	}
	server := miniredis.NewMiniRedis()
	if err := server.StartAddr(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer server.Close()
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	// Keys expire only when it is told that time has passed.
	for tick := time.NewTicker(time.Second); ; {
		select {
		case <-tick.C:
			server.FastForward(time.Second)
		case <-ended:
			return
		}
	}
}
