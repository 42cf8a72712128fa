package main

import (
	"fmt"
	"reflect"
	"strings"

	gogo "github.com/gogo/protobuf/proto"
	google "google.golang.org/protobuf/proto"
	core "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	// Imported for the message types that they register.
	_ "github.com/argoproj/argo-cd/v3/pkg/apiclient/account"
	_ "github.com/argoproj/argo-cd/v3/pkg/apiclient/application"
	_ "github.com/argoproj/argo-cd/v3/pkg/apiclient/applicationset"
	_ "github.com/argoproj/argo-cd/v3/pkg/apiclient/certificate"
	_ "github.com/argoproj/argo-cd/v3/pkg/apiclient/cluster"
	_ "github.com/argoproj/argo-cd/v3/pkg/apiclient/gpgkey"
	_ "github.com/argoproj/argo-cd/v3/pkg/apiclient/notification"
	_ "github.com/argoproj/argo-cd/v3/pkg/apiclient/project"
	_ "github.com/argoproj/argo-cd/v3/pkg/apiclient/repocreds"
	_ "github.com/argoproj/argo-cd/v3/pkg/apiclient/repository"
	_ "github.com/argoproj/argo-cd/v3/pkg/apiclient/session"
	_ "github.com/argoproj/argo-cd/v3/pkg/apiclient/settings"
	_ "github.com/argoproj/argo-cd/v3/pkg/apiclient/version"
)

// Kubernetes' own types are in no registry, so the ones that the contract uses are named here.
var kubernetesTypes = map[string]reflect.Type{
	"k8s.apiextensions.v1.JSON":            reflect.TypeFor[apiextensions.JSON](),
	"k8s.core.v1.LoadBalancerIngress":      reflect.TypeFor[core.LoadBalancerIngress](),
	"k8s.core.v1.NodeSwapStatus":           reflect.TypeFor[core.NodeSwapStatus](),
	"k8s.core.v1.NodeSystemInfo":           reflect.TypeFor[core.NodeSystemInfo](),
	"k8s.core.v1.PortStatus":               reflect.TypeFor[core.PortStatus](),
	"k8s.intstr.IntOrString":               reflect.TypeFor[intstr.IntOrString](),
	"k8s.meta.v1.FieldsV1":                 reflect.TypeFor[meta.FieldsV1](),
	"k8s.meta.v1.GroupKind":                reflect.TypeFor[meta.GroupKind](),
	"k8s.meta.v1.LabelSelector":            reflect.TypeFor[meta.LabelSelector](),
	"k8s.meta.v1.LabelSelectorRequirement": reflect.TypeFor[meta.LabelSelectorRequirement](),
	"k8s.meta.v1.ListMeta":                 reflect.TypeFor[meta.ListMeta](),
	"k8s.meta.v1.ManagedFieldsEntry":       reflect.TypeFor[meta.ManagedFieldsEntry](),
	"k8s.meta.v1.MicroTime":                reflect.TypeFor[meta.MicroTime](),
	"k8s.meta.v1.ObjectMeta":               reflect.TypeFor[meta.ObjectMeta](),
	"k8s.meta.v1.OwnerReference":           reflect.TypeFor[meta.OwnerReference](),
	"k8s.meta.v1.ShardInfo":                reflect.TypeFor[meta.ShardInfo](),
	"k8s.meta.v1.Time":                     reflect.TypeFor[meta.Time](),
	"k8s.runtime.RawExtension":             reflect.TypeFor[runtime.RawExtension](),
}

// The contract's package names are shorter than those that the Go types are registered under.
var registeredPrefixes = map[string]string{
	"argoproj.v1alpha1.": "github.com.argoproj.argo_cd.v3.pkg.apis.application.v1alpha1.",
	"cluster.Claim":      "github.com.argoproj.argo_cd.server.settings.oidc.Claim",
}

// goType is the stock client's type for a message of the contract.
func goType(name string) (reflect.Type, error) {
	if kind, found := kubernetesTypes[name]; found {
		return kind, nil
	}
	registered := name
	for prefix, longer := range registeredPrefixes {
		if rest, found := strings.CutPrefix(name, prefix); found {
			registered = longer + rest
		}
	}
	kind := gogo.MessageType(registered)
	if kind == nil {
		return nil, fmt.Errorf("the stock client knows no message %s", registered)
	}
	return kind.Elem(), nil
}

// hasOneof says whether a message holds a oneof: the generated Go type then has no usable JSON form.
func hasOneof(kind reflect.Type) bool {
	for i := range kind.NumField() {
		if _, found := kind.Field(i).Tag.Lookup("protobuf_oneof"); found {
			return true
		}
	}
	return false
}

// The library's own messages (google.protobuf.Empty) have no Marshal method of their own.
func marshalByLibrary(value any) ([]byte, error) {
	if message, ok := value.(google.Message); ok {
		return google.Marshal(message)
	}
	return nil, fmt.Errorf("%T is not a message", value)
}

func unmarshalByLibrary(value any, bytes []byte) error {
	if message, ok := value.(google.Message); ok {
		return google.Unmarshal(bytes, message)
	}
	return fmt.Errorf("%T is not a message", value)
}
