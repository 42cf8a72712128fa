import { flagKeys, flagName, flags, variableName, type Flag, type FlagKey } from './flags.ts';

/** The text of `fairway help`. */
export function formatHelp(version: string): string {
  return `Fairway ${version}: a GitOps control plane that speaks Argo CD's API.

Usage:
  fairway [up] [flags]     run the server until it is stopped
  fairway shadow [--json]  compare ourselves once with the Argo CD that --kubeconfig leads to, and write nothing
                           there; ends with 1 where we disagree
  fairway kubeconfig       print a kubeconfig for the Kubernetes API of a running server
  fairway export [--secrets]
                           print everything that the home holds as YAML; Secrets only on request
  fairway import [--dry-run] FILE
                           apply such YAML to the home; - is the standard input
  fairway example [FOLDER] make a git repository with an example to deploy: plain, Kustomize, Helm
  fairway admin initial-password
                           print the admin password that the first start made up
  fairway tools install [helm] [kustomize]
                           get the programs that render charts and kustomizations, into the cache folder
  fairway version          print the version
  fairway help             print this text

Flags of up, each also an environment variable (a flag wins); those that say where the home is go for every command:
${flagKeys.map((key) => formatFlag(formatUsage(key), variableName(key), flags[key])).join('')}
  --help, --version

Other environment variables:
  FAIRWAY_ADMIN_PASSWORD   the admin password of the very first start; random when it is not set.
                           For kubeconfig: the current one, to sign in with at the server that --listen names

  FAIRWAY_CACHE            the folder for what can be had again; default: that of your platform

From a checkout: npm start -- [flags], npm run tools
`;
}

function formatUsage(key: FlagKey): string {
  const flag: Flag<unknown> = flags[key];
  return flag.isSwitch === true ? flagName(key) : `${flagName(key)} ${flag.placeholder}`;
}

function formatFlag(usage: string, variable: string, flag: Flag<unknown>): string {
  const initial = flag.defaultHelp ?? flag.default;
  return `  ${usage}\n      ${flag.help}\n      ${variable}${initial === undefined ? '' : `; default: ${initial}`}\n`;
}
