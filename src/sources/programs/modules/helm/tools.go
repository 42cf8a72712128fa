//go:build tools

// Package tools names the command that is built from this module, so that its go.mod keeps what it needs.
package tools

import _ "helm.sh/helm/v4/cmd/helm"
