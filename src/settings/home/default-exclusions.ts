/** Kinds that a new installation does not look at: many, short-lived, and made by controllers for themselves. */
export const defaultExclusions = `# Made by the cluster for Services.
- apiGroups: ['', discovery.k8s.io]
  kinds: [Endpoints, EndpointSlice]
# Who leads, renewed every few seconds.
- apiGroups: [coordination.k8s.io]
  kinds: [Lease]
# Questions that are answered and not stored.
- apiGroups: [authentication.k8s.io, authorization.k8s.io]
  kinds:
    - SelfSubjectReview
    - TokenReview
    - LocalSubjectAccessReview
    - SelfSubjectAccessReview
    - SelfSubjectRulesReview
    - SubjectAccessReview
# Requests for certificates.
- apiGroups: [certificates.k8s.io]
  kinds: [CertificateSigningRequest]
- apiGroups: [cert-manager.io]
  kinds: [CertificateRequest]
# The books that network and policy engines keep.
- apiGroups: [cilium.io]
  kinds: [CiliumIdentity, CiliumEndpoint, CiliumEndpointSlice]
- apiGroups: [kyverno.io, reports.kyverno.io, wgpolicyk8s.io]
  kinds:
    - PolicyReport
    - ClusterPolicyReport
    - EphemeralReport
    - ClusterEphemeralReport
    - AdmissionReport
    - ClusterAdmissionReport
    - BackgroundScanReport
    - ClusterBackgroundScanReport
    - UpdateRequest
`;
