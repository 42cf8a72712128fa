/** Every key of `argocd-rbac-cm`. */
import { parseChoice, parseText } from '../parsing/parse-text.ts';
import { setting, settingFamily, type SettingValues } from '../setting-table.ts';
import { parsePolicyCsv } from './parse-policy-csv.ts';
import { defaultScopes, parseScopes } from './shapes.ts';

export const rbacTable = {
  policy: setting('policy.csv', {
    parse: parsePolicyCsv,
    fallback: '',
    doc: 'Who may do what: lines `p, subject, resource, action, object, allow|deny` and `g, member, role`.',
    use: 'used',
  }),
  morePolicies: settingFamily('policy.<name>.csv', {
    parse: parsePolicyCsv,
    doc: 'More of such lines, appended in the order of the names.',
    use: 'used',
  }),
  defaultRole: setting('policy.default', {
    parse: parseText,
    fallback: '',
    doc: 'The role that everyone has who is let in.',
    use: 'used',
  }),
  matchMode: setting('policy.matchMode', {
    parse: parseChoice(['glob', 'regex']),
    fallback: 'glob',
    doc: 'How rules match: `glob` or `regex`.',
    use: 'used',
  }),
  scopes: setting('scopes', {
    parse: parseScopes,
    fallback: defaultScopes,
    doc: 'The claims of a single sign-on token that name groups, as a YAML list.',
    use: 'used',
  }),
};

export type RbacSettings = SettingValues<typeof rbacTable>;
