export { createAuthenticator } from "./authenticator/authenticator.js"
export type {
  AttestationStatement,
  AuthenticatorData,
  AuthenticatorFault,
  ClientData,
  CoseKey,
} from "./authenticator/fault.js"
export type { AuthenticatorFaultName } from "./authenticator/faults.js"
export { authenticatorFaults } from "./authenticator/faults.js"
export type {
  AuthenticationResponse,
  CreationOptions,
  CredentialResponse,
  RegistrationResponse,
  RequestOptions,
  Transport,
} from "./authenticator/messages.js"
export type {
  Authenticator,
  AuthenticatorOptions,
  CeremonyOptions,
  CredentialAlgorithm,
  StoredCredential,
} from "./authenticator/model.js"
export { openBrowser } from "./browser/browser.js"
export type { PageForm } from "./browser/forms.js"
export type { CookieJar, CookieUse, JarCookie } from "./browser/jar.js"
export { createJar } from "./browser/jar.js"
export type {
  Browser,
  BrowserOptions,
  FetchOptions,
  Fields,
  PasskeyOptions,
  SignInWith,
  Visit,
} from "./browser/model.js"
export type { Duration, FrozenClock } from "./clock.js"
export { frozenClock } from "./clock.js"
export type { Runner, TestModuleOptions } from "./conformance.js"
export { moduleConformance, testModule } from "./conformance.js"
export type { Enrolled, Enrolling, ModuleCase, ModuleSubject } from "./conformance/subject.js"
export { BrokenModule } from "./conformance/subject.js"
export type { Inbox, InboxOptions, Message, SmtpFault } from "./inbox.js"
export { openInbox } from "./inbox.js"
export type { Fault, Refusal } from "./faults/fault.js"
export type { Hang, FaultName } from "./faults/faults.js"
export { hang, faults } from "./faults/faults.js"
export type { CapturedLog, LogEntry } from "./log.js"
export { captureLog } from "./log.js"
export { oneTimeCode } from "./one-time-code.js"
export type { Answer, RecordedRequest, UnsignedToken } from "./provider/messages.js"
export type { EndpointName } from "./provider/messages.js"
export type {
  AuthorizationAnswer,
  ClientAuthentication,
  Consent,
  FakeProvider,
  Listening,
  LogoutSubject,
  People,
  Person,
  ProviderOptions,
  SigningAlgorithm,
} from "./provider/model.js"
export { createProvider } from "./provider/provider.js"
export type { VisitOptions } from "./visit.js"
export { visit } from "./visit.js"
