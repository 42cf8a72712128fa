import type { JsonObject } from '../../objects/index.ts';
import {
  decodeBoolean,
  decodeDurationMs,
  decodeFields,
  decodeListOrNone,
  decodeNeededText,
  decodeObject,
  decodeText,
  decodeTextList,
} from '../parsing/decode.ts';
import { parseYaml } from '../parsing/parse-yaml.ts';
import { BadValue, type Parse } from '../parsing/bad-value.ts';
import { freezeDeep } from '../same-value.ts';
import { Sealed } from '../sealed.ts';
import { isJsonObject } from '../../objects/index.ts';

const decodeOidc = decodeFields({
  name: decodeText,
  issuer: decodeNeededText,
  clientID: decodeNeededText,
  clientSecret: decodeText,
  cliClientID: decodeText,
  requestedScopes: decodeListOrNone(decodeText),
  requestedIDTokenClaims: decodeObject,
  logoutURL: decodeText,
  rootCA: decodeText,
  enablePKCEAuthentication: decodeBoolean(false),
  domainHint: decodeText,
  allowedAudiences: decodeTextList,
  skipAudienceCheckWhenTokenHasNoAudience: decodeBoolean(false),
  enableUserInfoGroups: decodeBoolean(false),
  userInfoPath: decodeText,
  userInfoBaseURL: decodeText,
  userInfoCacheExpiration: decodeDurationMs(0),
  refreshTokenThreshold: decodeDurationMs(0),
  azure: decodeFields({
    useWorkloadIdentity: decodeBoolean(false),
    enableUserGroupOverageClaim: decodeBoolean(false),
    graphApiEndpoint: decodeText,
    userGroupOverageClaimCacheExpiration: decodeDurationMs(0),
  }),
});

/** An OpenID provider. Durations are milliseconds. */
export type OidcConfig = Omit<ReturnType<typeof decodeOidc>, 'clientSecret'> & { readonly clientSecret: Sealed<string> };

export interface DexConnector {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

const decodeDex = decodeFields({ connectors: decodeListOrNone(decodeFields({ id: decodeText, name: decodeText, type: decodeText })) });

/**
 * A provider's configuration as written: texts may be references to secrets, or be secrets, so it is sealed. It is checked here, so
 * that what is in force can be decoded again with its references replaced.
 */
export type ProviderText = Sealed<JsonObject> | undefined;

export const parseOidcText: Parse<ProviderText> = (text, note) => parseProvider(text, note, decodeOidc);
export const parseDexText: Parse<ProviderText> = (text, note) => parseProvider(text, note, decodeDex);

function parseProvider(text: string, note: (reason: string) => void, check: (value: JsonObject, at: string) => unknown): ProviderText {
  const value = parseYaml(text, note);
  if (value === null) return undefined;
  if (!isJsonObject(value)) throw new BadValue('the value is not a map');
  check(value, '');
  return new Sealed(freezeDeep(value));
}

/** Undefined when what the references stand for has no use in that place. */
export function readOidcConfig(config: JsonObject): OidcConfig {
  const { clientSecret, ...others } = decodeOidc(config, '');
  return { ...others, clientSecret: new Sealed(clientSecret) };
}

export function readDexConnectors(config: JsonObject): readonly DexConnector[] {
  return decodeDex(config, '').connectors ?? [];
}
