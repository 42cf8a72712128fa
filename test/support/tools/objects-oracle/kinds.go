package main

import (
	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	certificates "k8s.io/api/certificates/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	flowcontrol "k8s.io/api/flowcontrol/v1"
	networking "k8s.io/api/networking/v1"
	node "k8s.io/api/node/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	resourceapi "k8s.io/api/resource/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var scheme = runtime.NewScheme()

func init() {
	adders := []func(*runtime.Scheme) error{
		admissionregistration.AddToScheme, apps.AddToScheme, autoscalingv1.AddToScheme, autoscalingv2.AddToScheme, batch.AddToScheme,
		certificates.AddToScheme, coordination.AddToScheme, core.AddToScheme, discovery.AddToScheme, events.AddToScheme,
		flowcontrol.AddToScheme, networking.AddToScheme, node.AddToScheme, policy.AddToScheme, rbac.AddToScheme,
		resourceapi.AddToScheme, scheduling.AddToScheme, storage.AddToScheme,
	}
	for _, add := range adders {
		if err := add(scheme); err != nil {
			fatal(err)
		}
	}
}

// newObject takes `apps/v1/Deployment`, or `v1/Pod` for the core group.
func newObject(name string) (runtime.Object, error) {
	for kind := range scheme.AllKnownTypes() {
		if kind.Version != runtime.APIVersionInternal && fullName(kind) == name {
			return scheme.New(kind)
		}
	}
	return nil, runtime.NewNotRegisteredErrForKind("oracle", schema.GroupVersionKind{Kind: name})
}

func fullName(kind schema.GroupVersionKind) string {
	return kind.GroupVersion().String() + "/" + kind.Kind
}
