// The stock client of the API, as its users run it.
package main

import (
	"os"

	"github.com/argoproj/argo-cd/v3/cmd/argocd/commands"
)

func main() {
	if err := commands.NewCommand().Execute(); err != nil {
		os.Exit(1)
	}
}
