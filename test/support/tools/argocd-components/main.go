// The components of an Argo CD installation, each under the name that ARGOCD_BINARY_NAME gives.
package main

import (
	"fmt"
	"os"

	controller "github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
	applicationset "github.com/argoproj/argo-cd/v3/cmd/argocd-applicationset-controller/commands"
	askpass "github.com/argoproj/argo-cd/v3/cmd/argocd-git-ask-pass/commands"
	reposerver "github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
	server "github.com/argoproj/argo-cd/v3/cmd/argocd-server/commands"
	"github.com/spf13/cobra"
)

func main() {
	commands := map[string]func() *cobra.Command{
		"argocd-server":                    server.NewCommand,
		"argocd-repo-server":               reposerver.NewCommand,
		"argocd-application-controller":    controller.NewCommand,
		"argocd-applicationset-controller": applicationset.NewCommand,
		"argocd-git-ask-pass":              askpass.NewCommand,
	}
	name := os.Getenv("ARGOCD_BINARY_NAME")
	command, known := commands[name]
	if !known {
		fmt.Fprintf(os.Stderr, "ARGOCD_BINARY_NAME names no component: %q\n", name)
		os.Exit(2)
	}
	if err := command().Execute(); err != nil {
		os.Exit(1)
	}
}
