// The stock server that renders manifests, for measurements side by side.
package main

import (
	"os"

	"github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
)

func main() {
	if err := commands.NewCommand().Execute(); err != nil {
		os.Exit(1)
	}
}
