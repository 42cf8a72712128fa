/** The files of the example repository by path: one small shop as plain manifests, with Kustomize and as a Helm chart. */
export const exampleFiles: Readonly<Record<string, string>> = {
  'README.md': `# Example

The same small shop three times: \`plain/\` are manifests, \`kustomize/overlays/\` has two variants of one base, \`helm/\` is a chart.
Every commit to this repository is what a deployment can go to, and back to.
`,
  'plain/configmap.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: shop
data:
  greeting: welcome
`,
  'plain/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: 2
  progressDeadlineSeconds: 5
  selector:
    matchLabels: {app: shop}
  template:
    metadata:
      labels: {app: shop}
    spec:
      containers:
        - name: shop
          image: example.com/shop:1.0
          ports: [{containerPort: 8080}]
          envFrom: [{configMapRef: {name: shop}}]
`,
  'plain/service.yaml': `apiVersion: v1
kind: Service
metadata:
  name: shop
spec:
  selector: {app: shop}
  ports: [{port: 80, targetPort: 8080}]
`,
  'kustomize/base/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [deployment.yaml]
`,
  'kustomize/base/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: 1
  selector:
    matchLabels: {app: shop}
  template:
    metadata:
      labels: {app: shop}
    spec:
      containers:
        - name: shop
          image: example.com/shop:1.0
`,
  'kustomize/overlays/staging/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namePrefix: staging-
resources: [../../base]
`,
  'kustomize/overlays/production/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namePrefix: production-
resources: [../../base]
replicas:
  - name: shop
    count: 3
`,
  'helm/Chart.yaml': `apiVersion: v2
name: shop
version: 0.1.0
appVersion: "1.0"
`,
  'helm/values.yaml': `replicas: 1
image: example.com/shop:1.0
`,
  'helm/templates/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: {app: {{ .Release.Name }}}
  template:
    metadata:
      labels: {app: {{ .Release.Name }}}
    spec:
      containers:
        - name: shop
          image: {{ .Values.image }}
`,
};
