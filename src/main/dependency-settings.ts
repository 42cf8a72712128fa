import type { ObjectStore } from '../kube/index.ts';
import { findGlobalProjects, permitsSource, readProject, withGlobalProjects, type AppProject } from '../model/index.ts';
import type { Settings } from '../settings/index.ts';
import { findNamedRepository, type DependencySettings } from '../sources/index.ts';
import type { Home } from './home.ts';

/** What charts of a project may take their dependencies from, as projects and repositories are now. */
export function createDependencySettings(options: {
  readonly home: Home;
  readonly settings: Settings;
  readonly projects: ObjectStore;
}): DependencySettings {
  const { home, settings, projects } = options;
  const find = (name: string): AppProject | undefined => {
    const object = projects.get({ namespace: home.namespace, name });
    return object && readProject(object);
  };
  return {
    urlOf: (name, project) => findNamedRepository(settings.current, name, project),
    isPermitted(url, name) {
      const project = find(name);
      if (project === undefined) return false;
      const whole = withGlobalProjects(project, findGlobalProjects(project, settings.current.general.globalProjects, find));
      const scopedRepositories = [...settings.current.labelledSecrets.values()]
        .filter(({ type, data }) => type === 'repository' && data.get('project')?.reveal() === name)
        .flatMap(({ data }) => data.get('url')?.reveal() ?? []);
      return permitsSource(whole, { repoURL: url }, { scopedRepositories });
    },
  };
}
