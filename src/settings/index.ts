/** ConfigMaps and Secrets of an installation → one typed, immutable snapshot with change events; accounts; what a first start makes. */
export { createAccountStore } from './accounts/account-store.ts';
export { createLockouts } from './accounts/lockouts.ts';
export { formatDocumentation } from './format-documentation.ts';
export { installDefinitions } from './home/install-definitions.ts';
export { renewCertificate } from './home/prepare-certificate.ts';
export { prepareHome } from './home/prepare-home.ts';
export { readInitialPassword } from './home/read-initial-password.ts';
export { openSettings } from './open-settings.ts';
export { Sealed } from './sealed.ts';
export { exportHome } from './transfer/export-home.ts';
export { checkImport, importObjects } from './transfer/import-objects.ts';
export { formatObject, parseObjects } from './transfer/object-documents.ts';
export type { Account, AccountCapability } from './accounts/account.ts';
export type { AccountChange } from './accounts/update-account.ts';
export type { CertificateMaker } from './home/prepare-certificate.ts';
export type { InstallDefinitionsOptions } from './home/install-definitions.ts';
export type { FormerAdmin, PreparedHome, PrepareHomeOptions } from './home/prepare-home.ts';
export type { LabelledSecretType } from './home-objects.ts';
export type { Settings, SettingsChanged, SettingsOptions } from './open-settings.ts';
export type { SettingsRandom } from './random.ts';
export type { SettingWarning } from './read-table.ts';
export type { RevokedTokens } from './revoked-tokens.ts';
export type { LabelledSecret, ServerCertificate, SettingChange, Snapshot, WebhookSecrets } from './snapshot.ts';
export type { GeneralSettings } from './tables/general-settings.ts';
export type { DexConnector, OidcConfig } from './tables/oidc-config.ts';
export type { ParameterSettings } from './tables/parameter-settings.ts';
export type { RbacSettings } from './tables/rbac-settings.ts';
export type { ResourceOverride } from './tables/resource-override.ts';
export type { AccountToken, SecretSettings } from './tables/secret-settings.ts';
export type { ExportOptions } from './transfer/export-home.ts';
export type { ImportOptions, ImportResult } from './transfer/import-objects.ts';
export type {
  CompareOptions,
  DeepLink,
  GlobalProject,
  IgnoreRules,
  KnownTypeField,
  ResourceActions,
  ResourceFilter,
} from './tables/shapes.ts';
