import { renderPrograms } from '../../../src/sources/index.ts';

const KUBERNETES_VERSION = 'v1.36.3';

/** Without these the programs report a template instead of a version, and checks on it break. */
const KUBERNETES_LINKER_FLAGS = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
  .flatMap((path) => [`-X ${path}.gitVersion=${KUBERNETES_VERSION}`, `-X ${path}.gitMajor=1`, `-X ${path}.gitMinor=36`])
  .join(' ');

interface Tool {
  /** The folder beside this file with the Go module that the program is built from; the tool's own name unless given. */
  readonly module?: string;
  /** The package to build; the module's own unless given. */
  readonly package?: string;
  readonly linkerFlags: string;
  readonly costOfColdBuild: string;
}

/** The programs that tests build from the Go modules beside this file. */
export const TOOLS = {
  /** The stock client; the version is what it reports, and must be the one that its go.mod requires. */
  argocd: { linkerFlags: '-s -w -X github.com/argoproj/argo-cd/v3/common.version=3.5.6', costOfColdBuild: 'about 5 minutes' },
  /** What an installation of Argo CD runs, for measuring beside it. */
  'argocd-components': {
    linkerFlags: '-s -w -X github.com/argoproj/argo-cd/v3/common.version=3.5.6',
    costOfColdBuild: 'about 5 minutes',
  },
  /** Where Argo CD keeps what it may lose. */
  redis: { linkerFlags: '-s -w', costOfColdBuild: 'a few seconds' },
  /** The stock server of configuration management plugins. */
  'cmp-server': { linkerFlags: '-s -w', costOfColdBuild: 'about 2 minutes' },
  /** The stock server that renders manifests, for measurements. */
  'repo-server': { linkerFlags: '-s -w', costOfColdBuild: 'about 3 minutes' },
  /** Bytes and JSON of the stock client's own types. */
  golden: { linkerFlags: '-s -w', costOfColdBuild: 'about 2 minutes' },
  /** Server-side apply and custom resource schemas, by the API server's own packages. */
  'apply-oracle': { linkerFlags: '-s -w', costOfColdBuild: 'about 2 minutes' },
  /** Patches, selectors, quantities and names, by Kubernetes' own packages. */
  'objects-oracle': { linkerFlags: '-s -w', costOfColdBuild: 'about a minute' },
  /** Go templates with their functions, and jq, by the packages that people know them from. */
  'template-oracle': { linkerFlags: '-s -w', costOfColdBuild: 'a few seconds' },
  /** Lua, as health rules and actions are written for. */
  'lua-oracle': { linkerFlags: '-s -w', costOfColdBuild: 'a few seconds' },
  /** Jsonnet programs, by the package that Argo CD renders them with. */
  'jsonnet-oracle': { linkerFlags: '-s -w', costOfColdBuild: 'a few seconds' },
  'kube-apiserver': kubernetes('kube-apiserver', 'about 6 minutes'),
  'kube-controller-manager': kubernetes('kube-controller-manager', 'about 2 minutes'),
  'kube-scheduler': kubernetes('kube-scheduler', 'about 10 seconds'),
  kubectl: kubernetes('kubectl', 'about a minute'),
  etcd: { linkerFlags: '-s -w', costOfColdBuild: 'about a minute' },
  /** Fake nodes and what runs on them. */
  kwok: { package: 'sigs.k8s.io/kwok/cmd/kwok', linkerFlags: '-s -w', costOfColdBuild: 'about 3 minutes' },
  /** What renders charts; the version is what it reports. */
  helm: ofProduct('helm', 'about 2 minutes'),
  kustomize: ofProduct('kustomize', 'about a minute'),
  /** An OCI registry. */
  registry: { package: 'github.com/distribution/distribution/v3/cmd/registry', linkerFlags: '-s -w', costOfColdBuild: 'about a minute' },
  /** Git repositories over SSH. */
  'ssh-git-server': { linkerFlags: '-s -w', costOfColdBuild: 'a few seconds' },
  /** Clients that list applications, for measurements. */
  'list-clients': { linkerFlags: '-s -w', costOfColdBuild: 'a few seconds' },
  /** Keys and certificates for a control plane. */
  pki: { linkerFlags: '-s -w', costOfColdBuild: 'a few seconds' },
} as const satisfies Record<string, Tool>;

function kubernetes(command: string, costOfColdBuild: string): Tool {
  return {
    module: 'kubernetes',
    package: `k8s.io/kubernetes/cmd/${command}`,
    linkerFlags: `-s -w ${KUBERNETES_LINKER_FLAGS}`,
    costOfColdBuild,
  };
}

/** As `fairway tools install` builds it. */
function ofProduct(name: string, costOfColdBuild: string): Tool {
  const { package: target = '', linkerFlags = '' } = renderPrograms.find((program) => program.name === name) ?? {};
  return { module: `../../../src/sources/programs/modules/${name}`, package: target, linkerFlags, costOfColdBuild };
}

export type ToolName = keyof typeof TOOLS;

export function describeTool(name: ToolName): Required<Tool> {
  return { module: name, package: '.', ...TOOLS[name] };
}

/** A tool cannot be had on this machine: the suite that needs it is skipped, loudly. */
export class ToolMissing extends Error {
  readonly tool: ToolName;

  constructor(tool: ToolName, reason: string) {
    super(`${tool} cannot be built here: ${reason}`);
    this.name = 'ToolMissing';
    this.tool = tool;
  }
}
