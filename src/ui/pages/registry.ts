import type { Page } from '../app/page.ts';

/** Every page there is: one line each, in the order of the side bar. */
export const pages: readonly Page[] = [
  { path: '/login', title: 'Sign in', load: () => import('./sign-in/page.tsx'), isOpen: true },
  {
    path: '/applications',
    title: 'Applications',
    load: () => import('./applications/page.tsx'),
    nav: { title: 'Applications', icon: 'applications', keys: 'g a' },
  },
  { path: '/applications/new', title: 'New application', load: () => import('./new-application/page.tsx') },
  { path: '/applications/$namespace/$name', title: 'Application', load: () => import('./application/page.tsx') },
  { path: '/applications/$name', title: 'Application', load: () => import('./application/page.tsx') },
  {
    path: '/applicationsets',
    title: 'ApplicationSets',
    load: () => import('./application-sets/page.tsx'),
    nav: { title: 'ApplicationSets', icon: 'applicationSets', keys: 'g e' },
  },
  { path: '/applicationsets/$namespace/$name', title: 'ApplicationSet', load: () => import('./application-set/page.tsx') },
  { path: '/applicationsets/$name', title: 'ApplicationSet', load: () => import('./application-set/page.tsx') },
  {
    path: '/settings',
    title: 'Settings',
    load: () => import('./settings/page.tsx'),
    nav: { title: 'Settings', icon: 'settings', keys: 'g s' },
  },
  {
    path: '/settings/projects',
    title: 'Projects',
    load: () => import('./projects/page.tsx'),
    nav: { title: 'Projects', icon: 'project', keys: 'g p' },
  },
  { path: '/settings/projects/$name', title: 'Project', load: () => import('./project/page.tsx') },
  {
    path: '/settings/repos',
    title: 'Repositories',
    load: () => import('./repositories/page.tsx'),
    nav: { title: 'Repositories', icon: 'repository', keys: 'g r' },
  },
  {
    path: '/settings/certs',
    title: 'Certificates',
    load: () => import('./certificates/page.tsx'),
    nav: { title: 'Certificates', icon: 'shield' },
  },
  {
    path: '/settings/gpgkeys',
    title: 'GnuPG keys',
    load: () => import('./gpg-keys/page.tsx'),
    nav: { title: 'GnuPG keys', icon: 'key' },
  },
  {
    path: '/settings/clusters',
    title: 'Clusters',
    load: () => import('./clusters/page.tsx'),
    nav: { title: 'Clusters', icon: 'cluster', keys: 'g c' },
  },
  { path: '/settings/clusters/$server', title: 'Cluster', load: () => import('./clusters/cluster-page.tsx') },
  {
    path: '/settings/accounts',
    title: 'Accounts',
    load: () => import('./accounts/page.tsx'),
    nav: { title: 'Accounts', icon: 'users' },
  },
  { path: '/settings/accounts/$name', title: 'Account', load: () => import('./accounts/account-page.tsx') },
  {
    path: '/user-info',
    title: 'User info',
    load: () => import('./user-info/page.tsx'),
    nav: { title: 'User info', icon: 'user', keys: 'g u' },
  },
  {
    path: '/help/api',
    title: 'API browser',
    load: () => import('./api-browser/page.tsx'),
    nav: { title: 'API browser', icon: 'code' },
  },
  { path: '/help', title: 'Help', load: () => import('./api-browser/page.tsx') },
];
