import type { SenderConfig } from "../../../provider-kit/email/sender.js"
import type { CredentialsConfig } from "../../../model/credentials-provider.js"
import type { EmailConfig } from "../../../model/email-provider.js"
import type { WithMethod } from "../../../model/given-provider.js"
import type {
  AuthorizationEndpoint,
  OIDCConfig,
  ProviderAccess,
  TokenEndpoint,
  UserinfoEndpoint,
} from "../../../model/oauth-provider.js"
import type { ProviderStyle } from "../../../model/provider.js"
import type { ProviderType } from "../../../model/user.js"
import type { RelayingParty, WebAuthnConfig } from "../../../model/webauthn-provider.js"
import { anything, type EveryOption, type OptionNames } from "../../../primitives/option-names.js"

const style = {
  logo: anything,
  icon: anything,
  brandColor: anything,
  bg: anything,
  text: anything,
} satisfies EveryOption<ProviderStyle>

/** Of providers of every type. */
const common = {
  id: anything,
  name: anything,
  type: anything,
  buttonLabel: anything,
  style,
  options: anything,
  method: anything,
} satisfies Readonly<Record<string, OptionNames>>

/** Auth.js v5 has types with `request` and `conform` for every endpoint. */
interface Version5Endpoint {
  readonly request: unknown
  readonly conform: unknown
}

const authorization = {
  url: anything,
  params: anything,
  request: anything,
  conform: anything,
} satisfies EveryOption<AuthorizationEndpoint & Version5Endpoint>

const userinfo = { ...authorization } satisfies EveryOption<UserinfoEndpoint & Version5Endpoint>

const token = {
  ...authorization,
  body: anything,
  clientPrivateKey: anything,
} satisfies EveryOption<TokenEndpoint>

const oauth = {
  ...common,
  clientId: anything,
  clientSecret: anything,
  issuer: anything,
  wellKnown: anything,
  authorization,
  token,
  userinfo,
  jwks_endpoint: anything,
  codeChallengeMethod: anything,
  checks: anything,
  client: anything,
  profile: anything,
  account: anything,
  allowDangerousEmailAccountLinking: anything,
  allowEmailAccountLinking: anything,
  redirectProxyUrl: anything,
  allowInsecureRequests: anything,
  verifyAuthentication: anything,
  trustedAudiences: anything,
  issuerFor: anything,
  makeClientSecret: anything,
  tokens: {
    hosts: anything,
    params: anything,
    scope: anything,
    refresh: anything,
    revocation: anything,
  } satisfies EveryOption<ProviderAccess>,
  deprecated: anything,
  connectOnly: anything,
  mergeCallback: anything,
  idToken: anything,
} satisfies EveryOption<OIDCConfig & WithMethod>

const email = {
  ...common,
  from: anything,
  maxAge: anything,
  sendVerificationRequest: anything,
  sendAccountEmail: anything,
  secret: anything,
  apiKey: anything,
  server: anything,
  code: anything,
  generateVerificationToken: anything,
  normalizeIdentifier: anything,
  endpoint: anything,
  message: anything,
  texts: anything,
} satisfies EveryOption<EmailConfig & SenderConfig & WithMethod>

const credentials = {
  ...common,
  credentials: anything,
  authorize: anything,
  identifier: anything,
  module: anything,
  canSignIn: anything,
} satisfies EveryOption<CredentialsConfig & WithMethod>

const webauthn = {
  ...common,
  enableConditionalUI: anything,
  simpleWebAuthnBrowserVersion: anything,
  formFields: anything,
  relayingParty: { id: anything, name: anything, origin: anything } satisfies EveryOption<RelayingParty>,
  getRelayingParty: anything,
  getUserInfo: anything,
  authenticationOptions: anything,
  registrationOptions: anything,
  verifyAuthenticationOptions: anything,
  verifyRegistrationOptions: anything,
  simpleWebAuthn: anything,
} satisfies EveryOption<WebAuthnConfig & WithMethod>

/** The options of the providers of each type. */
export const providerNames: Readonly<Record<ProviderType, { readonly [option: string]: OptionNames }>> = {
  oauth,
  oidc: oauth,
  email,
  credentials,
  webauthn,
}
