/** A kind as an API serves it, in the shape that the Kubernetes client takes. */
export interface CustomResourceType {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const ARGO = { group: 'argoproj.io', version: 'v1alpha1', namespaced: true } as const;

export const applicationType: CustomResourceType = { ...ARGO, kind: 'Application', plural: 'applications' };
export const appProjectType: CustomResourceType = { ...ARGO, kind: 'AppProject', plural: 'appprojects' };
export const applicationSetType: CustomResourceType = { ...ARGO, kind: 'ApplicationSet', plural: 'applicationsets' };
