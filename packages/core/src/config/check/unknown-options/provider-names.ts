import type { SenderConfig } from "../../../provider-kit/email/sender.js"
import type { CredentialsConfig } from "../../../model/credentials-provider.js"
import type { EmailConfig } from "../../../model/email-provider.js"
import type { WithMethod } from "../../../model/given-provider.js"
import type {
  AuthorizationEndpoint,
  OIDCConfig,
  TokenEndpoint,
  UserinfoEndpoint,
} from "../../../model/oauth-provider.js"
import type { ProviderStyle } from "../../../model/provider.js"
import type { ProviderType } from "../../../model/user.js"
import type { RelayingParty, WebAuthnConfig } from "../../../model/webauthn-provider.js"
import { any, type EveryOption, type OptionNames } from "../../../primitives/option-names.js"

const style = {
  logo: any,
  icon: any,
  brandColor: any,
  bg: any,
  text: any,
} satisfies EveryOption<ProviderStyle>

/** Auth.js v5 has types with `request` and `conform` for every endpoint. */
interface Version5Endpoint {
  readonly request: unknown
  readonly conform: unknown
}

const authorization = {
  url: any,
  params: any,
  request: any,
  conform: any,
} satisfies EveryOption<AuthorizationEndpoint & Version5Endpoint>

const userinfo = { ...authorization } satisfies EveryOption<UserinfoEndpoint & Version5Endpoint>

const token = {
  ...authorization,
  body: any,
  clientPrivateKey: any,
} satisfies EveryOption<TokenEndpoint>

const oauth = {
  id: any,
  name: any,
  type: any,
  buttonLabel: any,
  clientId: any,
  clientSecret: any,
  issuer: any,
  wellKnown: any,
  authorization,
  token,
  userinfo,
  jwks_endpoint: any,
  codeChallengeMethod: any,
  checks: any,
  client: any,
  profile: any,
  account: any,
  allowDangerousEmailAccountLinking: any,
  allowEmailAccountLinking: any,
  redirectProxyUrl: any,
  style,
  allowInsecureRequests: any,
  verifyAuthentication: any,
  trustedAudiences: any,
  issuerFor: any,
  makeClientSecret: any,
  deprecated: any,
  mergeCallback: any,
  idToken: any,
  options: any,
  method: any,
} satisfies EveryOption<OIDCConfig & WithMethod>

const email = {
  id: any,
  name: any,
  type: any,
  buttonLabel: any,
  from: any,
  maxAge: any,
  sendVerificationRequest: any,
  sendAccountEmail: any,
  secret: any,
  apiKey: any,
  server: any,
  code: any,
  generateVerificationToken: any,
  normalizeIdentifier: any,
  style,
  endpoint: any,
  message: any,
  texts: any,
  options: any,
  method: any,
} satisfies EveryOption<EmailConfig & SenderConfig & WithMethod>

const credentials = {
  id: any,
  name: any,
  type: any,
  buttonLabel: any,
  credentials: any,
  authorize: any,
  identifier: any,
  canSignIn: any,
  style,
  options: any,
  method: any,
} satisfies EveryOption<CredentialsConfig & WithMethod>

const webauthn = {
  id: any,
  name: any,
  type: any,
  buttonLabel: any,
  enableConditionalUI: any,
  simpleWebAuthnBrowserVersion: any,
  formFields: any,
  relayingParty: { id: any, name: any, origin: any } satisfies EveryOption<RelayingParty>,
  getRelayingParty: any,
  getUserInfo: any,
  authenticationOptions: any,
  registrationOptions: any,
  verifyAuthenticationOptions: any,
  verifyRegistrationOptions: any,
  simpleWebAuthn: any,
  style,
  options: any,
  method: any,
} satisfies EveryOption<WebAuthnConfig & WithMethod>

/** The options of the providers of each type. */
export const providerNames: Readonly<Record<ProviderType, { readonly [option: string]: OptionNames }>> = {
  oauth,
  oidc: oauth,
  email,
  credentials,
  webauthn,
}
